import { openaiChat } from './openai-chat.ts'
import type { Captured } from './server.ts'
import { type FakeWire, SAID, sse, USAGE } from './wire.ts'

const about = { id: 'gen-1', object: 'chat.completion.chunk', created: 1_763_000_000, model: 'fake-1-2026' }
const usage = {
  prompt_tokens: USAGE.inputTokens,
  completion_tokens: USAGE.outputTokens,
  total_tokens: USAGE.inputTokens + USAGE.outputTokens,
}

function chunk(delta: object, finish: string | null = null, more: object = {}): string {
  return sse({ ...about, choices: [{ index: 0, delta, finish_reason: finish }], ...more })
}

const done = sse('[DONE]')

/** The whole answer of Chat Completions with something else in its message, and beside it. */
function whole(message: object, more: object = {}): object {
  const choice = {
    index: 0,
    finish_reason: 'stop',
    message: { role: 'assistant', content: SAID, ...message },
  }
  return { ...about, object: 'chat.completion', choices: [choice], usage, ...more }
}

/** Groq tells the usage of a stream under a name of its own, unasked. */
export const groq: FakeWire = {
  ...openaiChat,
  whole: whole({}, { x_groq: { id: 'req_1' }, usage: { ...usage, queue_time: 0.1 } }),
  events: [
    chunk({ role: 'assistant', content: '' }, null, { x_groq: { id: 'req_1' } }),
    chunk({ content: 'Hello ' }),
    chunk({ content: 'there.' }),
    chunk({}, 'stop', { x_groq: { id: 'req_1', usage } }),
    done,
  ],
}

/** Mistral tells it in the last chunk, unasked, and refuses fields that it does not know. */
export const mistral: FakeWire = {
  ...openaiChat,
  whole: whole({ tool_calls: null }),
  events: [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Hello ' }),
    chunk({ content: 'there.' }),
    chunk({ content: '' }, 'stop', { usage }),
    done,
  ],
  refused: refusing(['stream_options', 'max_completion_tokens', 'seed', 'logprobs', 'store'], (field) => ({
    detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' }],
  })),
  error: (status, message) => ({
    object: 'error',
    message,
    type: 'error',
    param: null,
    code: String(status),
  }),
}

/** OpenRouter sends comments while it waits, and tells what a call cost. */
export const openrouter: FakeWire = {
  ...openaiChat,
  whole: whole({ reasoning: null }, { provider: 'Someone', usage: { ...usage, cost: 0.001 } }),
  events: [
    ': OPENROUTER PROCESSING\n\n',
    chunk({ role: 'assistant', content: 'Hello ' }, null, { provider: 'Someone' }),
    ': OPENROUTER PROCESSING\n\n',
    chunk({ content: 'there.' }),
    chunk({ content: '' }, 'stop'),
    sse({ ...about, choices: [], usage: { ...usage, cost: 0.001, is_byok: false } }),
    done,
  ],
  error: (status, message) => ({ error: { code: status, message, metadata: { provider_name: 'Someone' } } }),
}

/** DeepSeek thinks aloud, and counts what it found in its cache apart from the rest. */
export const deepseek: FakeWire = {
  ...openaiChat,
  whole: whole(
    { reasoning_content: 'A greeting.' },
    { usage: { ...usage, prompt_cache_hit_tokens: 1, prompt_cache_miss_tokens: 10 } },
  ),
  events: [
    chunk({ role: 'assistant', content: null, reasoning_content: '' }),
    ': keep-alive\n\n',
    chunk({ content: null, reasoning_content: 'A greeting.' }),
    chunk({ content: 'Hello ' }),
    chunk({ content: 'there.' }),
    chunk({ content: '' }, 'stop'),
    sse({ ...about, choices: [], usage }),
    done,
  ],
}

/** XAI says its errors in a form of its own. */
export const xai: FakeWire = {
  ...openaiChat,
  error: (_status, message) => ({ code: 'Some requested entity failed', error: message }),
}

/** A server that answers with an error to any of these fields. */
function refusing(
  fields: readonly string[],
  error: (field: string) => object,
): (request: Captured) => object | undefined {
  return ({ body }) => {
    const found = fields.find((field) => Object.hasOwn(body as object, field))
    return found === undefined ? undefined : error(found)
  }
}
