// Bodies written by hand after the public documentation of both APIs: what the validators must let pass.

export type Body = Readonly<Record<string, unknown>>

const parameters = {
  type: 'object',
  properties: { city: { type: 'string', 'x-any': 1 } },
  required: ['city'],
}
const called = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }
const custom = { id: 'call_2', type: 'custom', custom: { name: 'shell', input: 'ls' } }
const ephemeral = { type: 'ephemeral' }
const direct = { type: 'direct' }

export const chat: Body = {
  model: 'a-model-of-tomorrow',
  messages: [
    { role: 'developer', content: 'Be brief.' },
    { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
    {
      role: 'user',
      name: 'ada',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
        { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'a.pdf' } },
        { type: 'file', file: { file_id: 'file-1' } },
      ],
    },
    { role: 'assistant', content: null, tool_calls: [called, custom] },
    { role: 'tool', tool_call_id: 'call_1', content: '{"celsius":4}' },
    { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'a.txt' }] },
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }], audio: { id: 'audio_1' } },
  ],
  tools: [
    { type: 'function', function: { name: 'weather', description: 'Weather', parameters, strict: true } },
    { type: 'custom', custom: { name: 'shell', format: { type: 'text' } } },
  ],
  tool_choice: { type: 'function', function: { name: 'weather' } },
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: parameters, strict: true } },
  stream: true,
  stream_options: { include_usage: true },
  stop: ['\n\n'],
  logit_bias: { '50256': -100 },
  metadata: { ticket: '7' },
  reasoning_effort: 'low',
  temperature: 0.2,
}

const counts = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const spoken = { role: 'assistant', content: 'Hi', refusal: null, annotations: [] }
const answer = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-5' }
export const completion: Body = {
  ...answer,
  choices: [
    { index: 0, finish_reason: 'stop', logprobs: null, message: spoken },
    { index: 1, finish_reason: 'tool_calls', logprobs: null, message: { ...spoken, tool_calls: [called] } },
  ],
  usage: { ...counts, prompt_tokens_details: { cached_tokens: 1, audio_tokens: 0 } },
  service_tier: 'default',
  system_fingerprint: 'fp_1',
}
const piece = { index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }
export const chunk: Body = {
  ...answer,
  object: 'chat.completion.chunk',
  choices: [
    { index: 0, delta: { role: 'assistant', tool_calls: [piece] }, logprobs: null, finish_reason: null },
  ],
  usage: null,
}
export const lastChunk: Body = { ...chunk, choices: [], usage: counts }

const found = { type: 'web_search_result', url: 'https://example.org', title: 'Oslo', encrypted_content: 'b' }
const cited = {
  type: 'web_search_result_location',
  url: 'https://example.org',
  title: null,
  cited_text: 'cold',
}
export const request: Body = {
  model: 'claude-of-tomorrow',
  max_tokens: 2048,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { ...ephemeral, ttl: '1h' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
        {
          type: 'image',
          source: { type: 'url', url: 'https://example.org/a.png' },
          cache_control: ephemeral,
        },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' },
          title: 'A',
          citations: { enabled: true },
        },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Text' } },
        { type: 'text', text: 'What is this?' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'eA==' },
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'Oslo' } },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [found] },
        { type: 'text', text: 'Cold.', citations: [{ ...cited, encrypted_index: 'i' }] },
        { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo', deep: { any: [null] } } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          is_error: true,
          content: [{ type: 'text', text: 'No' }],
        },
      ],
    },
    { role: 'assistant', content: 'So be it.' },
  ],
  tools: [
    { name: 'weather', description: 'Weather', input_schema: parameters, cache_control: ephemeral },
    { type: 'custom', name: 'other', input_schema: { type: 'object' } },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
  ],
  tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  thinking: { type: 'enabled', budget_tokens: 1024 },
  metadata: { user_id: 'u' },
  stop_sequences: ['\n\nHuman:'],
  stream: true,
}

const cacheCounts = { cache_creation_input_tokens: 0, cache_read_input_tokens: null }
const usedLater = {
  ...cacheCounts,
  input_tokens: 3,
  output_tokens: 2,
  output_tokens_details: null,
  server_tool_use: null,
}
const used = {
  ...usedLater,
  cache_creation: null,
  inference_geo: null,
  service_tier: 'standard',
  speed: null,
}
const search = {
  type: 'server_tool_use',
  id: 's',
  name: 'web_search',
  caller: direct,
  input: { query: 'Oslo' },
}
export const reply: Body = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-4-8',
  content: [
    { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
    search,
    { type: 'text', text: 'Cold.', citations: null },
    { type: 'tool_use', id: 'toolu_1', name: 'weather', caller: direct, input: {} },
  ],
  container: null,
  diagnostics: null,
  stop_details: null,
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: used,
}
const betaUsage = { ...used, fallback_credit: null, iterations: null }
export const betaReply: Body = { ...reply, context_management: null, usage: betaUsage }
const ended = { container: null, stop_details: null, stop_reason: 'end_turn', stop_sequence: null }
const delta = (value: Body): Body => ({ type: 'content_block_delta', index: 0, delta: value })
export const events: readonly Body[] = [
  { type: 'message_start', message: { ...reply, content: [], stop_reason: null } },
  { type: 'ping' },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: null } },
  { type: 'content_block_start', index: 1, content_block: { ...search, input: {} } },
  delta({ type: 'text_delta', text: 'Co' }),
  delta({ type: 'thinking_delta', thinking: 'H' }),
  delta({ type: 'signature_delta', signature: 'c2ln' }),
  delta({ type: 'input_json_delta', partial_json: '{"ci' }),
  delta({ type: 'citations_delta', citation: { ...cited, encrypted_index: 'i' } }),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: ended, usage: usedLater },
  { type: 'message_stop' },
  { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
]
