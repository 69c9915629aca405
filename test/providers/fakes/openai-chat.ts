import { type FakeWire, SAID, sse, USAGE, openaiError } from './wire.ts'

const usage = {
  prompt_tokens: USAGE.inputTokens,
  completion_tokens: USAGE.outputTokens,
  total_tokens: USAGE.inputTokens + USAGE.outputTokens,
}
const about = { id: 'chatcmpl-1', created: 1_763_000_000, model: 'fake-1-2026' }

function chunk(delta: object, finish: string | null = null): string {
  return sse({
    ...about,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
    usage: null,
  })
}

export const openaiChat: FakeWire = {
  path: () => '/chat/completions',
  whole: {
    ...about,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        logprobs: null,
        message: { role: 'assistant', content: SAID, refusal: null, annotations: [] },
      },
    ],
    usage,
  },
  events: [
    chunk({ role: 'assistant', content: '', refusal: null }),
    chunk({ content: 'Hello ' }),
    chunk({ content: 'there.' }),
    chunk({}, 'stop'),
    sse({ ...about, object: 'chat.completion.chunk', choices: [], usage }),
    sse('[DONE]'),
  ],
  streamType: 'text/event-stream; charset=utf-8',
  isStream: ({ body }) => (body as { stream?: unknown }).stream === true,
  error: openaiError,
  overflow: [
    400,
    {
      error: {
        message: 'The conversation is too long for this model.',
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
  ],
  errorEvent: sse({ error: { message: 'The server had an error', type: 'server_error', code: null } }),
}
