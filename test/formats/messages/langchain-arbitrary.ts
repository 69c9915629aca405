import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyJson, anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from './ui-message-arbitrary.ts'

const url = fc.constantFrom('https://example.org/a.png', 'data:image/png;base64,AAAA')
const data = fc.base64String()
const mime = fc.constantFrom('image/png', 'audio/wav', 'application/pdf')

const textBlock = objectOf(
  { type: fc.constant('text'), text: anyText },
  {
    cache_control: fc.constantFrom({ type: 'ephemeral' }, { type: 'ephemeral', ttl: '1h' }),
    annotations: fc.array(
      fc.oneof(
        objectOf(
          { type: fc.constant('citation') },
          { url, title: anyText, citedText: anyText, startIndex: fc.nat(9) },
        ),
        objectOf({ type: fc.constant('citation'), cited_text: anyText, start_index: fc.nat(9) }),
        objectOf({ type: fc.constant('url_citation'), url }),
      ),
      { maxLength: 2 },
    ),
    id: anyText,
  },
)

/** Media blocks of version 0, of version 1 in both languages, and of providers. */
const mediaBlock = fc.oneof(
  objectOf(
    { type: fc.constantFrom('image', 'audio', 'file'), source_type: fc.constant('url'), url },
    { mime_type: mime },
  ),
  objectOf(
    { type: fc.constantFrom('image', 'file'), source_type: fc.constant('base64'), data, mime_type: mime },
    { metadata: anyObject },
  ),
  objectOf({ type: fc.constant('file'), source_type: fc.constant('text'), text: anyText }),
  objectOf({
    type: fc.constantFrom('image', 'file'),
    source_type: fc.constant('id'),
    id: fc.constant('file-1'),
  }),
  objectOf({ type: fc.constantFrom('image', 'video'), data, mimeType: mime }, { metadata: anyObject }),
  objectOf({ type: fc.constantFrom('image', 'video'), base64: data, mime_type: mime }, { extras: anyObject }),
  objectOf({ type: fc.constantFrom('image', 'file'), url }, { mime_type: mime }),
  objectOf({ type: fc.constant('text-plain'), text: anyText }, { title: anyText }),
  objectOf({
    type: fc.constant('image_url'),
    image_url: fc.oneof(url, objectOf({ url }, { detail: fc.constantFrom('low', 'auto') })),
  }),
  objectOf({
    type: fc.constant('input_audio'),
    input_audio: objectOf({ data, format: fc.constantFrom('wav', 'mp3', 'opus') }),
  }),
  objectOf({ type: fc.constant('file'), file: objectOf({ file_data: url }, { filename: anyText }) }),
  objectOf({
    type: fc.constant('image'),
    source: objectOf({ type: fc.constant('base64'), media_type: mime, data }),
  }),
  objectOf({ type: fc.constant('non_standard'), value: anyObject }),
)

const answerBlock = fc.oneof(
  textBlock,
  mediaBlock,
  objectOf({ type: fc.constant('thinking'), thinking: anyText, signature: anyText }),
  objectOf({ type: fc.constant('redacted_thinking'), data: anyText }),
  objectOf({ type: fc.constant('reasoning'), reasoning: anyText }, { extras: anyObject }),
  objectOf({
    type: fc.constant('tool_use'),
    id: callId,
    name: fc.constant('weather'),
    input: fc.oneof(anyObject, anyText),
  }),
  objectOf({ type: fc.constant('tool_call'), id: callId, name: fc.constant('weather'), args: anyObject }),
  objectOf({
    type: fc.constant('server_tool_call'),
    id: callId,
    name: fc.constant('search'),
    args: anyObject,
  }),
  objectOf({
    type: fc.constant('server_tool_call_result'),
    toolCallId: callId,
    status: fc.constant('success'),
    output: anyJson,
  }),
  objectOf({
    type: fc.constant('server_tool_result'),
    tool_call_id: callId,
    status: fc.constant('error'),
    output: anyJson,
  }),
)

