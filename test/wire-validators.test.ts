import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { requests as asked } from './dialects/bodies/openai-responses-requests.ts'
import { responses as answered } from './dialects/bodies/openai-responses-responses.ts'
import { validator, WIRE_SCHEMAS, type WireSchemaName } from './wire-validators.ts'
import { betaReply, events, reply, request } from './wire-schemas/anthropic-bodies.ts'
import { chat as llama, chunk as line, reply as answer } from './wire-schemas/ollama-bodies.ts'
import { chat, chunk, completion, lastChunk } from './wire-schemas/openai-bodies.ts'

const schemas = new URL('../wire-schemas/', import.meta.url)
const corpus = new URL('../../shared/corpus/', import.meta.url)

test('every schema has a name and every name a schema', () => {
  const files = readdirSync(schemas).filter((file) => file.endsWith('.json'))
  expect(files.toSorted()).toEqual(WIRE_SCHEMAS.map((name) => `${name}.json`).toSorted())
})

describe('what the documentation shows is valid', () => {
  const valid: readonly (readonly [WireSchemaName, string, object])[] = [
    ['openai-chat-request', 'all kinds of content', chat],
    ['openai-6-chat-request', 'all kinds of content', chat],
    ['openai-chat-response', 'two choices', completion],
    ['openai-6-chat-response', 'two choices', completion],
    ['openai-chat-chunk', 'a call', chunk],
    ['openai-6-chat-chunk', 'a call', chunk],
    ['openai-chat-chunk', 'usage alone', lastChunk],
    ...Object.entries(asked).map(([name, body]) => ['openai-responses-request', name, body] as const),
    ...Object.entries(answered).map(([name, body]) => ['openai-responses-response', name, body] as const),
    ...Object.entries(answered).map(([name, response]) => {
      const event = { type: 'response.completed', sequence_number: 0, response }
      return ['openai-responses-stream-event', name, event] as const
    }),
    ['openai-6-responses-request', 'items', asked['plain'] ?? {}],
    ['openai-6-responses-response', 'items', answered['calls'] ?? {}],
    ['ollama-request', 'all kinds of content', llama],
    ['ollama-response', 'thoughts, text and calls', answer],
    ['ollama-chunk', 'a piece', line],
    ['ollama-chunk', 'the last one', answer],
    ['anthropic-request', 'all kinds of content', request],
    ['anthropic-request-2023-06-01', 'sampling', { ...request, temperature: 1, top_p: 0.9, top_k: 40 }],
    ['anthropic-beta-request', 'all kinds of content', request],
    ['anthropic-beta-request-2023-06-01', 'sampling', { ...request, temperature: 1 }],
    ['anthropic-response', 'thinking, text and calls', reply],
    ['anthropic-beta-response', 'thinking, text and calls', betaReply],
    ['anthropic-beta-stream-event', 'message_start', { type: 'message_start', message: betaReply }],
    ['anthropic-stream-event', 'ping', { type: 'ping' }],
    ['anthropic-stream-event', 'error', { type: 'error', error: { type: 'api_error', message: 'Sorry' } }],
    ...events.map((event) => ['anthropic-stream-event', JSON.stringify(event).slice(0, 60), event] as const),
  ]
  test.each(valid)('%s: %s', (name, _, value) => {
    expect(validator(name)(value)).toEqual([])
  })
})

