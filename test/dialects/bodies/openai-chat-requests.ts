import type { JsonObject } from 'interlingua'
import { extensionRequests } from './openai-chat-extensions.ts'
import { schema as parameters, text, thought } from './shared.ts'

const call = (id: string, given = '{"city":"Oslo"}'): JsonObject => {
  return { id, type: 'function', function: { name: 'weather', arguments: given } }
}
const weather = { type: 'function', function: { name: 'weather', parameters } }
const body = (fields: JsonObject): JsonObject => ({
  model: 'gpt-of-tomorrow',
  messages: [{ role: 'user', content: 'Hello there' }],
  ...fields,
})

/** Handwritten requests, following the public documentation: every kind of message, part, tool and setting. */
export const requests: { readonly [name: string]: JsonObject } = {
  plain: body({
    messages: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'system', content: [text('Be kind.'), text('Be fair.')], name: 'rules' },
      { role: 'user', content: 'Hello there', name: 'ada' },
      { role: 'assistant', content: 'How are you?', name: 'helper' },
      { role: 'system', content: 'From now on in German' },
      { role: 'user', content: [text('Fine, thanks')] },
    ],
  }),
  media: body({
    messages: [
      {
        role: 'user',
        content: [
          text('What is this?'),
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
          { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
          { type: 'input_audio', input_audio: { data: 'BBBB', format: 'wav' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBE', filename: 'report.pdf' } },
          { type: 'file', file: { file_id: 'file-report' } },
        ],
      },
    ],
  }),
  loop: body({
    messages: [
      { role: 'user', content: 'Weather in Oslo and Rome?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [call('call_1'), call('call_2', '{"city": "Rome", "deep": {"list": [1, null]}}')],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Cold and dark' },
      { role: 'tool', tool_call_id: 'call_2', content: [text('Warm'), text('and sunny')] },
      {
        role: 'assistant',
        content: 'Once more',
        tool_calls: [call('call_3', ''), call('call_4', '{"city": ')],
      },
      { role: 'tool', tool_call_id: 'call_3', content: '' },
      { role: 'tool', tool_call_id: 'call_4', content: '{"error":"No such city"}' },
      { role: 'assistant', content: [text('So be it'), text('then')] },
      { role: 'user', content: 'Run the shell' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'call_5', type: 'custom', custom: { name: 'shell', input: 'ls -la' } }],
      },
      { role: 'tool', tool_call_id: 'call_5', content: 'a.txt' },
    ],
    tools: [
      weather,
      {
        type: 'custom',
        custom: {
          name: 'shell',
          description: 'Runs a command',
          format: { type: 'grammar', grammar: { definition: 'start: WORD', syntax: 'lark' } },
        },
      },
    ],
  }),
  legacy: body({
    messages: [
      { role: 'user', content: 'Weather in Oslo?' },
      { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{"city":"Oslo"}' } },
      { role: 'function', name: 'weather', content: 'Cold and dark' },
      { role: 'user', content: 'And in Rome?' },
    ],
    functions: [{ name: 'weather', description: 'Current weather', parameters }],
    function_call: 'auto',
    max_tokens: 500,
  }),
  settings: body({
    max_completion_tokens: 700,
    temperature: 0.5,
    top_p: 0.25,
    presence_penalty: 0.125,
    frequency_penalty: -0.5,
    logit_bias: { '50256': -100 },
    seed: 11,
    n: 2,
    logprobs: true,
    top_logprobs: 3,
    stop: ['END OF TEXT', 'STOP NOW'],
    reasoning_effort: 'low',
    verbosity: 'high',
    tools: [
      {
        type: 'function',
        function: { name: 'weather', description: 'Weather now', parameters, strict: true },
      },
      { type: 'function', function: { name: 'time' } },
    ],
    tool_choice: { type: 'function', function: { name: 'weather' } },
    parallel_tool_calls: false,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'forecast', description: 'The answer', schema: parameters, strict: true },
    },
    modalities: ['text', 'audio'],
    audio: { format: 'mp3', voice: 'alloy' },
    prediction: { type: 'content', content: 'Much like before' },
    web_search_options: { search_context_size: 'low' },
    metadata: { ticket: 'number seven' },
    store: true,
    user: 'user of the day',
    safety_identifier: 'identified',
    service_tier: 'flex',
    prompt_cache_key: 'key of the cache',
    stream: true,
    stream_options: { include_usage: true },
  }),
  choices: body({
    tools: [weather],
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'weather' } }] },
    },
    response_format: { type: 'json_object' },
    stop: 'END OF TEXT',
  }),
  spoken: body({
    messages: [
      { role: 'user', content: 'Say something' },
      { role: 'assistant', content: [text('Partly'), { type: 'refusal', refusal: 'But not that' }] },
      { role: 'user', content: 'Why not?' },
      { role: 'assistant', content: null, refusal: 'I will not say' },
      { role: 'user', content: 'Then read it' },
      { role: 'assistant', content: null, audio: { id: 'audio_1' } },
      { role: 'user', content: 'Thanks a lot' },
    ],
    response_format: { type: 'text' },
    tool_choice: 'none',
    tools: [weather],
  }),
  cached: body({
    messages: [
      {
        role: 'system',
        content: [{ type: 'text', text: 'A long manual', prompt_cache_breakpoint: { mode: 'explicit' } }],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'First question', prompt_cache_breakpoint: { mode: 'explicit' } },
          {
            type: 'image_url',
            image_url: { url: 'https://example.org/b.png' },
            prompt_cache_breakpoint: { mode: 'explicit' },
          },
        ],
      },
    ],
    prompt_cache_options: { mode: 'explicit' },
    tool_choice: 'auto',
    tools: [weather],
  }),
}

