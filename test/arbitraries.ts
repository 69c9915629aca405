import fc from 'fast-check'
import type {
  AssistantMessage,
  ChatRequest,
  ChatResponse,
  Citation,
  Extra,
  Finish,
  Json,
  JsonObject,
  MediaSource,
  Message,
  Part,
  Usage,
} from 'interlingua'
import { FINISH_REASONS } from 'interlingua'
import { pooled } from './pooled-arbitrary.ts'
import { createToolArbitrary, onlyInvalid } from './tool-arbitrary.ts'

/** How many cases a law runs: 30 in the test command, 20,000 in a soak; `RUNS` sets another number. */
export const RUNS: number = Number(process.env['RUNS'] ?? (process.env['SOAK'] ? 20_000 : 30))

/** Texts with what breaks naive code: empty, unicode, lone surrogates aside, hostile keys, JSON-like. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 12, unit: 'grapheme' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '\n',
      '__proto__',
      'constructor',
      '{}',
      '{"a":1}',
      '[',
      'data:image/png;base64,AA==',
      '/a~b',
    ),
  },
)

const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 10 }),
  fc.constantFrom('__proto__', 'constructor', 'get_weather'),
)

/** JSON that survives JSON text. */
export const anyJson: fc.Arbitrary<Json> = pooled(fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>)

export const anyObject: fc.Arbitrary<JsonObject> = pooled(fc.dictionary(name, anyJson, { maxKeys: 3 }))

const extra: fc.Arbitrary<Extra> = pooled(
  fc.dictionary(fc.constantFrom('anthropic', 'openai-chat', 'unknown', '__proto__'), anyObject, {
    maxKeys: 2,
  }),
)

const tokens = fc.nat(100_000)

const stopText = anyText.map((text) => `${text}.`)
const url = anyText.map((text) => `https://example.org/${encodeURIComponent(text)}`)

/** Optional keys: present or absent, never undefined. */
function record<T extends object>(required: object, optional: object): fc.Arbitrary<T> {
  const all = { ...required, ...optional } as Record<string, fc.Arbitrary<unknown>>
  return fc.record(all, {
    requiredKeys: Object.keys(required),
    noNullPrototype: true,
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<T>
}

const base = {
  metadata: anyObject,
  extra,
  cache: record({}, { ttl: fc.constantFrom('short', 'long') }),
  signature: record({ vendor: name, value: anyText, contentDigest: anyText }, {}),
}

const citation: fc.Arbitrary<Citation> = fc.oneof(
  record<Citation>(
    { type: fc.constant('source') },
    {
      url,
      title: anyText,
      quote: anyText,
      fileId: name,
      document: fc.nat(9),
      location: record(
        { unit: fc.constantFrom('character', 'page', 'block'), start: fc.nat(9), end: fc.nat(9) },
        {},
      ),
      start: fc.nat(9),
      end: fc.nat(9),
      extra,
    },
  ),
  record<Citation>({ type: fc.constant('opaque'), dialect: name, value: anyJson }, {}),
)

const fileProvider = fc.oneof(fc.constantFrom('openai', 'anthropic', 'google'), name)

const source: fc.Arbitrary<MediaSource> = fc.oneof(
  record<MediaSource>({ kind: fc.constant('url'), url }, {}),
  record<MediaSource>(
    {
      kind: fc.constant('base64'),
      data: fc.base64String(),
      mediaType: fc.constantFrom('image/png', 'audio/wav'),
    },
    {},
  ),
  record<MediaSource>({ kind: fc.constant('id'), id: name, provider: fileProvider }, {}),
  record<MediaSource>({ kind: fc.constant('text'), text: anyText }, {}),
)

const textPart = record<Part>(
  { type: fc.constant('text'), text: anyText },
  { ...base, citations: fc.array(citation, { maxLength: 2 }) },
)
const mediaPart = record<Part>(
  { type: fc.constantFrom('image', 'audio', 'video', 'file'), source },
  {
    ...base,
    mediaType: fc.constant('image/png'),
    name: anyText,
    detail: fc.constantFrom('auto', 'low', 'high'),
    transcript: anyText,
  },
)
const opaquePart = record<Part>({ type: fc.constant('opaque'), dialect: name, value: anyJson }, base)
const jsonPart = record<Part>({ type: fc.constant('json'), value: anyJson }, base)
const reasoningPart = record<Part>(
  { type: fc.constant('reasoning'), text: anyText },
  { ...base, summary: fc.constant(true), redacted: fc.constant(true) },
)
const refusalPart = record<Part>({ type: fc.constant('refusal'), text: anyText }, base)

/** Few ids, so that calls and results meet, repeat and miss each other. */
export const callId: fc.Arbitrary<string> = fc.constantFrom('call_1', 'call_2', 'call_3', '__proto__')

const callPart = fc.oneof(
  record<Part>(
    { type: fc.constant('tool-call'), id: callId, name, arguments: anyObject },
    { ...base, rawArguments: anyText, executedBy: fc.constant('provider') },
  ),
  record<Part>(
    { type: fc.constant('tool-call'), id: callId, name, invalidArguments: onlyInvalid(anyText) },
    { ...base, executedBy: fc.constant('provider') },
  ),
)
const resultPart = record<Part>(
  {
    type: fc.constant('tool-result'),
    callId,
    content: fc.array(fc.oneof(textPart, jsonPart, mediaPart, opaquePart), { maxLength: 2 }),
  },
  { ...base, name, isError: fc.constant(true) },
)

/** Any part of any type. */
export const anyPart: fc.Arbitrary<Part> = fc.oneof(
  textPart,
  mediaPart,
  opaquePart,
  jsonPart,
  reasoningPart,
  refusalPart,
  callPart,
  resultPart,
)

/** Any usage. */
export const anyUsage: fc.Arbitrary<Usage> = record<Usage>(
  { inputTokens: tokens, outputTokens: tokens, totalTokens: tokens },
  { cachedInputTokens: tokens, cacheWriteTokens: tokens, reasoningTokens: tokens, extra },
)

const finish = record<Finish>(
  { reason: fc.constantFrom(...FINISH_REASONS) },
  { raw: anyText, stopSequence: anyText },
)
const time = fc
  .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
  .map((date) => date.toISOString())

const messageBase = { createdAt: time, parentId: name, name: anyText, metadata: anyObject, extra }
const content = (...parts: fc.Arbitrary<Part>[]): fc.Arbitrary<Part[]> =>
  fc.array(fc.oneof(...parts), { maxLength: 3 })

const messageId = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('msg_1', 'msg_2', '__proto__') },
  { weight: 4, arbitrary: fc.uuid() },
)

