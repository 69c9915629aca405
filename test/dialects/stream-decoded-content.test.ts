import { type ChatEvent, type ChatResponse, dialects, toEvents, type Loss, StreamError } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { checkEvent } from '../../src/dialects/engine/check-event.ts'
import { hasCorpus } from '../recorded-exchanges.ts'
import { expectSame } from '../law-assertions.ts'
import { subjects } from './dialect-table.ts'
import { sharedTargets } from './pair-shares.ts'
import {
  answerOf,
  canonical,
  collect,
  expectEncodedStream,
  identity,
  source,
  type StreamName,
  encodeStreamText,
} from './stream-responses.ts'

/**
 * Returns whether a stream contains one finished response. A second start replaces the first response, but
 * encoded text cannot be retracted.
 */
const isComplete = (events: readonly ChatEvent[], { candidates }: ChatResponse): boolean =>
  events.filter(({ type }) => type === 'start').length === 1 &&
  candidates.every(({ finish }) => finish !== undefined)

async function* yieldEvents(events: readonly ChatEvent[]): AsyncGenerator<ChatEvent> {
  for (const event of events) yield event
}

/** Returns events without residue: without the `extra` of every object. */
function withoutExtra(events: readonly ChatEvent[]): unknown {
  return JSON.parse(JSON.stringify(events, (key, value: unknown) => (key === 'extra' ? undefined : value)))
}

/**
 * Returns the response without the corrections that the dialect reported as losses, since it cannot retract
 * what it wrote; undefined if it reported none.
 */
async function omitCorrections(
  name: StreamName,
  events: readonly ChatEvent[],
  losses: readonly Loss[],
): Promise<ChatResponse | undefined> {
  const late = new Set(losses.filter(({ rule }) => rule === 'late-correction').map(({ path }) => path))
  if (late.size === 0) return undefined
  const before = events.map((event): ChatEvent => {
    if (event.type !== 'part-end' || !late.has(`/candidates/${event.candidate ?? 0}/content/${event.index}`))
      return event
    const { part: _part, replaces: _restated, ...end } = event
    return end
  })
  const response = await answerOf(yieldEvents(before))
  const body = dialects[name].encodeResponse(response, { now: () => 0 }).value
  return dialects[name].decodeResponse(body, identity).value
}

describe.skipIf(!hasCorpus).each(subjects)('recorded streams of $name', (subject) => {
  const { name, streams } = subject
  const cases = streams.map((stream, index) => ({
    ...stream,
    index,
    targets: [subject, ...sharedTargets(subject, streams, index)],
  }))
  let complete = 0
  const compared = new Set<string>()

  test.each(cases)(
    '$name has the content of the complete response',
    async ({ text: stream, targets, index }) => {
      const exact = await collect(dialects[name].decodeStream(source(stream), identity))
      const lean = await collect(dialects[name].decodeStream(source(stream), { ...identity, exact: false }))
      const response = await answerOf(yieldEvents(exact)).catch((error: unknown) => {
        expect(error).toBeInstanceOf(StreamError)
      })
      if (response === undefined || !isComplete(exact, response)) return
      complete += 1
      const leanResponse = await answerOf(yieldEvents(lean))
      expectSame(canonical(leanResponse, name), canonical(response, name))
      expectSame(withoutExtra(lean), withoutExtra(exact))
      for (const event of [...exact, ...lean]) expectSame(checkEvent(event), event)
      const ignored = {
        ...(response.createdAt === undefined && { createdAt: 'whenever' }),
        ...(response.usage === undefined && { usage: 'whatever' }),
      }
      const forms = [exact, lean, toEvents(response)]
      for (const [place, { name: other }] of targets.entries()) {
        compared.add(other)
        const completeOf = (whole: ChatResponse): ChatResponse =>
          dialects[other].decodeResponse(
            dialects[other].encodeResponse(whole, { now: () => 0 }).value,
            identity,
          ).value
        const complete = completeOf(response)
        // Without residue, the same dialect writes its own defaults, in a stream as in a complete response.
        const completeLean = other === name ? completeOf(leanResponse) : complete
        // Another dialect gets one of the forms in turn, and all of them in a soak.
        const isTurn = (form: number): boolean => form === (index + place) % forms.length
        const sent = forms.filter((_, form) => process.env['SOAK'] || other === name || isTurn(form))
        for (const events of sent) {
          const { text, losses } = await encodeStreamText(other, events)
          // A stream of the same dialect is encoded as received, without time and usage. A complete response
          // gets the time of its encoding, and zero counters where the dialect requires them.
          await expectEncodedStream(
            other,
            text,
            (await omitCorrections(other, events, losses)) ?? (events === lean ? completeLean : complete),
            ignored,
          )
        }
      }
    },
  )

  test('more than nine tenths of them are complete, and every dialect is a target', () => {
    expect(complete).toBeGreaterThan(streams.length * 0.9)
    expect(compared.size).toBe(subjects.length)
  })
})
