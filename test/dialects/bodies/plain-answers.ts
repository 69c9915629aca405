import type { DialectName, JsonObject } from 'interlingua'
import { INPUT, JSON_INPUT, type PlainAnswers, TEXT } from './plain-answer.ts'
import { openaiChat, openaiResponses } from './plain-openai-answers.ts'

const anthropicUsage = {
  input_tokens: 18,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 64,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: 17,
  service_tier: 'standard',
  inference_geo: 'not_available',
}

const anthropicBody = (
  content: readonly JsonObject[],
  stop: string | null,
  usage: JsonObject,
): JsonObject => ({
  model: 'claude-sonnet-4-5-20250929',
  id: 'msg_01F9',
  type: 'message',
  role: 'assistant',
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage,
})

const anthropicStream = (
  block: JsonObject,
  deltas: readonly JsonObject[],
  stop: string,
): readonly JsonObject[] => [
  { type: 'message_start', message: anthropicBody([], null, { ...anthropicUsage, output_tokens: 1 }) },
  { type: 'content_block_start', index: 0, content_block: block },
  { type: 'ping' },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: stop, stop_sequence: null },
    usage: {
      input_tokens: 18,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 64,
      output_tokens: 17,
    },
  },
  { type: 'message_stop' },
]

const toolUse = { type: 'tool_use', id: 'toolu_01Xq', name: 'get_weather' }

const anthropic: PlainAnswers = {
  text: {
    whole: anthropicBody([{ type: 'text', text: TEXT }], 'end_turn', anthropicUsage),
    streamed: anthropicStream(
      { type: 'text', text: '' },
      [
        { type: 'text_delta', text: TEXT.slice(0, 5) },
        { type: 'text_delta', text: TEXT.slice(5) },
      ],
      'end_turn',
    ),
  },
  call: {
    whole: anthropicBody(
      [{ ...toolUse, input: INPUT, caller: { type: 'direct' } }],
      'tool_use',
      anthropicUsage,
    ),
    streamed: anthropicStream(
      { ...toolUse, input: {}, caller: { type: 'direct' } },
      [
        { type: 'input_json_delta', partial_json: '' },
        { type: 'input_json_delta', partial_json: JSON_INPUT },
      ],
      'tool_use',
    ),
  },
}

const geminiUsage = {
  promptTokenCount: 82,
  candidatesTokenCount: 9,
  totalTokenCount: 99,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 82 }],
  candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: 9 }],
  thoughtsTokenCount: 8,
  serviceTier: 'standard',
}

const geminiBody = (parts: readonly JsonObject[], more: JsonObject): JsonObject => ({
  candidates: [
    {
      content: { parts, role: 'model' },
      index: 0,
      ...more,
    },
  ],
  usageMetadata: geminiUsage,
  modelVersion: 'gemini-2.5-flash',
  responseId: 'b1m5aK',
})

const ended = {
  finishReason: 'STOP',
  avgLogprobs: -0.12,
  safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }],
}
const called = { finishReason: 'STOP', finishMessage: 'Model generated function call(s).' }
const functionCall = {
  functionCall: { name: 'get_weather', args: INPUT, id: 'n1d8' },
  thoughtSignature: 'EoMCCoACARFNMg9J',
}

const gemini: PlainAnswers = {
  text: {
    whole: geminiBody([{ text: TEXT, thoughtSignature: 'EoMCCoACARFNMg9J' }], ended),
    streamed: [
      geminiBody([{ text: TEXT.slice(0, 5) }], {}),
      geminiBody([{ text: TEXT.slice(5) }], {}),
      geminiBody([{ text: '' }], ended),
    ],
  },
  call: {
    whole: geminiBody([functionCall], called),
    streamed: [geminiBody([functionCall], {}), geminiBody([{ text: '' }], called)],
  },
}

const ollamaCounts = {
  total_duration: 5191566416,
  load_duration: 2154458,
  prompt_eval_count: 82,
  prompt_eval_duration: 383809000,
  eval_count: 17,
  eval_duration: 4799921000,
}

const ollamaLine = (message: JsonObject, last?: string): JsonObject => ({
  model: 'llama3.2',
  created_at: `2025-09-04T16:33:54.${last === undefined ? '1' : '9'}92758Z`,
  message: { role: 'assistant', content: '', ...message },
  ...(last === undefined ? { done: false } : { done_reason: last, done: true, ...ollamaCounts }),
})

const ollamaCall = {
  tool_calls: [{ id: 'call_q1', function: { index: 0, name: 'get_weather', arguments: INPUT } }],
}

const ollama: PlainAnswers = {
  text: {
    whole: ollamaLine({ content: TEXT }, 'stop'),
    streamed: [
      ollamaLine({ content: TEXT.slice(0, 5) }),
      ollamaLine({ content: TEXT.slice(5) }),
      ollamaLine({}, 'stop'),
    ],
  },
  call: {
    whole: ollamaLine(ollamaCall, 'stop'),
    streamed: [ollamaLine(ollamaCall), ollamaLine({}, 'stop')],
  },
}

/** Plain answers of every dialect. */
export const plainAnswers: { readonly [name in DialectName]: PlainAnswers } = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  ollama,
}