const content = (block: fc.Arbitrary<JsonObject>): fc.Arbitrary<unknown> =>
  fc.oneof(
    anyText,
    fc.array(fc.oneof({ weight: 9, arbitrary: block }, { weight: 1, arbitrary: anyText }), { maxLength: 3 }),
  )

const call = objectOf(
  { name: fc.constantFrom('weather', '__proto__'), args: anyObject, id: callId },
  { type: fc.constant('tool_call') },
)
const invalidCall = objectOf(
  { args: fc.oneof(anyText, fc.constant(null)), id: fc.oneof(callId, fc.constant(null)) },
  { name: fc.constantFrom('weather', null), error: anyText, type: fc.constant('invalid_tool_call') },
)
const openaiCall = objectOf({
  id: callId,
  type: fc.constant('function'),
  function: objectOf({ name: fc.constant('weather'), arguments: anyText }),
})

const base = {
  additional_kwargs: fc.oneof(fc.constant({}), anyObject),
  response_metadata: fc.oneof(fc.constant({}), anyObject),
  name: anyText,
  id: fc.oneof(fc.uuid(), fc.constantFrom('m1', null)),
}

const answerFields = {
  ...base,
  additional_kwargs: objectOf(
    {},
    {
      tool_calls: fc.array(openaiCall, { maxLength: 2 }),
      function_call: objectOf({ name: fc.constant('weather'), arguments: anyText }),
      reasoning_content: anyText,
      refusal: fc.oneof(anyText, fc.constant(null)),
      __gemini_function_call_thought_signatures__: fc.dictionary(callId, anyText, { maxKeys: 2 }),
    },
  ),
  response_metadata: objectOf(
    {},
    { finish_reason: fc.constantFrom('stop', 'end_turn', 'x'), model_name: anyText },
  ),
  tool_calls: fc.array(call, { maxLength: 2 }),
  invalid_tool_calls: fc.array(invalidCall, { maxLength: 2 }),
  usage_metadata: objectOf(
    { input_tokens: fc.nat(99), output_tokens: fc.nat(99), total_tokens: fc.nat(99) },
    { input_token_details: objectOf({}, { cache_read: fc.nat(9), audio: fc.nat(9) }) },
  ),
}

type Fields = readonly [type: string, name: string, data: fc.Arbitrary<JsonObject>]

const kinds: readonly Fields[] = [
  ['human', 'HumanMessage', objectOf({ content: content(fc.oneof(textBlock, mediaBlock)) }, base)],
  ['system', 'SystemMessage', objectOf({ content: content(textBlock) }, base)],
  [
    'system',
    'SystemMessage',
    objectOf({
      content: content(textBlock),
      additional_kwargs: fc.constant({ __openai_role__: 'developer' }),
    }),
  ],
  ['ai', 'AIMessage', objectOf({ content: content(answerBlock) }, answerFields)],
  ['ai', 'AIMessageChunk', objectOf({ content: content(answerBlock) }, answerFields)],
  [
    'tool',
    'ToolMessage',
    objectOf(
      { content: content(fc.oneof(textBlock, mediaBlock)), tool_call_id: callId },
      { ...base, status: fc.constantFrom('success', 'error'), artifact: anyJson },
    ),
  ],
  ['function', 'FunctionMessage', objectOf({ content: anyText, name: fc.constant('weather') })],
]

/** The serialized forms of JavaScript and Python. */
const serialize = ([type, name, fields]: Fields): fc.Arbitrary<JsonObject> =>
  fields.chain((data) =>
    fc.constantFrom<JsonObject>(
      { type, data },
      { type, data: { ...data, type, example: false } },
      { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', name], kwargs: data },
      {
        lc: 1,
        type: 'constructor',
        id: ['langchain', 'schema', 'messages', name],
        kwargs: { ...data, type },
      },
      { ...data, type: name.endsWith('Chunk') ? name : type },
    ),
  )

/** Messages of LangChain, and the command to remove one. */
export const anyLangChainMessages: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.oneof(...kinds.map(serialize), fc.constant({ type: 'remove', data: { id: 'm1', content: '' } })),
  { minLength: 1, maxLength: 5 },
)
