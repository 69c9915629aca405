import type { JsonObject } from 'interlingua'
import { hostedItems, thoughts } from './openai-responses-items.ts'

const usage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 9 },
  total_tokens: 50,
}
const said = (words: string, fields: JsonObject = {}): JsonObject => ({
  type: 'output_text',
  text: words,
  annotations: [],
  logprobs: [],
  ...fields,
})
const message = (content: readonly JsonObject[], fields: JsonObject = {}): JsonObject => ({
  type: 'message',
  id: 'msg_of_today',
  role: 'assistant',
  status: 'completed',
  content,
  ...fields,
})
const call = (id: string, given: string): JsonObject => ({
  type: 'function_call',
  id: `fc_of_${id}`,
  call_id: id,
  name: 'weather',
  arguments: given,
  status: 'completed',
})
const weather = { type: 'function', name: 'weather', parameters: { type: 'object' }, strict: true }
const answer = (output: readonly JsonObject[], fields: JsonObject = {}): JsonObject => ({
  id: 'resp_of_today',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: 'gpt-of-tomorrow',
  output,
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  usage,
  ...fields,
})

/** Handwritten responses, following the public documentation. */
export const responses: { readonly [name: string]: JsonObject } = {
  plain: answer([message([said('Hello to you')])]),
  calls: answer(
    [
      thoughts('rs_1', ['First this', 'then that']),
      message([said('Let me look')], { phase: 'commentary' }),
      call('call_1', '{"city":"Oslo"}'),
      call('call_2', '{ "city": "Rome" }'),
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_3', name: 'shell', input: 'ls -la' },
    ],
    {
      tools: [weather],
      tool_choice: 'required',
      instructions: 'Be brief.',
      text: { format: { type: 'text' }, verbosity: 'medium' },
      reasoning: { effort: 'high', summary: 'auto' },
      truncation: 'disabled',
      max_output_tokens: 999,
      service_tier: 'default',
      completed_at: 1_700_000_009,
      previous_response_id: 'resp_of_yesterday',
    },
  ),
  thinking: answer([
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA-of-today' },
    {
      type: 'reasoning',
      id: 'rs_2',
      summary: [
        { type: 'summary_text', text: 'In short' },
        { type: 'summary_text', text: 'and shorter' },
      ],
      content: [{ type: 'reasoning_text', text: 'At length' }],
      encrypted_content: 'gAAAA-of-tomorrow',
      status: 'completed',
    },
    message([said('So it is'), said('and so it stays')]),
  ]),
  cited: answer([
    message([
      said('It snows in Oslo', {
        annotations: [
          {
            type: 'url_citation',
            url: 'https://example.org/snow',
            title: 'Snow in Oslo',
            start_index: 3,
            end_index: 8,
          },
          { type: 'file_citation', file_id: 'file-snow', filename: 'snow.txt', index: 1 },
        ],
      }),
    ]),
  ]),
  measured: answer([
    message([
      said('Hello', {
        logprobs: [
          {
            token: 'Hello',
            logprob: -0.5,
            bytes: [72],
            top_logprobs: [{ token: 'Hi', logprob: -1.5, bytes: [72] }],
          },
        ],
      }),
    ]),
  ]),
  refused: answer([message([{ type: 'refusal', refusal: 'I would rather not' }])]),
  hosted: answer([
    ...hostedItems,
    {
      type: 'mcp_approval_request',
      id: 'mcpr_1',
      name: 'shorten',
      arguments: '{"url":"x"}',
      server_label: 'zip',
    },
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA-in-short' },
    message([said('That is all')]),
  ]),
  short: answer([message([said('Once upon a')], { status: 'incomplete' })], {
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
  }),
  filtered: answer([], { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }),
  steered: answer([], { status: 'incomplete', incomplete_details: { reason: 'steered' } }),
  failed: answer([], { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Too much of it' } }),
  cancelled: answer([], { status: 'cancelled' }),
  queued: answer([], { status: 'queued', background: true }),
}

/** Unusual responses that were observed or are possible. */
export const oddResponses: { readonly [name: string]: JsonObject } = {
  error: { error: { message: 'Not today', type: 'server_error', code: null } },
  bare: {
    id: 'resp_bare',
    object: 'response',
    model: 'm',
    output: [{ type: 'message', role: 'assistant', content: [] }],
  },
  'of half a place': answer([
    message([
      {
        type: 'output_text',
        text: 'Snow',
        annotations: [{ type: 'file_citation', file_id: 'file-snow', filename: 'snow.txt', index: 1.5 }],
        logprobs: [],
      },
    ]),
  ]),
  'of a time that is none': { ...answer([message([])]), created_at: 1e15 },
  older: answer([
    message([{ type: 'output_text', text: 'Without log probabilities', annotations: [] }]),
    { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' },
    { type: 'reasoning', summary: [], id: 'rs_1' },
  ]),
  strange: answer(
    [
      { type: 'x_search_call', id: 'fc_2', call_id: '', name: 'x_semantic', arguments: '{"limit":5}' },
      { type: 'message', id: 'msg_1', role: 'assistant', content: 'a string', status: 'completed' },
      { type: 'tool_search_output', id: 'tso_1', call_id: null, execution: 'server', tools: [weather] },
      {
        type: 'tool_search_call',
        id: 'tsc_1',
        call_id: null,
        execution: 'server',
        arguments: { paths: ['weather'] },
      },
      {
        type: 'mcp_call',
        id: 'mcp_2',
        name: 'shorten',
        arguments: '{}',
        server_label: 'zip',
        error: 'It broke',
      },
      {
        type: 'mcp_call',
        id: 'mcp_3',
        name: 'shorten',
        arguments: '{}',
        server_label: 'zip',
        error: { code: 5 },
      },
      { type: 'image_generation_call', id: 'ig_2', result: null, status: 'failed' },
      { type: 'invention', id: 'inv_1', of: 'tomorrow' },
      { type: 'message', id: 'msg_2', role: 'assistant', content: [{ type: 'whisper', text: 'hush' }] },
    ],
    { usage: null, status: 'paused', created_at: 1_700_000_000.5, system_fingerprint: 'fp_1' },
  ),
}
