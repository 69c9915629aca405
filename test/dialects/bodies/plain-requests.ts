import type { DialectName, JsonObject } from 'interlingua'

interface PlainRequests {
  readonly text: JsonObject
  readonly tools: JsonObject
}

const SYSTEM = 'Be brief.'
const QUESTION = 'How warm is it in Berlin?'
const INPUT = { city: 'Berlin' }
const RESULT = '18 degrees'
const DESCRIPTION = 'The weather of a city.'
const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string', description: 'The city.' } },
  required: ['city'],
}

const chatMessages = [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: QUESTION },
]
const chat = { model: 'gpt-4o', messages: chatMessages, max_completion_tokens: 512 }

const responsesInput = [{ role: 'user', content: QUESTION }]
const responses = {
  model: 'gpt-5',
  instructions: SYSTEM,
  input: responsesInput,
  max_output_tokens: 512,
  store: false,
}

const claude = {
  model: 'claude-sonnet-4-5',
  max_tokens: 512,
  system: [{ type: 'text', text: SYSTEM, cache_control: { type: 'ephemeral' } }],
}
const claudeQuestion = { role: 'user', content: [{ type: 'text', text: QUESTION }] }

const geminiQuestion = { role: 'user', parts: [{ text: QUESTION }] }
const geminiBody = {
  systemInstruction: { role: 'user', parts: [{ text: SYSTEM }] },
  generationConfig: { maxOutputTokens: 512, candidateCount: 1 },
}

const ollamaMessages = [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: QUESTION },
]
const ollamaBody = { model: 'llama3.2', stream: false, keep_alive: '5m', options: { num_predict: 512 } }

const mistralBody = { model: 'mistral-large-latest', max_tokens: 512, stream: false, safe_prompt: false }
const interactionsBody = {
  model: 'gemini-2.5-flash',
  system_instruction: SYSTEM,
  generation_config: { max_output_tokens: 512 },
}

const bedrockQuestion = { role: 'user', content: [{ text: QUESTION }] }
const bedrockBody = { system: [{ text: SYSTEM }], inferenceConfig: { maxTokens: 512 } }

const cohereBody = { model: 'command-a-03-2025', max_tokens: 512, stream: false }

/** Plain requests of every dialect, as its clients send them: a question, and a round of a tool. */
export const plainRequests: { readonly [name in DialectName]: PlainRequests } = {
  'openai-chat': {
    text: { ...chat, n: 1, stream: true, stream_options: { include_usage: true } },
    tools: {
      ...chat,
      messages: [
        ...chatMessages,
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_8GzQ',
              type: 'function',
              function: { name: 'get_weather', arguments: JSON.stringify(INPUT) },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_8GzQ', content: RESULT },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'get_weather', description: DESCRIPTION, parameters: SCHEMA, strict: false },
        },
      ],
      tool_choice: 'auto',
      parallel_tool_calls: true,
    },
  },
  'openai-responses': {
    text: responses,
    tools: {
      ...responses,
      input: [
        ...responsesInput,
        {
          type: 'function_call',
          id: 'fc_68b9',
          status: 'completed',
          call_id: 'call_8GzQ',
          name: 'get_weather',
          arguments: JSON.stringify(INPUT),
        },
        { type: 'function_call_output', call_id: 'call_8GzQ', output: RESULT },
      ],
      tools: [
        {
          type: 'function',
          name: 'get_weather',
          description: DESCRIPTION,
          parameters: SCHEMA,
          strict: false,
        },
      ],
      tool_choice: 'auto',
      parallel_tool_calls: true,
    },
  },
  anthropic: {
    text: { ...claude, messages: [claudeQuestion] },
    tools: {
      ...claude,
      messages: [
        claudeQuestion,
        {
          role: 'assistant',
          content: [
            {
              type: 'tool_use',
              id: 'toolu_01Xq',
              name: 'get_weather',
              input: INPUT,
              caller: { type: 'direct' },
            },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_01Xq', content: RESULT, is_error: false }],
        },
      ],
      tools: [{ name: 'get_weather', description: DESCRIPTION, input_schema: SCHEMA }],
      tool_choice: { type: 'auto' },
    },
  },
  gemini: {
    text: { ...geminiBody, contents: [geminiQuestion] },
    tools: {
      ...geminiBody,
      contents: [
        geminiQuestion,
        {
          role: 'model',
          parts: [
            {
              functionCall: { name: 'get_weather', args: INPUT, id: 'n1d8' },
              thoughtSignature: 'EoMCCoACARFNMg9J',
            },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'get_weather', id: 'n1d8', response: { output: RESULT } } }],
        },
      ],
      tools: [
        {
          functionDeclarations: [
            { name: 'get_weather', description: DESCRIPTION, parametersJsonSchema: SCHEMA },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    },
  },
  ollama: {
    text: { ...ollamaBody, messages: ollamaMessages },
    tools: {
      ...ollamaBody,
      messages: [
        ...ollamaMessages,
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'call_q1', function: { index: 0, name: 'get_weather', arguments: INPUT } }],
        },
        { role: 'tool', tool_name: 'get_weather', content: RESULT },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'get_weather', description: DESCRIPTION, parameters: SCHEMA },
        },
      ],
    },
  },
  mistral: {
    text: { ...mistralBody, messages: chatMessages },
    tools: {
      ...mistralBody,
      messages: [
        ...chatMessages,
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            {
              id: 'aX2gaLIyo',
              type: 'function',
              function: { name: 'get_weather', arguments: JSON.stringify(INPUT) },
              index: 0,
            },
          ],
          prefix: false,
        },
        { role: 'tool', tool_call_id: 'aX2gaLIyo', name: 'get_weather', content: RESULT },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'get_weather', description: DESCRIPTION, parameters: SCHEMA },
        },
      ],
      tool_choice: 'auto',
      parallel_tool_calls: true,
    },
  },
  'gemini-interactions': {
    text: { ...interactionsBody, input: QUESTION },
    tools: {
      ...interactionsBody,
      input: [
        { type: 'user_input', content: [{ type: 'text', text: QUESTION }] },
        { type: 'function_call', id: 'n1d8', name: 'get_weather', arguments: INPUT },
        { type: 'function_result', call_id: 'n1d8', name: 'get_weather', result: RESULT },
      ],
      tools: [{ type: 'function', name: 'get_weather', description: DESCRIPTION, parameters: SCHEMA }],
    },
  },
  bedrock: {
    text: { ...bedrockBody, messages: [bedrockQuestion] },
    tools: {
      ...bedrockBody,
      messages: [
        bedrockQuestion,
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 'tooluse_01Xq', name: 'get_weather', input: INPUT } }],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'tooluse_01Xq', content: [{ text: RESULT }], status: 'success' } },
          ],
        },
      ],
      toolConfig: {
        tools: [
          { toolSpec: { name: 'get_weather', description: DESCRIPTION, inputSchema: { json: SCHEMA } } },
        ],
        toolChoice: { auto: {} },
      },
    },
  },
  cohere: {
    text: { ...cohereBody, messages: chatMessages },
    tools: {
      ...cohereBody,
      messages: [
        ...chatMessages,
        {
          role: 'assistant',
          tool_calls: [
            {
              id: 'get_weather_dzwm',
              type: 'function',
              function: { name: 'get_weather', arguments: JSON.stringify(INPUT) },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'get_weather_dzwm', content: RESULT },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'get_weather', description: DESCRIPTION, parameters: SCHEMA },
        },
      ],
    },
  },
}