describe('what is broken is named with its place', () => {
  const { max_tokens: _, ...unlimited } = request
  const { choices: __, ...silent } = completion
  const image = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } }
  const seen = (content: unknown): object => ({ ...request, messages: [{ role: 'user', content }] })
  const withMessage = (message: object): object => ({
    ...chat,
    messages: [{ role: 'user', content: 'Hi' }, message],
  })

  const [said] = (answered['plain']?.['output'] ?? []) as readonly object[]
  const spoken = (fields: object): unknown =>
    JSON.parse(JSON.stringify({ model: 'm', input: [{ ...said, ...fields }] }))

  const broken: readonly (readonly [WireSchemaName, string, unknown, string])[] = [
    ['openai-chat-request', 'a stray key', { ...chat, top_k: 1 }, '#/top_k: the key is unknown'],
    ['openai-chat-request', 'a wrong word', { ...chat, verbosity: 'loud' }, '#/verbosity: '],
    [
      'openai-chat-request',
      'a stranger',
      withMessage({ role: 'narrator', content: '' }),
      '#/messages/1/role: ',
    ],
    ['openai-responses-request', 'an item without an id', spoken({ id: undefined }), '#/input/0: '],
    ['openai-responses-request', 'a stray key', spoken({ stray: 1 }), '#/input/0/stray: the key is unknown'],
    ['openai-responses-request', 'a stranger', { input: [{ type: 'narration' }] }, '#/input/0'],
    ['openai-responses-response', 'no output', { ...answered['plain'], output: undefined }, '#'],
    ['openai-chat-request', 'no role', withMessage({ content: '' }), '#/messages/1: '],
    [
      'openai-chat-request',
      'an image as the result of a tool',
      withMessage({ role: 'tool', tool_call_id: 'call_1', content: [image] }),
      '#/messages/1/content/0/image_url: the key is unknown',
    ],
    ['openai-chat-request', 'a body that is no object', [], '#: '],
    ['openai-chat-request', 'what JSON cannot say', { ...chat, seed: undefined }, '#: '],
    ['openai-6-chat-request', 'what came with 7', { ...chat, service_tier: 'fast' }, '#/service_tier: '],
    ['openai-chat-response', 'no choices', silent, '#: '],
    ['openai-chat-response', "the client's own key", { ...completion, _request_id: 'r' }, '#/_request_id: '],
    ['openai-chat-chunk', 'a whole answer', completion, '#/object: '],
    ['ollama-request', 'a choice', { ...llama, tool_choice: 'auto' }, '#/tool_choice: the key is unknown'],
    ['ollama-request', 'a setting in the wrong place', { ...llama, top_k: 1 }, '#/top_k: the key is unknown'],
    ['ollama-request', 'a wrong word', { ...llama, think: 'hard' }, '#/think: '],
    [
      'ollama-request',
      'parts',
      { ...llama, messages: [{ role: 'user', content: [] }] },
      '#/messages/0/content: ',
    ],
    ['ollama-response', 'no counters', line, '#: '],
    ['anthropic-request', 'no limit', unlimited, '#: '],
    ['anthropic-request', 'sampling', { ...request, temperature: 1 }, '#/temperature: the key is unknown'],
    [
      'anthropic-request',
      'a header',
      { ...request, workspace_id: 'w' },
      '#/workspace_id: the key is unknown',
    ],
    ['anthropic-beta-request', 'a header', { ...request, betas: [] }, '#/betas: the key is unknown'],
    ['anthropic-request', 'a block of another API', seen([image]), '#/messages/0/content/0/type: '],
    ['anthropic-request', 'no content', seen(null), '#/messages/0/content: '],
    [
      'anthropic-request',
      'an unreadable image',
      seen([{ type: 'image', source: { type: 'base64', media_type: 'image/tiff', data: '' } }]),
      '#/messages/0/content/0/source/media_type: ',
    ],
    [
      'anthropic-request',
      'arguments as text',
      seen([{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: '{}' }]),
      '#/messages/0/content/0/input: ',
    ],
    ['anthropic-request', 'a nameless tool', { ...request, tools: [{ input_schema: {} }] }, '#/tools/0: '],
    ['anthropic-response', 'an unknown stop', { ...reply, stop_reason: 'stop' }, '#/stop_reason: '],
    ['anthropic-stream-event', 'an unknown event', { type: 'message_pause' }, '#/type: '],
    ['anthropic-stream-event', 'no place', { type: 'content_block_stop' }, '#: '],
  ]
  test.each(broken)('%s: %s', (name, _what, value, complaint) => {
    expect(validator(name)(value)).toContainEqual(expect.stringMatching(`^${complaint}`))
  })
})

