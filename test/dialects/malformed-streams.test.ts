import fc from 'fast-check'
import {
  accumulate,
  type ChatEvent,
  dialects,
  toEvents,
  InterlinguaError,
  type Json,
  type JsonObject,
  StreamError,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { checkEvent } from '../../src/dialects/engine/check-event.ts'
import { RUNS } from '../arbitraries.ts'
import { recorded } from '../recorded-exchanges.ts'
import { expectSame } from '../law-assertions.ts'
import { mutated } from '../json-mutations.ts'
import {
  collect,
  framedTexts,
  identity,
  source,
  streamNames,
  type StreamName,
  encodeStreamText,
} from './stream-responses.ts'
import { payloads } from './stream-payloads.ts'
import { subjects } from './dialect-table.ts'

/** The types of parts to which each delta may belong. */
const partTypesByDelta: { readonly [type: string]: readonly string[] } = {
  'text-delta': ['text'],
  'refusal-delta': ['refusal'],
  'reasoning-delta': ['reasoning'],
  'arguments-delta': ['tool-call'],
  'media-delta': ['image', 'audio', 'video', 'file'],
}

/**
 * Returns whether an event adds citations: Gemini sends them at the end of the response, when their text may
 * have ended.
 */
function isLateSource(event: ChatEvent): boolean {
  return event.type === 'part-update' && event.citations !== undefined
}

/** Returns the violations in a list of events: parts open once, grow while they are open, and end once. */
function faults(events: readonly ChatEvent[]): readonly string[] {
  const found: string[] = []
  let parts = new Map<string, { readonly type: string; ended: boolean }>()
  let over = false
  for (const event of events) {
    if (over) found.push(`${event.type} after an error`)
    if (event.type === 'error') over = true
    if (event.type === 'start' && (event.candidate ?? 0) === 0) parts = new Map()
    if (!('index' in event)) continue
    const key = `${event.candidate ?? 0} ${event.index}`
    const part = parts.get(key)
    if (!Number.isSafeInteger(event.index) || event.index < 0) found.push(`${event.type} at ${event.index}`)
    if (event.type === 'part-start') {
      if (part !== undefined) found.push(`${key} opens twice`)
      parts.set(key, { type: event.part.type, ended: false })
    } else if (part === undefined) found.push(`${event.type} of ${key}, which never opened`)
    else if (event.type === 'part-end') {
      if (part.ended && event.replaces !== true) found.push(`${key} ends twice`)
      part.ended = true
    } else if (part.ended && !isLateSource(event)) found.push(`${event.type} of ${key}, which has ended`)
    else if (!(partTypesByDelta[event.type] ?? [part.type]).includes(part.type))
      found.push(`${event.type} of a ${part.type}`)
  }
  return found
}

test('faults finds each violation', () => {
  const part = { type: 'text', text: '' } as const
  expect(faults([{ type: 'text-delta', index: 0, text: '' }])).toHaveLength(1)
  expect(
    faults([
      { type: 'part-start', index: 0, part },
      { type: 'part-start', index: 0, part },
      { type: 'arguments-delta', index: 0, json: '' },
      { type: 'part-end', index: 0 },
      { type: 'part-end', index: 0 },
      { type: 'text-delta', index: 0, text: '' },
    ]),
  ).toHaveLength(4)
})

const handwrittenAnswers = subjects.flatMap((subject) =>
  subject.fixtures.response.map(({ body }) => subject.dialect.decodeResponse(body, identity).value),
)

/** Returns complete streams: those encoded from handwritten bodies, and some recorded ones. */
async function wholeStreams(name: StreamName): Promise<readonly (readonly Json[])[]> {
  const written = await Promise.all(
    handwrittenAnswers.map(async (answer) => payloads((await encodeStreamText(name, toEvents(answer))).text)),
  )
  const received = recorded(name).flatMap(({ stream }) =>
    typeof stream === 'string' && stream.length < 10_000 ? [payloads(stream)] : [],
  )
  return [...written, ...received]
}

const invalidValues = [-1, 0.5, 2 ** 31, 2 ** 53, 1e21, '0', null, [], {}, 'x', true]

/** Generates the payload texts of a stream with one to four defects. */
function broken(streams: readonly (readonly Json[])[]): fc.Arbitrary<readonly string[]> {
  const step = fc.record({
    how: fc.nat(6),
    at: fc.nat(),
    to: fc.nat(),
    by: fc.constantFrom(...invalidValues),
  })
  const changes = fc.array(step, { minLength: 1, maxLength: 4 })
  const retyped = mutated(fc.constantFrom(...streams.flat())).map((wire) => JSON.stringify(wire))
  return fc.tuple(fc.constantFrom(...streams), changes, retyped).map(([stream, steps, stranger]) => {
    const texts = stream.map((wire) => JSON.stringify(wire))
    for (const { how, at: where, to: target, by } of steps) {
      const at = where % Math.max(1, texts.length)
      const to = target % Math.max(1, texts.length)
      const text = texts[at] ?? 'null'
      if (how === 0) texts.splice(at, 1)
      else if (how === 1) texts.splice(to, 0, text)
      else if (how === 2) texts.splice(to, 0, ...texts.splice(at, 1))
      else if (how === 3) texts[at] = text.slice(0, target % text.length)
      else if (how === 4) texts[at] = stranger
      else if (how === 5) texts[at] = text.replaceAll(/"index":\d+/g, `"index":${JSON.stringify(by)}`)
      else
        texts[at] = text.replace(
          /"(text|arguments|content|type|id|name)":"[^"]*"/,
          `"$1":${JSON.stringify(by)}`,
        )
    }
    return texts
  })
}

