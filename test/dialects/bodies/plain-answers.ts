import type { DialectName, JsonObject } from 'interlingua'
import { INPUT, JSON_INPUT, type PlainAnswers, TEXT } from './plain-answer.ts'
import { bedrock } from './plain-bedrock-answers.ts'
import { cohere } from './plain-cohere-answers.ts'
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

const mistralUsage = {
  prompt_tokens: 82,
  total_tokens: 99,
  completion_tokens: 17,
  prompt_tokens_details: { cached_tokens: 64 },
}

const mistralBody = (message: JsonObject, finish: string): JsonObject => ({
  id: '1bf33145cb254e06818af2c12b3b2fbd',
  created: 1757001234,
  model: 'mistral-large-latest',
  usage: mistralUsage,
  object: 'chat.completion',
  choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', ...message } }],
})

const mistralChunk = (delta: JsonObject, finish: string | null, usage?: JsonObject): JsonObject => ({
  id: '1bf33145cb254e06818af2c12b3b2fbd',
  object: 'chat.completion.chunk',
  created: 1757001234,
  model: 'mistral-large-latest',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...(usage !== undefined && { usage }),
  p: 'abcdefgh',
})

const mistralCalls = [
  {
    id: 'aX2gaLIyo',
    type: 'function',
    function: { name: 'get_weather', arguments: JSON_INPUT },
    index: 0,
  },
]

const mistral: PlainAnswers = {
  text: {
    whole: mistralBody({ tool_calls: null, content: TEXT }, 'stop'),
    streamed: [
      mistralChunk({ role: 'assistant', content: '' }, null),
      mistralChunk({ content: TEXT.slice(0, 5) }, null),
      mistralChunk({ content: TEXT.slice(5) }, 'stop', mistralUsage),
    ],
  },
  call: {
    whole: mistralBody({ tool_calls: mistralCalls, content: '' }, 'tool_calls'),
    streamed: [
      mistralChunk({ role: 'assistant', content: '' }, null),
      mistralChunk({ tool_calls: mistralCalls }, 'tool_calls', mistralUsage),
    ],
  },
}

const interaction = (fields: JsonObject): JsonObject => ({
  id: 'v1_Chd0',
  object: 'interaction',
  model: 'gemini-2.5-flash',
  ...fields,
})
const interactionUsage = {
  total_tokens: 99,
  total_input_tokens: 82,
  input_tokens_by_modality: [{ modality: 'text', tokens: 82 }],
  total_cached_tokens: 0,
  total_output_tokens: 9,
  total_tool_use_tokens: 0,
  total_thought_tokens: 8,
}
const interactionTimes = {
  created: '2026-05-13T19:57:40Z',
  updated: '2026-05-13T19:57:40Z',
  service_tier: 'standard',
}
const interactionStream = (
  status: string,
  step: JsonObject,
  deltas: readonly JsonObject[],
): readonly JsonObject[] => [
  { event_type: 'interaction.created', interaction: interaction({ status: 'in_progress' }) },
  { event_type: 'interaction.status_update', interaction_id: 'v1_Chd0', status: 'in_progress' },
  { event_type: 'step.start', index: 0, step },
  ...deltas.map((delta) => ({ event_type: 'step.delta', index: 0, delta })),
  { event_type: 'step.stop', index: 0 },
  {
    event_type: 'interaction.completed',
    interaction: interaction({ status, usage: interactionUsage, ...interactionTimes }),
  },
]
const interactionAnswer = (status: string, step: JsonObject): JsonObject =>
  interaction({ status, usage: interactionUsage, ...interactionTimes, steps: [step] })
const interactionCall = { type: 'function_call', id: 'zggxzq8r', name: 'get_weather' }

const interactions: PlainAnswers = {
  text: {
    whole: interactionAnswer('completed', { type: 'model_output', content: [{ type: 'text', text: TEXT }] }),
    streamed: interactionStream('completed', { type: 'model_output' }, [
      { type: 'text', text: TEXT.slice(0, 5) },
      { type: 'text', text: TEXT.slice(5) },
    ]),
  },
  call: {
    whole: interactionAnswer('requires_action', { ...interactionCall, arguments: INPUT }),
    streamed: interactionStream('requires_action', { ...interactionCall, arguments: {}, signature: '' }, [
      { type: 'arguments_delta', arguments: JSON_INPUT },
    ]),
  },
}

/** Plain answers of every dialect. */
export const plainAnswers: { readonly [name in DialectName]: PlainAnswers } = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  ollama,
  mistral,
  'gemini-interactions': interactions,
  bedrock,
  cohere,
}