const details = [
  thought,
  {
    type: 'reasoning.summary',
    summary: 'In short terms',
    format: 'openai-responses-v1',
    id: 'rs_1',
    index: 1,
  },
  { type: 'reasoning.encrypted', data: 'aGlkZGVu', format: 'openai-responses-v1', id: 'rs_2', index: 2 },
]

/** Requests of compatible hosts, legacy requests, and requests that no server accepts. */
export const oddRequests: { readonly [name: string]: JsonObject } = {
  ...extensionRequests,
  thoughts: body({
    messages: [
      { role: 'user', content: 'Think first' },
      { role: 'assistant', content: 'Done thinking', reasoning_content: 'Let me think' },
      { role: 'user', content: 'Think again' },
      { role: 'assistant', content: 'Done again', reasoning: 'Let me see' },
      { role: 'user', content: 'Once more' },
      {
        role: 'assistant',
        content: 'Done for good',
        reasoning: 'Step by stepIn short terms',
        reasoning_details: details,
      },
      { role: 'user', content: 'Thanks a lot' },
    ],
    thinking: { type: 'enabled' },
  }),
  marked: body({
    messages: [
      {
        role: 'system',
        content: [{ type: 'text', text: 'A long manual', cache_control: { type: 'ephemeral' } }],
      },
      {
        role: 'user',
        content: [{ type: 'text', text: 'A question', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      },
    ],
    provider: { order: ['first', 'second'] },
    top_k: 40,
  }),
  empty: body({
    messages: [
      { role: 'system', content: '' },
      { role: 'user', content: [{ type: 'text', text: '' }] },
      { role: 'assistant', content: '', tool_calls: [] },
      { role: 'user', content: [] },
      { role: 'assistant' },
      { role: 'tool', content: 'Without an id' },
      { role: 'user', content: 'Still here', mood: 'calm' },
    ],
    temperature: null,
    tools: [],
    stop: null,
  }),
  tomorrow: body({
    messages: [
      { role: 'narrator', content: 'Once upon a time' },
      { role: 'user', content: [{ type: 'hologram', beam: 'Bright light' }, text('Look at this')] },
      {
        role: 'assistant',
        content: 'Look here',
        tool_calls: [{ id: 'call_1', type: 'gesture', gesture: { name: 'wave', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', name: 'wave', content: 'Waved back' },
    ],
    tools: [{ type: 'gesture', gesture: { name: 'wave' } }],
    tool_choice: 'whatever',
    daydream: { depth: 12 },
  }),
}
