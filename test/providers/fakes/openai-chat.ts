import type { Captured } from './server.ts'
import { type FakeWire, openaiError, FAKE_TEXT, sse, USAGE } from './wire.ts'

export const usage: { readonly [count: string]: number } = {
  prompt_tokens: USAGE.inputTokens,
  completion_tokens: USAGE.outputTokens,
  total_tokens: USAGE.inputTokens + USAGE.outputTokens,
}
const about = { id: 'chatcmpl-1', created: 1_763_000_000, model: 'fake-1-2026' }

/** A chunk of a stream with additional fields. */
export function chunk(delta: object, finish: string | null = null, beside: object = {}): string {
  const choice = { index: 0, delta, finish_reason: finish, logprobs: null }
  return sse({ ...about, object: 'chat.completion.chunk', choices: [choice], ...beside })
}

/** A chunk without choices. */
export function chunkBeside(beside: object): string {
  return sse({ ...about, object: 'chat.completion.chunk', choices: [], ...beside })
}

export const DONE: string = sse('[DONE]')

/** The chunk that most hosts send only on request. */
export const usageChunk: string = chunkBeside({ usage })

/** A whole response with additional fields in its message and beside its choices. */
export function whole(message: object = {}, beside: object = {}, finish = 'stop'): object {
  const content = { role: 'assistant', content: FAKE_TEXT, ...message }
  const choices = [{ index: 0, finish_reason: finish, logprobs: null, message: content }]
  return { ...about, object: 'chat.completion', choices, usage, ...beside }
}

/** The same events without usage, unless the request asks for it. */
export function ifAsked(events: readonly string[]): NonNullable<FakeWire['streamed']> {
  return ({ body }: Captured) => {
    const { stream_options: options } = body as { stream_options?: { include_usage?: unknown } }
    return options?.include_usage === true ? events : events.filter((event) => event !== usageChunk)
  }
}

const events = [
  chunk({ role: 'assistant', content: '', refusal: null }, null, { usage: null }),
  chunk({ content: 'Hello ' }, null, { usage: null }),
  chunk({ content: 'there.' }, null, { usage: null }),
  chunk({}, 'stop', { usage: null }),
  usageChunk,
  DONE,
]

export const openaiChat: FakeWire = {
  path: () => '/chat/completions',
  whole: whole({ refusal: null, annotations: [] }),
  events,
  streamed: ifAsked(events),
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
