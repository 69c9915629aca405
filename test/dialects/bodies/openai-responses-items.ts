import type { JsonObject } from 'interlingua'

/** Creates a reasoning item with summaries. */
export const thoughts = (id: string, summaries: readonly string[]): JsonObject => ({
  type: 'reasoning',
  id,
  summary: summaries.map((text) => ({ type: 'summary_text', text })),
})

/** Calls of tools that the provider ran, with their results if the item contains one. */
export const hostedItems: readonly JsonObject[] = [
  {
    type: 'web_search_call',
    id: 'ws_1',
    status: 'completed',
    action: {
      type: 'search',
      query: 'snow in Oslo',
      sources: [{ type: 'url', url: 'https://example.org/snow' }],
    },
  },
  {
    type: 'file_search_call',
    id: 'fs_1',
    status: 'completed',
    queries: ['snow', 'ice'],
    results: [{ file_id: 'file-snow', filename: 'snow.txt', score: 0.5, text: 'It snows', attributes: null }],
  },
  {
    type: 'code_interpreter_call',
    id: 'ci_1',
    status: 'completed',
    code: 'print(40 + 2)',
    container_id: 'cntr_1',
    outputs: [{ type: 'logs', logs: 'forty-two' }],
  },
  {
    type: 'image_generation_call',
    id: 'ig_1',
    status: 'completed',
    result: 'iVBORw0KGgo=',
    revised_prompt: 'A cat in the snow',
    output_format: 'webp',
    quality: 'low',
  },
  {
    type: 'mcp_list_tools',
    id: 'mcpl_1',
    server_label: 'zip',
    tools: [{ name: 'shorten', input_schema: { type: 'object' }, description: 'Makes it short' }],
  },
  {
    type: 'mcp_call',
    id: 'mcp_1',
    status: 'completed',
    name: 'shorten',
    arguments: '{"url":"https://example.org/long"}',
    server_label: 'zip',
    output: 'A short one',
    error: null,
    approval_request_id: null,
  },
  {
    type: 'shell_call',
    id: 'sh_0',
    call_id: 'call_h',
    status: 'completed',
    action: { commands: ['echo hello'], max_output_length: null, timeout_ms: null },
    environment: { type: 'container_reference', container_id: 'cntr_2' },
  },
  {
    type: 'shell_call_output',
    id: 'sho_0',
    call_id: 'call_h',
    status: 'completed',
    max_output_length: null,
    output: [{ stdout: 'hello from there', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
  },
  { type: 'program', id: 'cm_1', call_id: 'call_p', code: 'await tools.weather()', fingerprint: 'fp_1' },
  { type: 'program_output', id: 'cmo_1', call_id: 'call_p', result: 'It ran well', status: 'completed' },
]

/** Creates an input text part. */
export const input = (words: string): JsonObject => ({ type: 'input_text', text: words })
/** Creates an output text part. */
export const said = (words: string, fields: JsonObject = {}): JsonObject => ({
  type: 'output_text',
  text: words,
  annotations: [],
  ...fields,
})
/** Creates a message item of the assistant. */
export const message = (id: string, content: readonly JsonObject[], fields: JsonObject = {}): JsonObject => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  content,
  ...fields,
})
/** Creates a function call item. */
export const call = (id: string, given = '{"city":"Oslo"}', fields: JsonObject = {}): JsonObject => {
  return { type: 'function_call', call_id: id, name: 'weather', arguments: given, ...fields }
}
/** Creates the output item of a function call. */
export const output = (id: string, given: string | readonly JsonObject[]): JsonObject => {
  return { type: 'function_call_output', call_id: id, output: given }
}
/** Creates a user message item. */
export const asked: JsonObject = { role: 'user', content: 'Hello there' }
/** Creates a request. */
export const body = (fields: JsonObject): JsonObject => ({
  model: 'gpt-of-tomorrow',
  input: [asked],
  ...fields,
})