const answer = record<AssistantMessage>(
  {
    id: messageId,
    role: fc.constant('assistant'),
    content: content(
      textPart,
      mediaPart,
      reasoningPart,
      callPart,
      callPart,
      resultPart,
      refusalPart,
      opaquePart,
    ),
  },
  {
    ...messageBase,
    origin: record({ dialect: name }, { provider: name, model: name, responseId: anyText }),
    usage: anyUsage,
    finish,
  },
)

/** Any message of any role. */
export const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  record<Message>(
    { id: messageId, role: fc.constantFrom('system', 'developer'), content: content(textPart, opaquePart) },
    messageBase,
  ),
  record<Message>(
    { id: messageId, role: fc.constant('user'), content: content(textPart, mediaPart, opaquePart) },
    messageBase,
  ),
  answer,
  record<Message>(
    { id: messageId, role: fc.constant('tool'), content: content(resultPart, resultPart, opaquePart) },
    messageBase,
  ),
)

/** Any conversation, tidy or not. */
export const anyMessages: fc.Arbitrary<Message[]> = fc.array(anyMessage, { maxLength: 8 })

const tool = createToolArbitrary({
  name,
  text: anyText,
  object: anyObject,
  json: anyJson,
  extra,
  cache: base.cache,
})

/** Any request, its messages as an array. */
export const anyRequest: fc.Arbitrary<ChatRequest> = record<ChatRequest>(
  { messages: fc.array(anyMessage, { maxLength: 4 }) },
  {
    model: name,
    tools: fc.array(tool, { maxLength: 2 }),
    toolChoice: fc.oneof(
      fc.constantFrom('auto', 'none', 'required'),
      record({ name }, {}),
      record({ allowed: fc.array(name, { maxLength: 2 }), mode: fc.constantFrom('auto', 'required') }, {}),
    ),
    parallelToolCalls: fc.boolean(),
    output: record(
      { type: fc.constantFrom('text', 'json') },
      { schema: anyObject, name, description: anyText, strict: fc.boolean() },
    ),
    reasoning: record(
      {},
      {
        enabled: fc.boolean(),
        effort: fc.constantFrom('none', 'low', 'high', 'max'),
        budgetTokens: tokens,
        include: fc.boolean(),
        summary: fc.constantFrom('auto', 'concise', 'detailed'),
      },
    ),
    maxOutputTokens: tokens,
    temperature: fc.nat(2),
    topP: fc.double({ min: 0.1, max: 1, noNaN: true }),
    topK: tokens,
    stop: fc.array(stopText, { maxLength: 6 }),
    seed: tokens,
    presencePenalty: fc.integer({ min: -2, max: 2 }),
    frequencyPenalty: fc.integer({ min: -2, max: 2 }),
    candidateCount: fc.integer({ min: 1, max: 3 }),
    logprobs: record({}, { top: fc.nat(5) }),
    stream: fc.boolean(),
    user: anyText,
    metadata: pooled(fc.dictionary(name, anyText, { maxKeys: 2 })),
    verbosity: fc.constantFrom('low', 'medium', 'high'),
    serviceTier: name,
    store: fc.boolean(),
    promptCacheKey: anyText,
    safetyIdentifier: anyText,
    extra,
  },
)

/** Any response. */
export const anyResponse: fc.Arbitrary<ChatResponse> = record<ChatResponse>(
  { candidates: fc.array(answer, { maxLength: 2 }) },
  { id: anyText, model: name, createdAt: time, usage: anyUsage, extra },
)
