import type { JsonObject } from 'interlingua'
import { thought } from './shared.ts'

const usage = {
  prompt_tokens: 20,
  completion_tokens: 30,
  total_tokens: 50,
  prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0, cache_write_tokens: 3 },
  completion_tokens_details: {
    reasoning_tokens: 9,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
}
const said = (fields: JsonObject): JsonObject => ({
  role: 'assistant',
  content: null,
  refusal: null,
  annotations: [],
  ...fields,
})
const choice = (message: JsonObject, fields: JsonObject = {}): JsonObject => ({
  index: 0,
  message: said(message),
  logprobs: null,
  finish_reason: 'stop',
  ...fields,
})
const answer = (choices: readonly JsonObject[], fields: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-of-today',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-of-tomorrow',
  choices,
  usage,
  service_tier: 'default',
  system_fingerprint: 'fp_of_today',
  ...fields,
})
const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }
const token = (word: string): JsonObject => ({ token: word, logprob: -0.5, bytes: [72], top_logprobs: [] })

/** Handwritten responses, following the public documentation. */
export const responses: { readonly [name: string]: JsonObject } = {
  plain: answer([choice({ content: 'Hello to you' })]),
  calls: answer([
    choice(
      {
        content: 'Let me look',
        tool_calls: [
          call,
          { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{ "city": "Rome" }' } },
          { id: 'call_3', type: 'custom', custom: { name: 'shell', input: 'ls -la' } },
        ],
      },
      { finish_reason: 'tool_calls' },
    ),
  ]),
  measured: answer([
    choice(
      { content: 'Hello to you' },
      { logprobs: { content: [token('Hello to'), token(' you')], refusal: null } },
    ),
  ]),
  cited: answer([
    choice({
      content: 'It snows a lot in Oslo',
      annotations: [
        {
          type: 'url_citation',
          url_citation: {
            start_index: 3,
            end_index: 8,
            title: 'Snow in Oslo',
            url: 'https://example.org/snow',
          },
        },
      ],
    }),
  ]),
  refused: answer([choice({ refusal: 'I will not say' })]),
  spoken: answer([
    choice({ audio: { id: 'audio_1', data: 'BBBB', expires_at: 1_700_003_600, transcript: 'Spoken words' } }),
  ]),
  several: answer([
    choice({ content: 'The first answer' }),
    choice({ content: 'The second answer' }, { index: 1, finish_reason: 'length' }),
  ]),
  filtered: answer([choice({ content: 'Up to here' }, { finish_reason: 'content_filter' })]),
}

/** Responses of compatible hosts and old versions, and unusual responses. */
export const oddResponses: { readonly [name: string]: JsonObject } = {
  deepseek: answer([choice({ content: 'Done thinking', reasoning_content: 'Let me think' })], {
    usage: {
      prompt_tokens: 20,
      completion_tokens: 30,
      total_tokens: 50,
      prompt_cache_hit_tokens: 16,
      prompt_cache_miss_tokens: 4,
    },
  }),
  openrouter: answer(
    [
      choice(
        {
          content: 'Done again',
          reasoning: 'Step by step',
          reasoning_details: [thought],
          tool_calls: [{ ...call, index: 0 }],
        },
        { native_finish_reason: 'end_turn', finish_reason: 'stop' },
      ),
    ],
    { provider: 'Somebody' },
  ),
  legacy: answer([
    choice(
      { function_call: { name: 'weather', arguments: '{"city":"Oslo"}' } },
      { finish_reason: 'function_call' },
    ),
  ]),
  old: {
    id: 'chatcmpl-of-old',
    object: 'chat.completion',
    created: 1_600_000_000,
    model: 'gpt-of-old',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Greetings' }, finish_reason: 'eos' }],
  },
  tomorrow: answer([
    choice(
      { content: [{ type: 'hologram', beam: 'Bright light' }] },
      { finish_reason: 'daydream', mood: 'Cheerful' },
    ),
    { index: 7 },
  ]),
  'of a time that is none': answer([choice({ content: 'Late' })], { created: 1e15 }),
  nothing: answer([], { id: null, usage: null, created: '2026', error: { message: 'Sorry about that' } }),
}