/** The dialects to which each broken stream is encoded: all in a soak, otherwise the next two. */
const TARGETS = process.env['SOAK'] ? streamNames.length : 2

describe.each(streamNames)('%s: malformed streams', (name) => {
  const dialect = dialects[name]
  let next = 0
  const takeTargets = (): readonly StreamName[] =>
    Array.from({ length: TARGETS }, () => streamNames[next++ % streamNames.length] ?? name)

  test('decode to consistent events or a typed error', async () => {
    const streams = await wholeStreams(name)
    let ends = 0
    const property = fc.asyncProperty(broken(streams), async (texts) => {
      const events = await collect(dialect.decodeStream(source(framedTexts(name, texts)), identity))
      const lean = await collect(
        dialect.decodeStream(source(framedTexts(name, texts)), { ...identity, exact: false }),
      )
      expect(faults(events)).toEqual([])
      expect(faults(lean)).toEqual([])
      // `translateStream` does not check them again.
      for (const event of [...events, ...lean]) expectSame(checkEvent(event), event)
      const last = events.at(-1)
      if (last?.type === 'error') expect(last.error).toBeInstanceOf(InterlinguaError)
      const response = await accumulate(events, identity).catch((error: unknown) => {
        expect(error).toBeInstanceOf(StreamError)
      })
      for (const other of takeTargets()) {
        await encodeStreamText(other, events)
        await encodeStreamText(other, lean)
      }
      if (response === undefined) return
      ends += 1
      // A complete stream is encoded exactly as received; payloads that are not objects and blank lines are
      // skipped.
      const nonEmpty = texts.filter((text) => text !== '')
      const received = nonEmpty.map((text) => JSON.parse(text) as Json).filter(isObject)
      expectSame(payloads((await encodeStreamText(name, events)).text).slice(0, received.length), received)
    })
    // The seed is fixed, except in a soak run.
    const seed = process.env['SOAK'] === undefined ? { seed: 20_260_101 } : {}
    await fc.assert(property, { numRuns: RUNS, ...seed })
    expect(ends).toBeGreaterThan(RUNS / 10)
  })
})

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
