import { type FakeWire, FAKE_TEXT, sse, USAGE } from './wire.ts'

const message = {
  id: 'msg_fake_1',
  type: 'message',
  role: 'assistant',
  model: 'fake-1-2026',
  stop_sequence: null,
}
const usage = {
  input_tokens: USAGE.inputTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: USAGE.outputTokens,
}

const event = (type: string, rest: object = {}): string => sse({ type, ...rest }, type)

const failure = (type: string, text: string): object => ({
  type: 'error',
  error: { type, message: text },
  request_id: 'req_fake_1',
})

const kinds: { readonly [status: number]: string } = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
}

export const anthropic: FakeWire = {
  path: () => '/v1/messages',
  whole: { ...message, content: [{ type: 'text', text: FAKE_TEXT }], stop_reason: 'end_turn', usage },
  events: [
    event('message_start', {
      message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    event('ping'),
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello ' } }),
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'there.' } }),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: USAGE.outputTokens },
    }),
    event('message_stop'),
  ],
  streamType: 'text/event-stream; charset=utf-8',
  isStream: ({ body }) => (body as { stream?: unknown }).stream === true,
  error: (status, text) => failure(kinds[status] ?? 'invalid_request_error', text),
  overflow: [400, failure('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum')],
  errorEvent: sse(failure('overloaded_error', 'Overloaded'), 'error'),
}
