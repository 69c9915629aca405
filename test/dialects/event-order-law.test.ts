import fc from 'fast-check'
import { type AssistantPart, type ChatEvent, dialects, InterlinguaError, type Loss } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { type StreamName, streamNames } from './stream-responses.ts'

const RUNS = process.env['SOAK'] ? 20_000 : 250

/** A token of one event, so that the output shows whether it was written. */
const token = (at: number): string => `token${at}x`

const parts: readonly ((at: number) => AssistantPart)[] = [
  (at) => ({ type: 'text', text: token(at) }),
  () => ({ type: 'text', text: '' }),
  (at) => ({ type: 'refusal', text: token(at) }),
  (at) => ({ type: 'reasoning', text: token(at) }),
  (at) => ({ type: 'tool-call', id: `call_${at}`, name: token(at), arguments: {} }),
  () => ({ type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } }),
]

/** Every type of event, with a token where it has content. */
const eventTypes: readonly ((index: number, at: number) => ChatEvent)[] = [
  (index, at) => ({ type: 'text-delta', index, text: token(at) }),
  (index, at) => ({ type: 'refusal-delta', index, text: token(at) }),
  (index, at) => ({ type: 'reasoning-delta', index, text: token(at) }),
  (index, at) => ({ type: 'arguments-delta', index, json: `{"a":"${token(at)}"}` }),
  (index) => ({ type: 'media-delta', index, data: 'BBBB' }),
  (index) => ({ type: 'part-end', index }),
  (index, at) => ({ type: 'part-end', index, part: { type: 'text', text: token(at) }, replaces: true }),
  (index, at) => ({ type: 'part-end', index, part: { type: 'text', text: token(at) } }),
  (index, at) => ({
    type: 'part-update',
    index,
    citations: [{ type: 'source', url: `https://example.org/${token(at)}` }],
  }),
  ...parts.map((part) => (index: number, at: number): ChatEvent => ({
    type: 'part-start',
    index,
    part: part(at),
  })),
  () => ({ type: 'start', id: 'r', model: 'm' }),
  () => ({ type: 'finish', finish: { reason: 'stop' } }),
  () => ({ type: 'usage', usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }),
]

const anyEvents = fc
  .array(fc.tuple(fc.nat(eventTypes.length - 1), fc.nat(2)), { minLength: 1, maxLength: 9 })
  .map((rows) =>
    rows.map(([type, index], at) => (eventTypes[type] as (typeof eventTypes)[number])(index, at)),
  )

interface Outcome {
  readonly text: string
  readonly losses: readonly Loss[]
  readonly error?: unknown
}

async function encode(name: StreamName, events: readonly ChatEvent[]): Promise<Outcome> {
  const losses: Loss[] = []
  const onLoss = (loss: Loss): 'allow' => {
    losses.push(loss)
    return 'allow'
  }
  const stream = dialects[name].encodeStream(events, { now: () => 0, onLoss })
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of stream) text += decoder.decode(bytes, { stream: true })
  } catch (error) {
    return { text, losses, error }
  }
  return { text, losses }
}

/** Returns whether a later event replaces the part of an event, so that its content need not be written. */
function isReplaced(event: ChatEvent, later: readonly ChatEvent[]): boolean {
  return later.some((each) => {
    if (each.type === 'start') return true
    const isSame = 'index' in each && 'index' in event && each.index === event.index
    return isSame && (each.type === 'part-start' || (each.type === 'part-end' && each.part !== undefined))
  })
}

/** Returns whether a part has no text, so that there is nothing to cite. */
function isEmptyText(index: number, events: readonly ChatEvent[]): boolean {
  const start = events.findLastIndex((event) => event.type === 'start')
  return !events
    .slice(start + 1)
    .some(
      (event) => 'index' in event && event.index === index && JSON.stringify(event).includes('"text":"token'),
    )
}

/** Returns the events whose tokens the output does not contain, although nothing reports them. */
function listSilent(events: readonly ChatEvent[], { text, losses }: Outcome): readonly string[] {
  const reported = losses.map(({ path }) => path)
  return events.flatMap((event, at) => {
    const hasToken = JSON.stringify(event).includes(token(at))
    if (!hasToken || text.includes(token(at)) || isReplaced(event, events.slice(at + 1))) return []
    if (event.type === 'part-update' && isEmptyText(event.index, events.slice(0, at))) return []
    const path = `/candidates/0/content/${'index' in event ? event.index : 0}`
    const isReported = reported.some((each) => each.startsWith(path) || path.startsWith(each))
    return isReported ? [] : [`${at} ${event.type}`]
  })
}

describe.each(streamNames)('%s: the order of events', (name) => {
  test('events in any order are encoded, reported or refused with a typed error', async () => {
    await fc.assert(
      fc.asyncProperty(anyEvents, async (events) => {
        const outcome = await encode(name, events)
        if (outcome.error !== undefined) {
          expect(outcome.error).toBeInstanceOf(InterlinguaError)
          expect((outcome.error as InterlinguaError).code).not.toBe('internal')
          return
        }
        expect(listSilent(events, outcome), outcome.text).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })
})
