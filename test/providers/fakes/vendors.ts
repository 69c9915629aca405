import { chunk, chunkBeside, DONE, ifAsked, openaiChat, usage, usageChunk, whole } from './openai-chat.ts'
import type { Captured } from './server.ts'
import type { FakeWire } from './wire.ts'

/** The differences of a host with the Chat Completions API. */
interface Habits extends Partial<Omit<FakeWire, 'overflow' | 'events'>>, Pick<FakeWire, 'events'> {
  /** The error for a conversation that is too long, and its status if not 400. */
  readonly tooLong?: string
  readonly tooLongStatus?: number
}

function host({ tooLong, tooLongStatus: status = 400, ...habits }: Habits): FakeWire {
  const { streamed: _streamed, ...plain } = openaiChat
  const wire = { ...plain, ...habits }
  return { ...wire, ...(tooLong !== undefined && { overflow: [status, wire.error(status, tooLong)] }) }
}

/** A server that rejects invalid bodies with an error. */
function refusing(
  wrong: (body: { readonly [key: string]: unknown }) => string | undefined,
  error: (field: string) => object,
): (request: Captured) => object | undefined {
  return ({ body }) => {
    const field = wrong(body as { readonly [key: string]: unknown })
    return field === undefined ? undefined : error(field)
  }
}

const oneOf =
  (...fields: readonly string[]) =>
  (body: object): string | undefined =>
    fields.find((field) => Object.hasOwn(body, field))

/** The response in two pieces, with the host's own data before and after. */
const toStream = (before: readonly string[], ...after: readonly string[]): readonly string[] => [
  ...before,
  chunk({ content: 'Hello ' }),
  chunk({ content: 'there.' }),
  ...after,
  DONE,
]

const begun = chunk({ role: 'assistant', content: '' })

const filtered = { hate: { filtered: false, severity: 'safe' } }
const askedOfFireworks = toStream([begun], chunk({}, 'stop'), usageChunk)
const askedOfOllama = toStream(
  [begun],
  chunk({ content: '' }, 'stop', { system_fingerprint: 'fp_ollama' }),
  usageChunk,
)
const found = {
  citations: ['https://example.com/'],
  search_results: [{ title: 'Example', url: 'https://example.com/', date: null }],
}

/** Reports the usage of a stream in a field of its own without being asked; does not support some settings. */
export const groq: FakeWire = host({
  whole: whole({}, { x_groq: { id: 'req_1' }, usage: { ...usage, queue_time: 0.1 } }),
  events: toStream(
    [chunk({ role: 'assistant', content: '' }, null, { x_groq: { id: 'req_1' } })],
    chunk({}, 'stop', { x_groq: { id: 'req_1', usage } }),
  ),
  errorEvent: chunkBeside({ x_groq: { id: 'req_1', error: 'The server had an error' } }),
  tooLong: 'Please reduce the length of the messages or completion.',
})

/** Reports usage in the last chunk without being asked, and rejects unknown fields. */
export const mistral: FakeWire = host({
  whole: whole({ tool_calls: null }),
  events: toStream([begun], chunk({ content: '' }, 'stop', { usage })),
  refused: refusing(
    oneOf('stream_options', 'max_completion_tokens', 'seed', 'logprobs', 'store'),
    (field) => ({
      detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' }],
    }),
  ),
  error: (status, message) => ({ object: 'error', message, type: 'error', param: null, code: `${status}` }),
  tooLong: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
})

/** Sends comments while it waits, and reports the cost of a call. */
export const openrouter: FakeWire = host({
  whole: whole({ reasoning: null }, { provider: 'Someone', usage: { ...usage, cost: 0.001 } }),
  events: [
    ': OPENROUTER PROCESSING\n\n',
    chunk({ role: 'assistant', content: 'Hello ' }, null, { provider: 'Someone' }),
    ': OPENROUTER PROCESSING\n\n',
    chunk({ content: 'there.' }),
    chunk({ content: '' }, 'stop'),
    chunkBeside({ usage: { ...usage, cost: 0.001, is_byok: false } }),
    DONE,
  ],
  error: (status, message) => ({ error: { code: status, message, metadata: { provider_name: 'Someone' } } }),
  errorEvent: chunk({ content: '' }, 'error', {
    error: { code: 502, message: 'Provider disconnected', metadata: { provider_name: 'Someone' } },
  }),
  tooLong: "This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens.",
})

