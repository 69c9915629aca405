import type { JsonObject } from 'interlingua'

const text = (words: string, fields: JsonObject = {}): JsonObject => ({
  type: 'text',
  text: words,
  ...fields,
})
const output = (...content: readonly JsonObject[]): JsonObject => ({ type: 'model_output', content })
const usage = {
  total_tokens: 229,
  total_input_tokens: 9,
  total_cached_tokens: 0,
  total_output_tokens: 13,
  total_tool_use_tokens: 0,
  total_thought_tokens: 207,
}
const body = (fields: JsonObject): JsonObject => ({
  id: 'v1_ChdUR3NI',
  object: 'interaction',
  status: 'completed',
  model: 'gemini-of-tomorrow',
  created: '2026-05-13T19:57:40Z',
  usage,
  ...fields,
})

/** Responses written by hand after the public documentation: every kind of step. */
export const responses: { readonly [name: string]: JsonObject } = {
  plain: body({
    updated: '2026-05-13T19:57:41Z',
    service_tier: 'standard',
    steps: [{ type: 'thought', signature: 'CoEGplainThought' }, output(text('How are you?'))],
  }),
  thoughts: body({
    steps: [
      {
        type: 'thought',
        signature: 'CoEGsummarized',
        summary: [text('Weighing the answer'), text('Choosing the words')],
      },
      output(text('A short answer')),
    ],
  }),
  calls: body({
    status: 'requires_action',
    steps: [
      { type: 'thought', signature: 'CtkBcalls' },
      { type: 'function_call', id: 'zggxzq8r', name: 'weather', arguments: { city: 'Oslo' } },
      { type: 'function_call', id: 'zggxzq9s', name: 'weather', arguments: { city: 'Rome' } },
    ],
  }),
  searched: body({
    usage: {
      ...usage,
      total_tokens: 358,
      total_tool_use_tokens: 129,
      grounding_tool_count: [{ type: 'google_search', count: 1 }],
    },
    steps: [
      { type: 'thought', signature: 'CokCsearched' },
      {
        type: 'google_search_call',
        id: 'gs_1',
        arguments: { queries: ['score'] },
        search_type: 'web_search',
      },
      { type: 'google_search_result', call_id: 'gs_1', result: [{ search_suggestions: '<div></div>' }] },
      output(
        text('Größer als zuvor', {
          annotations: [
            {
              type: 'url_citation',
              url: 'https://example.com/a',
              title: 'A page',
              start_index: 0,
              end_index: 8,
            },
          ],
        }),
      ),
    ],
  }),
  ran: body({
    steps: [
      { type: 'code_execution_call', id: 'ce_1', arguments: { code: 'print(2)', language: 'python' } },
      { type: 'code_execution_result', call_id: 'ce_1', result: '2\n' },
      output(text('It is two')),
    ],
  }),
  painted: body({
    steps: [
      output(text('A dot'), { type: 'image', data: 'iVBORw0KGgoAAAANSUhEUg==', mime_type: 'image/png' }),
    ],
  }),
  cut: body({ status: 'incomplete', steps: [output(text('The image displays'))] }),
  failed: body({ status: 'failed', errors: [{ code: 'api_error', message: 'Something broke' }], steps: [] }),
  blocked: body({ status: 'failed', errors: [{ code: 'safety', message: 'Blocked' }], steps: [] }),
  cancelled: body({ status: 'cancelled', steps: [] }),
  paused: body({
    status: 'requires_continuation',
    continuation_token: 'token',
    steps: [output(text('Half'))],
  }),
}

/** Responses of unusual hosts, and of runs that have not finished. */
export const oddResponses: { readonly [name: string]: JsonObject } = {
  empty: {},
  running: {
    id: 'v1_abc',
    status: 'in_progress',
    object: 'interaction',
    agent: 'deep-research-preview-04-2026',
  },
  stateless: {
    status: 'completed',
    object: 'interaction',
    model: 'gemini-of-tomorrow',
    steps: [output(text('Hi'))],
  },
  strange: body({
    status: 'evaporated',
    created: 'yesterday',
    usage: { total_tokens: -1, total_input_tokens: 'many' },
    steps: [
      { type: 'user_input', content: [text('Included input')] },
      { type: 'thought', signature: '', summary: null },
      { type: 'model_output', content: [text('')], error: { code: 3 } },
      { type: 'model_output', content: [text('Second output'), { type: 'hologram' }] },
      { type: 'function_result', call_id: 'c1', name: 'weather', result: 'Cold' },
      { type: 'telescope_call', id: 't1', arguments: { aim: 'moon' } },
      'not a step',
    ],
  }),
  'calls of a finished run': body({
    steps: [{ type: 'function_call', id: 'c1', name: 'weather', arguments: {}, signature: '' }],
  }),
}
