import { type ChatEvent, type ChatResponse, dialects, toEvents, type Loss, StreamError } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { hasCorpus, recorded } from '../recorded-exchanges.ts'
import { expectSame } from '../law-assertions.ts'
import {
  answerOf,
  canonical,
  collect,
  expectTold,
  identity,
  source,
  type StreamName,
  streamNames,
  told,
} from './stream-responses.ts'

/** Several answers glued together are one in the end, but no stream can take back what it told; and some were cut. */
const isWhole = (events: readonly ChatEvent[], { candidates }: ChatResponse): boolean =>
  events.filter(({ type }) => type === 'start').length === 1 &&
  candidates.every(({ finish }) => finish !== undefined)

async function* given(events: readonly ChatEvent[]): AsyncGenerator<ChatEvent> {
  for (const event of events) yield event
}

/**
 * What takes back what it told can only be told by a format that can do so, too; else that is reported, and what was told
 * stays: the whole answer without its corrections. Undefined where nothing was reported.
 */
async function uncorrected(
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
  const response = await answerOf(given(before))
  const body = dialects[name].encodeResponse(response, { now: () => 0 }).value
  return dialects[name].decodeResponse(body, identity).value
}

describe.skipIf(!hasCorpus).each(streamNames)('recorded streams of %s', (name) => {
  const streams = recorded(name).filter(({ stream }) => typeof stream === 'string')
  let complete = 0
  let compared = 0

  test.each(streams)('$id tells what the whole answer tells, in every format', async ({ stream }) => {
    const exact = await collect(dialects[name].decodeStream(source(stream ?? ''), identity))
    const lean = await collect(
      dialects[name].decodeStream(source(stream ?? ''), { ...identity, exact: false }),
    )
    const response = await answerOf(given(exact)).catch((error: unknown) => {
      expect(error).toBeInstanceOf(StreamError)
    })
    if (response === undefined || !isWhole(exact, response)) return
    complete += 1
    expectSame(canonical(await answerOf(given(lean)), name), canonical(response, name))
    const made = {
      ...(response.createdAt === undefined && { createdAt: 'whenever' }),
      ...(response.usage === undefined && { usage: 'whatever' }),
    }
    for (const other of streamNames) {
      const body = dialects[other].encodeResponse(response, { now: () => 0 }).value
      const whole = dialects[other].decodeResponse(body, identity).value
      for (const events of [exact, lean, toEvents(response)]) {
        const { text, losses } = await told(other, events)
        compared += 1
        // A stream of its own format goes out undated and uncounted, as it came; a whole answer is dated when it is
        // written, and where counters are required they are zero.
        await expectTold(other, text, (await uncorrected(other, events, losses)) ?? whole, made)
      }
    }
  })

  test('most of them are whole', () => {
    expect(complete).toBeGreaterThan(streams.length * 0.9)
    expect(compared).toBe(complete * streamNames.length * 3)
  })
})
