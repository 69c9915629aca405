import type { DialectName, JsonObject } from 'interlingua'
import { cipher } from './ciphertexts.ts'

const anthropic: JsonObject = {
  id: 'msg_answer',
  type: 'message',
  role: 'assistant',
  model: 'claude-of-today',
  content: [
    { type: 'thinking', thinking: 'Claude ponders', signature: cipher('anthropic', 'anthropic', 11) },
    { type: 'redacted_thinking', data: cipher('anthropic', 'anthropic', 12) },
    { type: 'text', text: 'Claude looks', citations: null },
    { type: 'tool_use', id: 'toolu_bonn', name: 'weather', input: { city: 'Bonn' } },
    { type: 'tool_use', id: 'toolu_now', name: 'clock', input: {} },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 9 },
}

const chat: JsonObject = {
  id: 'chatcmpl-answer',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-of-today',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Chat looks',
        refusal: null,
        annotations: [],
        tool_calls: [
          {
            id: 'call_bonn',
            type: 'function',
            function: { name: 'weather', arguments: '{ "city": "Bonn" }' },
          },
          { id: 'call_now', type: 'function', function: { name: 'clock', arguments: '{}' } },
        ],
      },
      logprobs: null,
      finish_reason: 'tool_calls',
    },
  ],
}

const responses: JsonObject = {
  id: 'resp_answer',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  model: 'gpt-of-today',
  output: [
    {
      type: 'reasoning',
      id: 'rs_answer',
      summary: [{ type: 'summary_text', text: 'Responses ponders' }],
      encrypted_content: cipher('openai-responses', 'openai', 11),
    },
    {
      type: 'message',
      id: 'msg_answer',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Responses looks', annotations: [], logprobs: [] }],
    },
    {
      type: 'function_call',
      id: 'fc_bonn',
      call_id: 'call_bonn',
      name: 'weather',
      arguments: '{"city":"Bonn"}',
      status: 'completed',
    },
    {
      type: 'function_call',
      id: 'fc_now',
      call_id: 'call_now',
      name: 'clock',
      arguments: '{}',
      status: 'completed',
    },
  ],
}

const gemini: JsonObject = {
  candidates: [
    {
      content: {
        role: 'model',
        parts: [
          { text: 'Gemini ponders', thought: true },
          { text: 'Gemini looks' },
          {
            functionCall: { name: 'weather', args: { city: 'Bonn' } },
            thoughtSignature: cipher('gemini', 'google', 11),
          },
          { functionCall: { name: 'clock', args: {} } },
        ],
      },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  modelVersion: 'gemini-of-today',
  responseId: 'response-answer',
}

const ollama: JsonObject = {
  model: 'llama-of-today',
  created_at: '2026-08-07T06:08:14.732370159Z',
  message: {
    role: 'assistant',
    content: 'Ollama looks',
    thinking: 'Ollama ponders',
    tool_calls: [
      { function: { name: 'weather', arguments: { city: 'Bonn' } } },
      { function: { name: 'clock', arguments: {} } },
    ],
  },
  done: true,
  done_reason: 'stop',
}

const mistral: JsonObject = {
  id: 'answer-of-mistral',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'mistral-of-today',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: [
          {
            type: 'thinking',
            thinking: [{ type: 'text', text: 'Mistral ponders' }],
            signature: cipher('mistral', 'mistral', 11),
            closed: true,
          },
          { type: 'text', text: 'Mistral looks' },
        ],
        tool_calls: [
          { id: 'callBonn1', type: 'function', function: { name: 'weather', arguments: '{"city": "Bonn"}' } },
          { id: 'callNow01', type: 'function', function: { name: 'clock', arguments: '{}' } },
        ],
      },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
}

const interactions: JsonObject = {
  id: 'v1_answer',
  object: 'interaction',
  status: 'requires_action',
  model: 'gemini-of-today',
  steps: [
    {
      type: 'thought',
      signature: cipher('gemini-interactions', 'google_interactions', 11),
      summary: [{ type: 'text', text: 'Interactions ponders' }],
    },
    { type: 'model_output', content: [{ type: 'text', text: 'Interactions looks' }] },
    { type: 'function_call', id: 'zgg_bonn', name: 'weather', arguments: { city: 'Bonn' } },
    { type: 'function_call', id: 'zgg_clock', name: 'clock', arguments: {} },
  ],
}

const bedrock: JsonObject = {
  output: {
    message: {
      role: 'assistant',
      content: [
        {
          reasoningContent: {
            reasoningText: { text: 'Bedrock ponders', signature: cipher('bedrock', 'anthropic', 11) },
          },
        },
        { text: 'Bedrock looks' },
        { toolUse: { toolUseId: 'tooluse_bonn', name: 'weather', input: { city: 'Bonn' } } },
        { toolUse: { toolUseId: 'tooluse_clock', name: 'clock', input: {} } },
      ],
    },
  },
  stopReason: 'tool_use',
  usage: { inputTokens: 9, outputTokens: 9, totalTokens: 18 },
  metrics: { latencyMs: 9 },
}

const cohere: JsonObject = {
  id: 'answer-of-cohere',
  finish_reason: 'TOOL_CALL',
  message: {
    role: 'assistant',
    content: [{ type: 'thinking', thinking: 'Cohere ponders' }],
    tool_plan: 'Cohere looks',
    tool_calls: [
      { id: 'weather_bonn', type: 'function', function: { name: 'weather', arguments: '{"city": "Bonn"}' } },
      { id: 'clock_now', type: 'function', function: { name: 'clock', arguments: '{}' } },
    ],
  },
  usage: { tokens: { input_tokens: 9, output_tokens: 9 } },
}

/** A response of each server: reasoning, text, and two parallel calls, one of them without arguments. */
export const answers: { readonly [name in DialectName]: JsonObject } = {
  anthropic,
  'openai-chat': chat,
  'openai-responses': responses,
  gemini,
  ollama,
  mistral,
  'gemini-interactions': interactions,
  bedrock,
  cohere,
}
