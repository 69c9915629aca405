import type { JsonObject } from 'interlingua'
import { JSON_INPUT, type PlainAnswers, TEXT } from './plain-answer.ts'

const chatUsage = {
  prompt_tokens: 82,
  completion_tokens: 17,
  total_tokens: 99,
  prompt_tokens_details: { cached_tokens: 64, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 8,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
}

const chatBody = (message: JsonObject, finish: string): JsonObject => ({
  id: 'chatcmpl-C7x1',
  object: 'chat.completion',
  created: 1757001234,
  model: 'gpt-4o-2024-08-06',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', refusal: null, annotations: [], ...message },
      logprobs: null,
      finish_reason: finish,
    },
  ],
  usage: chatUsage,
  service_tier: 'default',
  system_fingerprint: 'fp_cbf1785567',
})

const chatChunk = (choices: readonly JsonObject[], usage: JsonObject | null): JsonObject => ({
  id: 'chatcmpl-C7x1',
  object: 'chat.completion.chunk',
  created: 1757001234,
  model: 'gpt-4o-2024-08-06',
  service_tier: 'default',
  system_fingerprint: 'fp_cbf1785567',
  choices,
  usage,
  obfuscation: 'k2Jq8s',
})

const chatStream = (deltas: readonly JsonObject[], finish: string): readonly JsonObject[] => [
  ...deltas.map((delta) => chatChunk([{ index: 0, delta, logprobs: null, finish_reason: null }], null)),
  chatChunk([{ index: 0, delta: {}, logprobs: null, finish_reason: finish }], null),
  chatChunk([], chatUsage),
]

const chatCall = {
  id: 'call_8GzQ',
  type: 'function',
  function: { name: 'get_weather', arguments: JSON_INPUT },
}

/** Plain answers of the Chat Completions API. */
export const openaiChat: PlainAnswers = {
  text: {
    whole: chatBody({ content: TEXT }, 'stop'),
    streamed: chatStream(
      [
        { role: 'assistant', content: '', refusal: null },
        { content: TEXT.slice(0, 5) },
        { content: TEXT.slice(5) },
      ],
      'stop',
    ),
  },
  call: {
    whole: chatBody({ content: null, tool_calls: [chatCall] }, 'tool_calls'),
    streamed: chatStream(
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ index: 0, ...chatCall, function: { name: 'get_weather', arguments: '' } }],
          refusal: null,
        },
        { tool_calls: [{ index: 0, function: { arguments: JSON_INPUT } }] },
      ],
      'tool_calls',
    ),
  },
}

const responsesUsage = {
  input_tokens: 82,
  input_tokens_details: { cached_tokens: 64 },
  output_tokens: 17,
  output_tokens_details: { reasoning_tokens: 8 },
  total_tokens: 99,
}

const responsesTool = {
  type: 'function',
  description: 'The weather of a city.',
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: true,
}

const responsesBody = (status: string, output: readonly JsonObject[]): JsonObject => ({
  id: 'resp_68b9',
  object: 'response',
  created_at: 1757001234,
  status,
  background: false,
  billing: { payer: 'developer' },
  ...(status === 'completed' && { completed_at: 1757001236 }),
  error: null,
  frequency_penalty: 0,
  incomplete_details: null,
  instructions: 'Be brief.',
  max_output_tokens: 1024,
  max_tool_calls: null,
  model: 'gpt-5-2025-08-07',
  output,
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: 'medium', summary: null },
  safety_identifier: null,
  service_tier: 'default',
  store: true,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [responsesTool],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  usage: status === 'completed' ? responsesUsage : null,
  user: null,
  metadata: {},
})

const hidden = { id: 'rs_68b9', type: 'reasoning', summary: [] }

const outputText = (text: string): JsonObject => ({
  type: 'output_text',
  annotations: [],
  logprobs: [],
  text,
})

const messageItem = (status: string, content: readonly JsonObject[]): JsonObject => ({
  id: 'msg_68b9',
  type: 'message',
  status,
  content,
  phase: 'final_answer',
  role: 'assistant',
})

const callItem = (status: string, text: string): JsonObject => ({
  id: 'fc_68b9',
  type: 'function_call',
  status,
  arguments: text,
  call_id: 'call_8GzQ',
  name: 'get_weather',
})

const responsesStream = (
  output: readonly JsonObject[],
  inner: readonly JsonObject[],
): readonly JsonObject[] =>
  [
    { type: 'response.created', response: responsesBody('in_progress', []) },
    { type: 'response.in_progress', response: responsesBody('in_progress', []) },
    { type: 'response.output_item.added', output_index: 0, item: hidden },
    { type: 'response.output_item.done', output_index: 0, item: hidden },
    ...inner,
    { type: 'response.completed', response: responsesBody('completed', output) },
  ].map((event, index) => ({ ...event, sequence_number: index }))

const inMessage = { item_id: 'msg_68b9', output_index: 1, content_index: 0 }

/** Plain answers of the Responses API: hidden reasoning comes before the answer. */
export const openaiResponses: PlainAnswers = {
  text: {
    whole: responsesBody('completed', [hidden, messageItem('completed', [outputText(TEXT)])]),
    streamed: responsesStream(
      [hidden, messageItem('completed', [outputText(TEXT)])],
      [
        { type: 'response.output_item.added', output_index: 1, item: messageItem('in_progress', []) },
        { type: 'response.content_part.added', ...inMessage, part: outputText('') },
        {
          type: 'response.output_text.delta',
          ...inMessage,
          delta: TEXT,
          logprobs: [],
          obfuscation: 'a1B2c3',
        },
        { type: 'response.output_text.done', ...inMessage, text: TEXT, logprobs: [] },
        { type: 'response.content_part.done', ...inMessage, part: outputText(TEXT) },
        {
          type: 'response.output_item.done',
          output_index: 1,
          item: messageItem('completed', [outputText(TEXT)]),
        },
      ],
    ),
  },
  call: {
    whole: responsesBody('completed', [hidden, callItem('completed', JSON_INPUT)]),
    streamed: responsesStream(
      [hidden, callItem('completed', JSON_INPUT)],
      [
        { type: 'response.output_item.added', output_index: 1, item: callItem('in_progress', '') },
        {
          type: 'response.function_call_arguments.delta',
          item_id: 'fc_68b9',
          output_index: 1,
          delta: JSON_INPUT,
          obfuscation: 'Zz',
        },
        {
          type: 'response.function_call_arguments.done',
          item_id: 'fc_68b9',
          output_index: 1,
          arguments: JSON_INPUT,
        },
        { type: 'response.output_item.done', output_index: 1, item: callItem('completed', JSON_INPUT) },
      ],
    ),
  },
}
