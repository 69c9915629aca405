import { type FakeWire, FAKE_TEXT, sse, USAGE, openaiError } from './wire.ts'

const usage = {
  input_tokens: USAGE.inputTokens,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: USAGE.outputTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: USAGE.inputTokens + USAGE.outputTokens,
}

const item = { id: 'msg_1', type: 'message', role: 'assistant' }
const part = { type: 'output_text', text: FAKE_TEXT, annotations: [], logprobs: [] }
const doneItem = { ...item, status: 'completed', content: [part] }

/** A response with a status; `id` distinguishes several. */
export function responseOf(status: string, output: readonly unknown[], id = 'resp_1'): object {
  return {
    id,
    object: 'response',
    created_at: 1_763_000_000,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model: 'fake-1-2026',
    output,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: status === 'completed' ? usage : null,
  }
}

let sequence = 0
const event = (type: string, rest: object): string =>
  sse({ type, sequence_number: sequence++, ...rest }, type)
const inPart = { item_id: 'msg_1', output_index: 0, content_index: 0 }

export const openaiResponses: FakeWire = {
  path: () => '/responses',
  whole: responseOf('completed', [doneItem]),
  events: [
    event('response.created', { response: responseOf('in_progress', []) }),
    event('response.in_progress', { response: responseOf('in_progress', []) }),
    event('response.output_item.added', {
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    }),
    event('response.content_part.added', { ...inPart, part: { ...part, text: '' } }),
    event('response.output_text.delta', { ...inPart, delta: 'Hello ', logprobs: [] }),
    event('response.output_text.delta', { ...inPart, delta: 'there.', logprobs: [] }),
    event('response.output_text.done', { ...inPart, text: FAKE_TEXT, logprobs: [] }),
    event('response.content_part.done', { ...inPart, part }),
    event('response.output_item.done', { output_index: 0, item: doneItem }),
    event('response.completed', { response: responseOf('completed', [doneItem]) }),
  ],
  streamType: 'text/event-stream; charset=utf-8',
  isStream: ({ body }) => (body as { stream?: unknown }).stream === true,
  error: openaiError,
  overflow: [
    400,
    {
      error: {
        message: 'Your input exceeds the context window of this model.',
        type: 'invalid_request_error',
        param: 'input',
        code: 'context_length_exceeded',
      },
    },
  ],
  errorEvent: sse(
    {
      type: 'error',
      sequence_number: 99,
      code: 'server_error',
      message: 'The server had an error',
      param: null,
    },
    'error',
  ),
}
