import type { JsonObject } from 'interlingua'
import { schema as parameters, text } from './shared.ts'

const call = (id: string, given: string | JsonObject = '{"city":"Oslo"}'): JsonObject => {
  return { id, type: 'function', function: { name: 'weather', arguments: given } }
}
const weather = { type: 'function', function: { name: 'weather', parameters } }
const thinking = (words: string): JsonObject => ({ type: 'thinking', thinking: [text(words)], closed: true })
const body = (fields: JsonObject): JsonObject => ({
  model: 'mistral-of-tomorrow',
  messages: [{ role: 'user', content: 'Hello there' }],
  ...fields,
})

/** Handwritten requests, following the public documentation: every kind of message, chunk, tool and setting. */
export const requests: { readonly [name: string]: JsonObject } = {
  plain: body({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: [text('Be kind.'), text('Be fair.')] },
      { role: 'user', content: 'Hello there' },
      { role: 'assistant', content: 'How are you?' },
      { role: 'user', content: [text('Fine, thanks')] },
      { role: 'system', content: 'From now on in German' },
      { role: 'user', content: 'Well?' },
    ],
  }),
  media: body({
    messages: [
      {
        role: 'user',
        content: [
          text('What is this?'),
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
          { type: 'image_url', image_url: 'https://example.org/a.png' },
          { type: 'image_url', image_url: { url: 'https://example.org/b.png' } },
          { type: 'input_audio', input_audio: 'UklGRgAAAABXQVZFAAAAAA==' },
          { type: 'input_audio', input_audio: 'https://example.org/a.mp3' },
          {
            type: 'document_url',
            document_url: 'https://example.org/report.pdf',
            document_name: 'report.pdf',
          },
          { type: 'document_url', document_url: 'data:application/pdf;base64,JVBE' },
          { type: 'file', file_id: '5c2fbf76-5f0c-4bc8-8a2c-6a3f9a3a1c11' },
        ],
      },
    ],
  }),
  loop: body({
    messages: [
      { role: 'user', content: 'Weather in Oslo and Rome?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [call('aB3dE5gH7'), call('Zx9Yw8Vu7', '{"city": "Rome", "deep": {"list": [1, null]}}')],
      },
      { role: 'tool', tool_call_id: 'aB3dE5gH7', name: 'weather', content: 'Cold and dark' },
      { role: 'tool', tool_call_id: 'Zx9Yw8Vu7', content: [text('Warm'), text('and sunny')] },
      { role: 'assistant', content: 'Once more', tool_calls: [call('callnum03', { city: 'Bonn' })] },
      { role: 'tool', tool_call_id: 'callnum03', content: '{"error":"No such city"}' },
      { role: 'assistant', content: [text('So be it'), text('then')] },
      { role: 'user', content: 'Thanks' },
    ],
    tools: [weather],
    tool_choice: 'any',
    parallel_tool_calls: false,
  }),
  thoughts: body({
    model: 'mistral-medium-3.5',
    messages: [
      { role: 'user', content: 'What is 2 + 2?' },
      { role: 'assistant', content: [thinking('An easy sum'), text('It is 4')] },
      { role: 'user', content: 'And 3 + 3?' },
      {
        role: 'assistant',
        content: [
          { ...thinking('Another sum'), signature: 'c2lnbmVkIGJ5IE1pc3RyYWw=' },
          text('It is 6'),
          { type: 'reference', reference_ids: [0, 2] },
          text('as you know'),
        ],
      },
      { role: 'user', content: 'Right' },
    ],
    reasoning_effort: 'high',
  }),
  prefixed: body({
    messages: [
      { role: 'user', content: 'Write a poem' },
      { role: 'assistant', content: 'Roses are', prefix: true },
    ],
  }),
  settings: body({
    max_tokens: 100,
    temperature: 0.5,
    top_p: 0.9,
    random_seed: 7,
    presence_penalty: 0.1,
    frequency_penalty: 0.2,
    n: 2,
    stop: ['END', 'STOP', 'FIN', 'ENDE', 'FINE'],
    stream: true,
    metadata: { project: 'weather' },
    prompt_cache_key: 'cache of today',
    service_tier: 'standard_only',
    safe_prompt: true,
    prompt_mode: 'reasoning',
    prediction: { type: 'content', content: 'An expected answer' },
    guardrails: [{ block_on_error: true, moderation_llm_v2: { action: 'block' } }],
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'city', description: 'A city', schema: parameters, strict: false },
    },
  }),
  json: body({ response_format: { type: 'json_object' }, stop: 'END' }),
  hosted: body({
    tools: [
      { type: 'web_search' },
      { type: 'code_interpreter' },
      { type: 'document_library', library_ids: ['a library'] },
      {
        type: 'function',
        function: { name: 'now', description: 'The time', parameters: { type: 'object', properties: {} } },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'now' } },
  }),
}

