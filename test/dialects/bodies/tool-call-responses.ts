// The same answer in the words of each dialect: a text, a call with arguments, and one without.
import type { DialectName, JsonObject } from 'interlingua'

const claude: JsonObject = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-test',
  content: [
    { type: 'thinking', thinking: 'Two cities.', signature: 'sig' },
    { type: 'text', text: 'Let me look.' },
    { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } },
    { type: 'tool_use', id: 'toolu_2', name: 'weather', input: {} },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 7, cache_read_input_tokens: 2 },
}

const chat: JsonObject = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'gpt-test',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Let me look.',
        refusal: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
          { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{}' } },
        ],
      },
      logprobs: null,
      finish_reason: 'tool_calls',
    },
  ],
  usage: {
    prompt_tokens: 12,
    completion_tokens: 7,
    total_tokens: 19,
    prompt_tokens_details: { cached_tokens: 2 },
  },
}

const google: JsonObject = {
  candidates: [
    {
      content: {
        role: 'model',
        parts: [
          { text: 'Two cities.', thought: true },
          { text: 'Let me look.' },
          { functionCall: { id: 'fc_1', name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2ln' },
          { functionCall: { id: 'fc_2', name: 'weather', args: {} } },
        ],
      },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  usageMetadata: {
    promptTokenCount: 12,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 2,
    totalTokenCount: 19,
    cachedContentTokenCount: 2,
  },
  modelVersion: 'gemini-test',
  responseId: 'r1',
}

const llama: JsonObject = {
  model: 'llama-test',
  created_at: '2026-08-07T06:08:14.732370159Z',
  message: {
    role: 'assistant',
    content: 'Let me look.',
    thinking: 'Two cities.',
    tool_calls: [
      { id: 'call_a', function: { index: 0, name: 'weather', arguments: { city: 'Oslo' } } },
      { id: 'call_b', function: { index: 1, name: 'weather', arguments: {} } },
    ],
  },
  done: true,
  done_reason: 'stop',
  total_duration: 9,
  prompt_eval_count: 12,
  eval_count: 7,
}

const called = { type: 'function_call', name: 'weather', status: 'completed' }
const gpt: JsonObject = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_760_000_000,
  model: 'gpt-test',
  status: 'completed',
  output: [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Two cities.' }] },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Let me look.', annotations: [], logprobs: [] }],
    },
    { ...called, id: 'fc_1', call_id: 'call_3', arguments: '{"city":"Oslo"}' },
    { ...called, id: 'fc_2', call_id: 'call_4', arguments: '{}' },
  ],
  usage: {
    input_tokens: 12,
    input_tokens_details: { cached_tokens: 2 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 19,
  },
}

const magistral: JsonObject = {
  id: '0a6e16070048404cbabdb8fc772f5d17',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'mistral-test',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Two cities.' }], closed: true },
          { type: 'text', text: 'Let me look.' },
        ],
        tool_calls: [
          { id: 'aB3dE5gH7', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
          { id: 'Zx9Yw8Vu7', type: 'function', function: { name: 'weather', arguments: '{}' } },
        ],
      },
      finish_reason: 'tool_calls',
    },
  ],
  usage: {
    prompt_tokens: 12,
    completion_tokens: 7,
    total_tokens: 19,
    prompt_tokens_details: { cached_tokens: 2 },
  },
}

const interaction: JsonObject = {
  id: 'v1_r1',
  object: 'interaction',
  status: 'requires_action',
  model: 'gemini-test',
  created: '2026-08-07T06:08:14Z',
  steps: [
    { type: 'thought', signature: 'c2lnbmVk', summary: [{ type: 'text', text: 'Two cities.' }] },
    { type: 'model_output', content: [{ type: 'text', text: 'Let me look.' }] },
    { type: 'function_call', id: 'zgg_1', name: 'weather', arguments: { city: 'Oslo' } },
    { type: 'function_call', id: 'zgg_2', name: 'weather', arguments: {} },
  ],
  usage: {
    total_tokens: 19,
    total_input_tokens: 12,
    total_cached_tokens: 2,
    total_output_tokens: 5,
    total_thought_tokens: 2,
  },
}

const converse: JsonObject = {
  output: {
    message: {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'Two cities.', signature: 'c2lnbmVk' } } },
        { text: 'Let me look.' },
        { toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: { city: 'Oslo' } } },
        { toolUse: { toolUseId: 'tooluse_2', name: 'weather', input: {} } },
      ],
    },
  },
  stopReason: 'tool_use',
  usage: { inputTokens: 10, outputTokens: 7, totalTokens: 19, cacheReadInputTokens: 2 },
  metrics: { latencyMs: 5 },
}

const command: JsonObject = {
  id: 'c14c80c3',
  finish_reason: 'TOOL_CALL',
  message: {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Two cities.' },
      { type: 'text', text: 'Let me look.' },
    ],
    tool_calls: [
      { id: 'weather_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
      { id: 'weather_2', type: 'function', function: { name: 'weather', arguments: '{}' } },
    ],
  },
  usage: { tokens: { input_tokens: 12, output_tokens: 7 }, cached_tokens: 2 },
}

/** What each dialect answers, and the ids of its calls. */
export const sources: { readonly [name in DialectName]: JsonObject } = {
  anthropic: claude,
  'openai-chat': chat,
  'openai-responses': gpt,
  gemini: google,
  ollama: llama,
  mistral: magistral,
  'gemini-interactions': interaction,
  bedrock: converse,
  cohere: command,
}
export const callIds: { readonly [name in DialectName]: readonly string[] } = {
  anthropic: ['toolu_1', 'toolu_2'],
  'openai-chat': ['call_1', 'call_2'],
  'openai-responses': ['call_3', 'call_4'],
  gemini: ['fc_1', 'fc_2'],
  ollama: ['call_a', 'call_b'],
  mistral: ['aB3dE5gH7', 'Zx9Yw8Vu7'],
  'gemini-interactions': ['zgg_1', 'zgg_2'],
  bedrock: ['tooluse_1', 'tooluse_2'],
  cohere: ['weather_1', 'weather_2'],
}
export const names: readonly DialectName[] = [
  'anthropic',
  'openai-chat',
  'openai-responses',
  'gemini',
  'ollama',
  'mistral',
  'gemini-interactions',
  'bedrock',
  'cohere',
]
