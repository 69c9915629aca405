import type { JsonObject } from 'interlingua'
import { cited, found } from './shared.ts'

const usage = {
  input_tokens: 12,
  output_tokens: 34,
  cache_read_input_tokens: 5,
  cache_creation_input_tokens: 6,
  cache_creation: { ephemeral_5m_input_tokens: 6, ephemeral_1h_input_tokens: 0 },
  output_tokens_details: { thinking_tokens: 7 },
  server_tool_use: null,
  service_tier: 'standard',
  inference_geo: null,
  speed: null,
}
const direct = { type: 'direct' }
const answer = (content: readonly JsonObject[], fields: JsonObject = {}): JsonObject => ({
  id: 'msg_of_today',
  type: 'message',
  role: 'assistant',
  model: 'claude-of-tomorrow',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  stop_details: null,
  usage,
  container: null,
  diagnostics: null,
  ...fields,
})
const text = (words: string): JsonObject => ({ type: 'text', text: words, citations: null })

/** Responses written by hand after the public documentation. */
export const responses: { readonly [name: string]: JsonObject } = {
  plain: answer([text('Hello to you')]),
  calls: answer(
    [
      { type: 'thinking', thinking: 'A call is needed', signature: 'c2lnbmF0dXJl' },
      { type: 'redacted_thinking', data: 'aGlkZGVu' },
      text('Let me look'),
      { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' }, caller: direct },
      { type: 'tool_use', id: 'toolu_2', name: 'weather', input: {}, caller: direct },
    ],
    { stop_reason: 'tool_use' },
  ),
  stopped: answer([text('Up to here')], { stop_reason: 'stop_sequence', stop_sequence: 'END OF TEXT' }),
  cut: answer([text('Too long to'), text(' be said')], { stop_reason: 'max_tokens' }),
  refused: answer([], {
    stop_reason: 'refusal',
    stop_details: { type: 'refusal', category: 'cyber', explanation: 'Not allowed here' },
  }),
  searched: answer(
    [
      {
        type: 'server_tool_use',
        id: 'srvtoolu_1',
        name: 'web_search',
        input: { query: 'Oslo snow' },
        caller: direct,
      },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ ...found, page_age: null }],
        caller: direct,
      },
      {
        type: 'text',
        text: 'It snows a lot',
        citations: [
          cited,
          {
            type: 'char_location',
            cited_text: 'Snow falls',
            document_index: 0,
            document_title: 'Almanac',
            file_id: 'file_almanac',
            start_char_index: 3,
            end_char_index: 9,
          },
        ],
      },
    ],
    {
      stop_reason: 'pause_turn',
      usage: { ...usage, server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 } },
    },
  ),
}

/** Responses of older versions, other hosts and possible future versions. */
export const oddResponses: { readonly [name: string]: JsonObject } = {
  old: {
    id: 'msg_of_old',
    type: 'message',
    role: 'assistant',
    model: 'claude-of-old',
    content: [{ type: 'text', text: 'Greetings' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 4 },
  },
  tomorrow: answer(
    [
      { type: 'hologram', beam: 'Bright light' },
      { type: 'text', text: '' },
    ],
    {
      stop_reason: 'daydream',
      mood: 'Cheerful today',
    },
  ),
  nothing: answer([], { content: null, usage: null, stop_reason: null }),
}
