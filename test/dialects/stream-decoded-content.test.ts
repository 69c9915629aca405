import { type ChatEvent, type ChatResponse, dialects, toEvents, type Loss, StreamError } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { hasCorpus, recorded } from '../recorded-exchanges.ts'
import { expectSame } from '../law-assertions.ts'
import {
  answerOf,
  canonical,
  collect,
  expectEncodedStream,
  identity,
  source,
  type StreamName,
  streamNames,
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

describe.skipIf(!hasCorpus).each(streamNames)('recorded streams of %s', (name) => {
  const streams = recorded(name).filter(({ stream }) => typeof stream === 'string')
  let complete = 0
  let compared = 0

  test.each(streams)('$id has the content of the complete response in every dialect', async ({ stream }) => {
    const exact = await collect(dialects[name].decodeStream(source(stream ?? ''), identity))
    const lean = await collect(
      dialects[name].decodeStream(source(stream ?? ''), { ...identity, exact: false }),
    )
    const response = await answerOf(yieldEvents(exact)).catch((error: unknown) => {
      expect(error).toBeInstanceOf(StreamError)
    })
    if (response === undefined || !isComplete(exact, response)) return
    complete += 1
    expectSame(canonical(await answerOf(yieldEvents(lean)), name), canonical(response, name))
    const ignored = {
      ...(response.createdAt === undefined && { createdAt: 'whenever' }),
      ...(response.usage === undefined && { usage: 'whatever' }),
    }
    for (const other of streamNames) {
      const body = dialects[other].encodeResponse(response, { now: () => 0 }).value
      const complete = dialects[other].decodeResponse(body, identity).value
      for (const events of [exact, lean, toEvents(response)]) {
        const { text, losses } = await encodeStreamText(other, events)
        compared += 1
        // A stream of the same dialect is encoded as received, without time and usage. A complete response
        // gets the time of its encoding, and zero counters where the dialect requires them.
        await expectEncodedStream(
          other,
          text,
          (await omitCorrections(other, events, losses)) ?? complete,
          ignored,
        )
      }
    }
  })

  test('more than nine tenths of them are complete', () => {
    expect(complete).toBeGreaterThan(streams.length * 0.9)
    expect(compared).toBe(complete * streamNames.length * 3)
  })
})
