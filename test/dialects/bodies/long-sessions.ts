import type { DialectName, JsonObject } from 'interlingua'
import { chat, responses } from './long-openai-sessions.ts'
import { argumentsOf, fill, inputs, nameOf, names, schemaOf } from './session-steps.ts'

const ephemeral = { cache_control: { type: 'ephemeral' } }

const anthropic: JsonObject = {
  model: 'claude-opus-4-1',
  max_tokens: 32_000,
  stream: true,
  temperature: 1,
  thinking: { type: 'enabled', budget_tokens: 31_999 },
  system: [
    { type: 'text', text: 'You are a coding agent.', ...ephemeral },
    { type: 'text', text: 'The project uses npm.', ...ephemeral },
  ],
  tools: names.map((name) => ({
    name,
    description: `The tool ${name}.`,
    input_schema: schemaOf(...inputs[name]),
    ...(name === 'Edit' && ephemeral),
  })),
  messages: fill(
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: '<reminder>Be brief.</reminder>' },
          { type: 'text', text: 'Fix the test.', ...ephemeral },
        ],
      },
    ],
    (step) => [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: `Step ${step} is next.`, signature: `sig${step}==` },
          ...(step % 3 === 0 ? [{ type: 'text', text: `Step ${step}.` }] : []),
          {
            type: 'tool_use',
            id: `toolu_${step}`,
            name: nameOf(step),
            input: argumentsOf(step),
            caller: { type: 'direct' },
          },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: `toolu_${step}`,
            content: step % 2 === 0 ? `out ${step}` : [{ type: 'text', text: `out ${step}` }],
            is_error: step % 11 === 3,
          },
        ],
      },
    ],
  ),
}

const gemini: JsonObject = {
  systemInstruction: { role: 'user', parts: [{ text: 'You are a coding agent.' }] },
  toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
  generationConfig: { temperature: 1, candidateCount: 1, responseModalities: ['TEXT'] },
  safetySettings: [],
  tools: [
    {
      functionDeclarations: names.map((name) => ({
        name,
        description: `The tool ${name}.`,
        parametersJsonSchema: schemaOf(...inputs[name]),
      })),
    },
  ],
  contents: fill([{ role: 'user', parts: [{ text: 'Fix the test.' }] }], (step) => [
    {
      role: 'model',
      parts: [
        { text: `Step ${step} is next.`, thought: true },
        {
          functionCall: { id: `c${step}`, name: nameOf(step), args: argumentsOf(step) },
          thoughtSignature: `c2ln${step}`,
        },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: `c${step}`, name: nameOf(step), response: { output: `out ${step}` } } },
      ],
    },
  ]),
}

const ollama: JsonObject = {
  model: 'qwen3',
  stream: true,
  think: true,
  keep_alive: '5m',
  tools: names.map((name) => ({
    type: 'function',
    function: { name, description: `The tool ${name}.`, parameters: schemaOf(...inputs[name]) },
  })),
  messages: fill([{ role: 'user', content: 'Fix the test.' }], (step) => [
    {
      role: 'assistant',
      content: step % 3 === 0 ? `Step ${step}.` : '',
      thinking: `Step ${step} is next.`,
      tool_calls: [{ function: { index: 0, name: nameOf(step), arguments: argumentsOf(step) } }],
    },
    { role: 'tool', tool_name: nameOf(step), content: `out ${step}` },
  ]),
}

/** The id of a call, in the form that Mistral requires. */
const mistralId = (step: number): string => `call${String(step).padStart(5, '0')}`

const mistral: JsonObject = {
  model: 'devstral-latest',
  stream: true,
  safe_prompt: false,
  tools: names.map((name) => ({
    type: 'function',
    function: { name, description: `The tool ${name}.`, parameters: schemaOf(...inputs[name]) },
  })),
  messages: fill([{ role: 'user', content: 'Fix the test.' }], (step) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: `Step ${step} is next.` }], closed: true },
        ...(step % 3 === 0 ? [{ type: 'text', text: `Step ${step}.` }] : []),
      ],
      tool_calls: [
        {
          id: mistralId(step),
          type: 'function',
          function: { name: nameOf(step), arguments: JSON.stringify(argumentsOf(step)) },
          index: 0,
        },
      ],
      prefix: false,
    },
    { role: 'tool', tool_call_id: mistralId(step), name: nameOf(step), content: `out ${step}` },
  ]),
}

const interactions: JsonObject = {
  model: 'gemini-3-flash-preview',
  system_instruction: 'You are a coding agent.',
  generation_config: { temperature: 1, tool_choice: 'auto' },
  stream: true,
  store: false,
  tools: names.map((name) => ({
    type: 'function',
    name,
    description: `The tool ${name}.`,
    parameters: schemaOf(...inputs[name]),
  })),
  input: fill([{ type: 'user_input', content: [{ type: 'text', text: 'Fix the test.' }] }], (step) => [
    {
      type: 'thought',
      signature: `c2ln${step}`,
      summary: [{ type: 'text', text: `Step ${step} is next.` }],
    },
    { type: 'function_call', id: `c${step}`, name: nameOf(step), arguments: argumentsOf(step) },
    { type: 'function_result', call_id: `c${step}`, name: nameOf(step), result: `out ${step}` },
  ]),
}

const cachePoint = { cachePoint: { type: 'default' } }

const bedrock: JsonObject = {
  system: [{ text: 'You are a coding agent.' }, cachePoint],
  inferenceConfig: { maxTokens: 32_000, temperature: 1 },
  additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 31_999 } },
  toolConfig: {
    tools: names.map((name) => ({
      toolSpec: { name, description: `The tool ${name}.`, inputSchema: { json: schemaOf(...inputs[name]) } },
    })),
  },
  messages: fill([{ role: 'user', content: [{ text: 'Fix the test.' }] }], (step) => [
    {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: `Step ${step} is next.`, signature: `sig${step}==` } } },
        ...(step % 3 === 0 ? [{ text: `Step ${step}.` }] : []),
        { toolUse: { toolUseId: `tooluse_${step}`, name: nameOf(step), input: argumentsOf(step) } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          toolResult: {
            toolUseId: `tooluse_${step}`,
            content: [{ text: `out ${step}` }],
            status: step % 11 === 3 ? 'error' : 'success',
          },
        },
      ],
    },
  ]),
}

const cohere: JsonObject = {
  model: 'command-a-reasoning-08-2025',
  stream: true,
  tools: names.map((name) => ({
    type: 'function',
    function: { name, description: `The tool ${name}.`, parameters: schemaOf(...inputs[name]) },
  })),
  messages: fill([{ role: 'user', content: 'Fix the test.' }], (step) => [
    {
      role: 'assistant',
      tool_plan: `Step ${step} is next.`,
      tool_calls: [
        {
          id: `${nameOf(step)}_${step}`,
          type: 'function',
          function: { name: nameOf(step), arguments: JSON.stringify(argumentsOf(step)) },
        },
      ],
    },
    { role: 'tool', tool_call_id: `${nameOf(step)}_${step}`, content: `out ${step}` },
  ]),
}

/** Requests of long sessions of a coding agent, with the defaults, ids and labels that clients send. */
export const longSessions: { readonly [name in DialectName]: JsonObject } = {
  anthropic,
  'openai-responses': responses,
  'openai-chat': chat,
  gemini,
  ollama,
  mistral,
  'gemini-interactions': interactions,
  bedrock,
  cohere,
}
