import type { Json, JsonObject } from 'interlingua'
import { type GoldenCase, misnamed, request, response, stream, strict, unusual } from './case.ts'

const text = (words: string): JsonObject => ({ type: 'text', text: words })
const call = (id: string, given: Json = '{}'): JsonObject => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: given },
})
const answer = (message: JsonObject, fields: JsonObject = {}): JsonObject => ({
  id: 'r',
  object: 'chat.completion',
  created: 1_767_225_600,
  model: 'mistral',
  choices: [
    { index: 0, message: { role: 'assistant', tool_calls: null, ...message }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  ...fields,
})
const chunk = (delta: JsonObject, fields: JsonObject = {}): JsonObject => ({
  id: 'r',
  object: 'chat.completion.chunk',
  created: 1_767_225_600,
  model: 'mistral',
  choices: [{ index: 0, delta, finish_reason: null }],
  ...fields,
})

/** Bodies of Mistral that need every hint, mark and group of residue. */
export const cases: readonly GoldenCase[] = [
  request('settings', {
    model: 'mistral-large-2512',
    messages: [],
    temperature: 2,
    reasoning_effort: 'high',
    stop: 'END',
    tools: [
      { type: 'function', function: { name: 'a name', parameters: unusual, strict: true } },
      { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } },
      { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } },
    ],
    tool_choice: { type: 'function', function: { name: 'a name' } },
    $: 1,
  }),
  request('forms of messages', {
    model: 'mistral-medium-3.5',
    messages: [
      { role: 'user', content: [] },
      { role: 'critic', content: 'Hm' },
      {
        role: 'user',
        content: [
          text(''),
          { type: 'image_url', image_url: 'data:image/svg+xml;base64,AAAA' },
          { type: 'input_audio', input_audio: 'data:audio/wav;base64,UklGRg==' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: [text('In two '), text('pieces')], own_key: 1 },
          { type: 'thinking', thinking: [text('Signed')], signature: 'c2ln' },
        ],
        tool_calls: [
          { ...call('call_1', { city: 'Oslo' }), index: 0 },
          { function: { name: 'weather', arguments: '{ }' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_1',
        content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }],
      },
      { role: 'system', content: 'After a result' },
      { role: 'user', content: [text('And now?')] },
    ],
  }),
  response('without anything', {
    model: 'mistral-of-today',
    choices: [{ message: {} }],
    own_model: 'mistral-of-today',
  }),
  response('with log probabilities', {
    ...answer({ content: 'Snow' }),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Snow', tool_calls: null },
        finish_reason: 'stop',
        logprobs: { content: [] },
      },
    ],
  }),
  response(
    'with other counts',
    answer(
      { content: 'Snow' },
      { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, num_cached_tokens: 1 } },
    ),
  ),
  response(
    'of a renamed tool',
    answer({
      content: '',
      tool_calls: [{ ...call('aB3dE5gH7'), function: { name: 'get_weather_dce3870e', arguments: '{}' } }],
    }),
    { request: misnamed },
  ),
  response('in a strict schema', answer({ content: '{"name":"Oslo","zip":null}' }), {
    request: strict,
  }),
  stream('of thinking and text', [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: [{ type: 'thinking', thinking: [text('Hm')] }] }, { p: 'abc' }),
    chunk({ content: [text('Sn')] }),
    chunk({ content: [text('ow')] }),
    chunk({}, { choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }] }),
  ]),
]