/** Requests in older, rare and invalid forms. */
export const oddRequests: { readonly [name: string]: JsonObject } = {
  nulls: body({ temperature: null, max_tokens: null, tools: null, random_seed: null, stop: null, n: null }),
  contents: body({
    messages: [
      { role: 'user', content: null },
      { role: 'assistant', content: [], tool_calls: null },
      { role: 'user', content: [] },
      { role: 'assistant', tool_calls: [] },
      { role: 'user', content: [text('')] },
      { role: 'assistant', content: null, prefix: false },
      { role: 'user', content: '' },
    ],
  }),
  unknownMessages: body({
    messages: [
      { role: 'system', content: 'Be kind.' },
      null,
      { role: 'user', content: 'Hi' },
      { content: 'An answer without a role', prefix: true },
      { role: 'user', content: 'Well?' },
    ],
  }),
  turns: body({
    messages: [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: '', tool_calls: [{ ...call('aB3dE5gH7'), index: 0 }], prefix: false },
      { role: 'tool', tool_call_id: 'aB3dE5gH7', content: 'Cold' },
      { role: 'user', content: 'A message right after the result' },
      { role: 'assistant', content: 'Indeed', prefix: true },
      { role: 'system', content: 'Instructions after an answer' },
      { role: 'assistant', content: 'An answer without its mark' },
    ],
  }),
  ids: body({
    messages: [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [call('call_of_another_host'), { function: { name: 'weather', arguments: '{' } }],
      },
      { role: 'tool', tool_call_id: 'call_of_another_host', content: 'Cold' },
      { role: 'tool', name: 'weather', content: 'A result without an id' },
      { role: 'tool', tool_call_id: 'nobodyHas', content: null },
    ],
  }),
  chunks: body({
    messages: [
      { role: 'system', content: [text('Think'), { type: 'thinking', thinking: [text('like this')] }] },
      {
        role: 'user',
        content: [
          { type: 'reference', reference_ids: ['a'] },
          { type: 'input_audio', input_audio: 'data:audio/wav;base64,UklGRgAAAABXQVZF' },
          { type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'ultra' } },
          { type: 'image_url', image_url: 'data:image/svg+xml;base64,PHN2Zy8+' },
          { type: 'hologram', hologram: 'unknown' },
          'a bare string',
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reference', reference_ids: [1] },
          { type: 'thinking', thinking: [text('In two '), text('pieces')] },
          { type: 'thinking', thinking: [] },
          { type: 'thinking', thinking: [text('With a source'), { type: 'reference', reference_ids: [3] }] },
          { type: 'image_url', image_url: 'https://example.org/made.png' },
          text('Done'),
        ],
      },
      { role: 'user', content: 'Go on' },
    ],
  }),
  results: body({
    messages: [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: '', tool_calls: [call('aB3dE5gH7')] },
      {
        role: 'tool',
        tool_call_id: 'aB3dE5gH7',
        content: [text('A picture'), { type: 'image_url', image_url: 'https://example.org/a.png' }],
      },
    ],
  }),
  limits: body({ temperature: 2, random_seed: -1, tool_choice: 'required', service_tier: 'priority' }),
  tools: body({
    tools: [
      weather,
      weather,
      { function: { name: 'a name with spaces', parameters } },
      { type: 'connector' },
      'none',
    ],
    tool_choice: 'required',
  }),
  unknown: body({
    messages: [{ role: 'critic', content: 'Hm' }, 'no message'],
    response_format: { type: 'xml' },
  }),
}
