// Bodies written by hand after the public documentation: what the validators must let pass. That they also have
// the SDK's types shows that the schemas ask for the same.
import type * as Beta from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type * as Messages from '@anthropic-ai/sdk/resources/messages/messages'

const ephemeral: Messages.CacheControlEphemeral = { type: 'ephemeral' }
const direct: Messages.DirectCaller = { type: 'direct' }
const found: Messages.WebSearchResultBlockParam = {
  type: 'web_search_result',
  url: 'https://example.org',
  title: 'Oslo',
  encrypted_content: 'b',
}
const cited: Messages.CitationsWebSearchResultLocation = {
  type: 'web_search_result_location',
  url: 'https://example.org',
  title: null,
  cited_text: 'cold',
  encrypted_index: 'i',
}
export const request: Messages.MessageCreateParamsStreaming = {
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
        { type: 'text', text: 'Cold.', citations: [cited] },
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
    {
      name: 'weather',
      description: 'Weather',
      input_schema: { type: 'object', properties: { city: { 'x-any': 1 } }, $defs: {} },
      cache_control: ephemeral,
    },
    { type: 'custom', name: 'other', input_schema: { type: 'object' } },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
  ],
  tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  thinking: { type: 'enabled', budget_tokens: 1024 },
  metadata: { user_id: 'u' },
  stop_sequences: ['\n\nHuman:'],
  stream: true,
}

const usedLater: Messages.MessageDeltaUsage = {
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: null,
  input_tokens: 3,
  output_tokens: 2,
  output_tokens_details: null,
  server_tool_use: null,
}
const used: Messages.Usage = {
  ...usedLater,
  input_tokens: 3,
  cache_creation: null,
  inference_geo: null,
  service_tier: 'standard',
  speed: null,
}
const search: Beta.BetaServerToolUseBlock & Messages.ServerToolUseBlock = {
  type: 'server_tool_use',
  id: 's',
  name: 'web_search',
  caller: direct,
  input: { query: 'Oslo' },
}
export const reply: Messages.Message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-of-tomorrow',
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
const betaUsage: Beta.BetaUsage = { ...used, fallback_credit: null, iterations: null }
export const betaReply: Beta.BetaMessage = {
  ...reply,
  content: [search],
  context_management: null,
  stop_details: null,
  usage: betaUsage,
}
const ended: Messages.RawMessageDeltaEvent.Delta = {
  container: null,
  stop_details: null,
  stop_reason: 'end_turn',
  stop_sequence: null,
}
const delta = (value: Messages.RawContentBlockDelta): Messages.RawContentBlockDeltaEvent => {
  return { type: 'content_block_delta', index: 0, delta: value }
}
export const events: readonly Messages.RawMessageStreamEvent[] = [
  { type: 'message_start', message: { ...reply, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: null } },
  { type: 'content_block_start', index: 1, content_block: { ...search, input: {} } },
  delta({ type: 'text_delta', text: 'Co' }),
  delta({ type: 'thinking_delta', thinking: 'H' }),
  delta({ type: 'signature_delta', signature: 'c2ln' }),
  delta({ type: 'input_json_delta', partial_json: '{"ci' }),
  delta({ type: 'citations_delta', citation: cited }),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: ended, usage: usedLater },
  { type: 'message_stop' },
]
