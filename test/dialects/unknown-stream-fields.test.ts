// A law: what a decoder does not know in an event of a stream is reported when the stream is sent in another format.
import {
  assistant,
  type DialectName,
  type Json,
  type JsonObject,
  reasoning,
  toEvents,
  toolCall,
  translateStream,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { subjects } from './dialect-table.ts'
import { sampleRecordings } from './pair-shares.ts'
import { payloads } from './stream-payloads.ts'
import { collect, encodeStreamText, framed, source, toStreamText } from './stream-responses.ts'

const KEY = 'future_field'
const VALUE = 'a value of the future'

/** A location in an event: keys and positions. */
type Location = readonly (string | number)[]

/**
 * Objects that only repeat or measure something, or are replaced by later events: their fields are not reported. An event of
 * Bedrock has no fields beside its type, which the framing contains.
 */
const UNREPORTED: { readonly [dialect in DialectName]?: RegExp } = {
  'openai-chat': /^time_info$/,
  'openai-responses':
    /^(?:response\.(?:metadata|reasoning|text|tools|tool_usage)\b|item\.action|response\.output\.action)/,
  anthropic: /^(?:content_block\.(?:input|content)$|(?:message\.)?usage\b)/,
  gemini: /^usageMetadata\b/,
  'gemini-interactions': /^(?:interaction\.usage\b|step\.arguments|delta\.(?:arguments|result)|metadata\b)/,
  bedrock: /^(?:$|metadata\b)/,
  cohere: /^delta\.usage\b/,
}

const keysOf = (location: Location): string => location.filter((key) => typeof key === 'string').join('.')

/** Lists the locations of all objects of a value. */
function listObjects(value: Json, at: Location = []): readonly Location[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => listObjects(item, [...at, index]))
  return [
    at,
    ...Object.entries(value as JsonObject).flatMap(([key, item]) => listObjects(item, [...at, key])),
  ]
}

/** Returns a value with an unknown field in the object at a location. */
function withUnknownField(value: Json, [key, ...rest]: Location): Json {
  if (key === undefined) return { ...(value as JsonObject), [KEY]: VALUE }
  if (Array.isArray(value))
    return value.map((item: Json, index) => (index === key ? withUnknownField(item, rest) : item))
  const object = value as JsonObject
  return { ...object, [key]: withUnknownField(object[key] ?? null, rest) }
}

/** Translates a stream. Returns whether the unknown value was sent, and whether a loss names its field or what contains it. */
async function translate(
  from: DialectName,
  events: readonly Json[],
): Promise<{ readonly isSent: boolean; readonly paths: readonly string[] }> {
  const to = from === 'openai-chat' ? 'anthropic' : 'openai-chat'
  const { body, losses } = translateStream(source(framed(from, events)), { from, to })
  const sent = toStreamText(to, await collect(body))
  return { isSent: sent.includes(VALUE), paths: (await losses).map(({ path }) => path) }
}

const answer = assistant([reasoning('Hm.'), 'Hello', toolCall({ id: 'c', name: 'f', arguments: { a: 1 } })], {
  finish: { reason: 'tool-calls' },
  usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
})

describe.each(subjects)('$name', ({ name, streams }) => {
  async function findSilent(events: readonly Json[]): Promise<readonly string[]> {
    const { paths: known } = await translate(name, events)
    const silent = new Set<string>()
    for (const [index, event] of events.entries())
      for (const location of listObjects(event)) {
        if (UNREPORTED[name]?.test(keysOf(location)) === true) continue
        const changed = events.with(index, withUnknownField(event, location))
        const { isSent, paths } = await translate(name, changed)
        // A field is not reported once more where what contains it is lost anyway.
        const isReported = paths.some((path) => path.includes(KEY)) || paths.length > known.length
        const isInLostContent = known.some((path) => keysOf(location).includes(path.split('/').at(-1) ?? ''))
        if (!isSent && !isReported && !isInLostContent) silent.add(keysOf(location))
      }
    return [...silent]
  }

  test('an unknown field in any object of an answer is reported', async () => {
    const { text } = await encodeStreamText(
      name,
      toEvents({ id: 'r', model: 'm', candidates: [answer], ...(answer.usage && { usage: answer.usage }) }),
    )
    expect(await findSilent(payloads(text))).toEqual([])
  })

  test.skipIf(streams.length === 0)('and in any object of recorded streams', async () => {
    // Of an error, only the error itself is sent; pieces of Gemini's arguments are decoded with the last one.
    const short = streams
      .filter(({ text }) => !/"partialArgs"|"type": ?"error"|response\.failed/.test(text))
      .map(({ text }) => payloads(text))
      .filter((events) => events.length < 30)
    for (const events of sampleRecordings(short).slice(0, 5)) expect(await findSilent(events)).toEqual([])
  })
})

const chunk = (delta: JsonObject): JsonObject => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null }],
})

/** Events that contain only what their decoder does not know. */
const unknownEvents: readonly (readonly [DialectName, JsonObject])[] = [
  ...subjects.map(({ name }) => [name, { [KEY]: { text: VALUE } }] as const),
  ['cohere', { type: 'future', [KEY]: VALUE }],
  ['openai-responses', { type: 'response.future', [KEY]: VALUE }],
  ['ollama', { model: 'm', created_at: '', [KEY]: VALUE }],
  ['openai-chat', chunk({ [KEY]: VALUE })],
  ['openai-chat', chunk({ tool_calls: VALUE })],
  ['openai-chat', chunk({ tool_calls: [{ id: 'c', type: 'mcp', mcp: VALUE }] })],
  ['mistral', chunk({ tool_calls: [{ id: 'c', function: { name: '', arguments: 7 } }] })],
]

test.each(unknownEvents)('an event of %s without anything known is reported: %j', async (name, event) => {
  const start = chunk({ role: 'assistant', content: 'Hi' })
  const events = name === 'openai-chat' || name === 'mistral' ? [start, event] : [event]
  expect((await translate(name, events)).paths).not.toEqual([])
})

test.each([
  ['openai-chat', { ...chunk({}), choices: [] }],
  ['openai-chat', chunk({ content: '', role: 'assistant' })],
  ['mistral', chunk({})],
  [
    'ollama',
    {
      model: 'm',
      created_at: '2026-11-19T00:00:00Z',
      message: { role: 'assistant', content: '' },
      done: false,
    },
  ],
  [
    'gemini',
    { candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, index: 0 }], modelVersion: 'm' },
  ],
  ['anthropic', { type: 'ping' }],
] as const)('an event of %s without content is not', async (name, event) => {
  const events = [name === 'mistral' || name === 'openai-chat' ? chunk({ content: 'Hi' }) : event, event]
  expect((await translate(name, events)).paths).toEqual([])
})