/** Returns reasoning, and counts cache hits separately. */
export const deepseek: FakeWire = host({
  whole: whole(
    { reasoning_content: 'A greeting.' },
    { usage: { ...usage, prompt_cache_hit_tokens: 1, prompt_cache_miss_tokens: 10 } },
  ),
  events: toStream(
    [
      chunk({ role: 'assistant', content: null, reasoning_content: '' }),
      chunk({ content: null, reasoning_content: 'A greeting.' }),
    ],
    chunk({ content: '' }, 'stop'),
    usageChunk,
  ),
})

/** Has its own error format, and lists its sources beside the message. */
export const xai: FakeWire = host({
  whole: whole({ refusal: null }, { citations: ['https://example.com/'] }),
  events: toStream([begun], chunk({}, 'stop'), chunkBeside({ usage, citations: ['https://example.com/'] })),
  error: (_status, message) => ({ code: 'Some requested entity failed', error: message }),
  tooLong: "This model's maximum prompt length is 131072 but the request contains 134000 tokens.",
})

/** Finishes with `eos`, repeats the prompt, and accepts stop sequences only as a list. */
export const together: FakeWire = host({
  whole: whole({ tool_calls: [] }, { prompt: [] }, 'eos'),
  events: toStream(
    [chunk({ role: 'assistant', content: '', token_id: 1 })],
    chunk({ role: 'assistant', content: '' }, 'eos', { usage }),
  ),
  refused: refusing(
    ({ stop, logprobs }) =>
      typeof stop === 'string' ? 'stop' : typeof logprobs === 'boolean' ? 'logprobs' : undefined,
    (param) => ({ error: { message: 'Invalid type', type: 'invalid_request_error', param, code: null } }),
  ),
  tooLongStatus: 422,
  tooLong: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 and 9',
})

/** Reports the usage of a stream only on request, and has its own error format. */
export const fireworks: FakeWire = host({
  events: askedOfFireworks,
  streamed: ifAsked(askedOfFireworks),
  error: (_status, message) => ({
    error: { object: 'error', type: 'invalid_request_error', code: 'invalid_request_error', message },
  }),
  tooLong: 'The prompt is too long: 140000, model maximum context length: 131071',
})

/** Reports the duration of each step, and has errors without a wrapper. */
export const cerebras: FakeWire = host({
  whole: whole({}, { time_info: { queue_time: 0.1, total_time: 0.2, created: 1_763_000_000 } }),
  events: toStream([begun], chunk({}, 'stop', { usage, time_info: { queue_time: 0.1, total_time: 0.2 } })),
  error: (_status, message) => ({ message, type: 'invalid_request_error', param: null, code: 'wrong' }),
  tooLong:
    'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
})

/**
 * Lists its sources beside the message, in a stream with the last chunk, and reports usage without being
 * asked.
 */
export const perplexity: FakeWire = host({
  whole: whole({}, { ...found, usage: { ...usage, search_context_size: 'low' } }),
  events: toStream([begun], chunk({ role: 'assistant', content: '' }, 'stop', { usage, ...found })),
  error: (status, message) => ({ error: { message, type: 'invalid_message', code: status } }),
})

/** Starts a stream with the filter results of the prompt, before there is a choice. */
export const azure: FakeWire = host({
  whole: whole(
    { refusal: null },
    { prompt_filter_results: [{ prompt_index: 0, content_filter_results: filtered }] },
  ),
  events: [
    chunkBeside({
      id: '',
      model: '',
      object: '',
      created: 0,
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: filtered }],
    }),
    ...askedOfFireworks,
  ],
  error: (status, message) => ({ error: { code: String(status), message } }),
  tooLong:
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
})

/** Ollama with the Chat Completions API: the finish reason is always `stop`, and usage is sent on request. */
export const ollamaCompatible: FakeWire = host({
  whole: whole({}, { system_fingerprint: 'fp_ollama' }),
  events: askedOfOllama,
  streamed: ifAsked(askedOfOllama),
  error: (_status, message) => ({ error: { message, type: 'api_error', param: null, code: null } }),
})

/** Separates reasoning from the text only if the request asks for it. */
export const minimax: FakeWire = host({
  whole: whole(
    {
      reasoning_details: [{ type: 'reasoning.text', id: 'reasoning-text-1', index: 0, text: 'A greeting.' }],
    },
    { base_resp: { status_code: 0, status_msg: '' } },
  ),
  events: toStream(
    [begun, chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'A greeting.' }] })],
    chunk({}, 'stop'),
    usageChunk,
  ),
  refused: refusing(
    (body) => (body['reasoning_split'] === true ? undefined : 'reasoning_split'),
    (field) => ({ error: { message: `${field} is missing`, type: 'bad_request_error' } }),
  ),
})