test('objects are closed but where the SDKs say otherwise', () => {
  type Definition = { readonly properties?: object; readonly additionalProperties?: unknown }
  type Schema = Definition & { readonly definitions: Readonly<Record<string, Definition>> }
  const open = WIRE_SCHEMAS.flatMap((name) => {
    const text = readFileSync(new URL(`${name}.json`, schemas), 'utf8')
    const { definitions, ...root } = JSON.parse(text) as Schema
    return Object.entries({ ...definitions, [name]: root }).flatMap(([key, definition]) => {
      return definition.properties && definition.additionalProperties !== false ? [key] : []
    })
  })
  expect([...new Set(open)].toSorted()).toEqual([
    'BetaFallbackParam',
    'BetaResponseToolInputSchema',
    'BetaTool.InputSchema',
    'DynamicAgentConfig',
    'OllamaParameters',
    'OllamaProperty',
    'Tool.InputSchema',
  ])
})

test('four times as many messages take about four times as long to check', () => {
  for (const [name, body] of [
    ['anthropic-request', request],
    ['openai-chat-request', chat],
  ] as const) {
    const some = body.messages
    const check = (length: number): number => {
      const messages = Array.from({ length }, (_, at) => some[at % some.length])
      const start = process.cpuUsage()
      expect(validator(name)({ ...body, messages })).toEqual([])
      return process.cpuUsage(start).user
    }
    // Alternating, and without the time of other processes, so that a busy machine does not count.
    const times = Array.from({ length: 12 }, () => [check(50), check(200)] as const)
    const median = (at: 0 | 1): number => times.map((pair) => pair[at]).toSorted((a, b) => a - b)[6] ?? 0
    expect(median(1) / median(0)).toBeLessThan(12)
  }
})

interface Recorded {
  readonly dialect: string
  readonly vendor: string
  readonly request: unknown
}

function readCorpus(): readonly Recorded[] {
  const files = readdirSync(corpus).filter((file) => /(?<!\.errors)\.jsonl$/.test(file))
  const lines = files.flatMap((file) => readFileSync(new URL(file, corpus), 'utf8').split('\n'))
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Recorded)
}

/** The most frequent complaints, each counted once a body whatever the index. */
function mostFrequent(complaints: readonly (readonly string[])[]): readonly string[] {
  const counted = new Map<string, number>()
  for (const list of complaints) {
    const distinct = new Set(list.map((text) => text.replaceAll(/\/\d+/g, '/*')))
    for (const text of distinct) counted.set(text, (counted.get(text) ?? 0) + 1)
  }
  const sorted = [...counted].toSorted(([, a], [, b]) => b - a)
  return sorted.slice(0, 5).map(([text, count]) => `  ${count} ${text.slice(0, 100)}`)
}

// Real traffic is older and odder than the types, so only the number of refusals is printed.
test.skipIf(!existsSync(corpus))('recorded requests, without a corpus skipped', () => {
  const recorded = readCorpus().filter((one) => one.request !== null)
  const anthropic = recorded.filter(({ dialect }) => dialect === 'anthropic')
  const ollama = recorded.filter(({ dialect }) => dialect === 'ollama')
  const openai = recorded.filter(({ vendor }) => vendor === 'openai')
  for (const name of WIRE_SCHEMAS.filter((each) => each.includes('request'))) {
    const api = name.includes('responses') ? 'openai-responses' : 'openai-chat'
    const ours = openai.filter(({ dialect }) => dialect === api)
    const bodies = name.startsWith('openai') ? ours : name.startsWith('ollama') ? ollama : anthropic
    const complaints = bodies.map(({ request: body }) => validator(name)(body))
    const valid = complaints.filter((list) => list.length === 0).length
    const lines = [`${name}: ${valid} of ${bodies.length} valid`, ...mostFrequent(complaints)]
    process.stdout.write(`${lines.join('\n')}\n`)
  }
})
