import type { DialectName, JsonObject } from 'interlingua'

/** The number of messages or items of a session. */
const LENGTH = 446

/** A schema as tool libraries write it. */
function schemaOf(...names: readonly string[]): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
    additionalProperties: false,
  }
}

const names = ['Bash', 'Read', 'Edit'] as const
const inputs = { Bash: ['command'], Read: ['file_path'], Edit: ['file_path', 'old_string'] } as const
const ephemeral = { cache_control: { type: 'ephemeral' } }
const nameOf = (step: number): (typeof names)[number] => names[step % names.length] ?? 'Bash'
const argumentsOf = (step: number): JsonObject =>
  Object.fromEntries(inputs[nameOf(step)].map((key) => [key, `${key} ${step}`]))

/** Returns the first messages, and the messages of as many steps as the session needs. */
function fill(
  first: readonly JsonObject[],
  step: (index: number) => readonly JsonObject[],
): readonly JsonObject[] {
  const messages = [...first]
  for (let index = 0; messages.length < LENGTH; index++) messages.push(...step(index))
  return messages
}

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

const responses: JsonObject = {
  model: 'gpt-5-codex',
  instructions: 'You are a coding agent.',
  stream: true,
  store: false,
  background: false,
  truncation: 'disabled',
  service_tier: 'auto',
  temperature: 1,
  top_p: 1,
  top_logprobs: 0,
  metadata: {},
  parallel_tool_calls: true,
  tool_choice: 'auto',
  text: { format: { type: 'text' }, verbosity: 'medium' },
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'session',
  reasoning: { effort: 'medium', summary: 'auto' },
  tools: names.map((name) => ({
    type: 'function',
    name,
    description: `The tool ${name}.`,
    strict: false,
    parameters: schemaOf(...inputs[name]),
  })),
  input: fill(
    [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix the test.' }] }],
    (step) => [
      {
        type: 'reasoning',
        id: `rs_${step}`,
        summary: [{ type: 'summary_text', text: `Step ${step} is next.` }],
        encrypted_content: `gAAA${step}`,
      },
      {
        type: 'message',
        id: `msg_${step}`,
        role: 'assistant',
        status: 'completed',
        phase: 'final_answer',
        content: [{ type: 'output_text', text: `Step ${step}.`, annotations: [], logprobs: [] }],
      },
      {
        type: 'function_call',
        id: `fc_${step}`,
        status: 'completed',
        call_id: `call_${step}`,
        name: nameOf(step),
        arguments: JSON.stringify(argumentsOf(step)),
      },
      {
        type: 'function_call_output',
        id: `fco_${step}`,
        status: 'completed',
        call_id: `call_${step}`,
        output: `out ${step}`,
      },
    ],
  ),
}

const chat: JsonObject = {
  model: 'gpt-4.1',
  stream: true,
  stream_options: { include_usage: true },
  store: false,
  service_tier: 'auto',
  n: 1,
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  logprobs: false,
  logit_bias: {},
  modalities: ['text'],
  verbosity: 'medium',
  response_format: { type: 'text' },
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: names.map((name) => ({
    type: 'function',
    function: {
      name,
      description: `The tool ${name}.`,
      strict: false,
      parameters: schemaOf(...inputs[name]),
    },
  })),
  messages: fill([{ role: 'user', content: 'Fix the test.' }], (step) => [
    {
      role: 'assistant',
      content: step % 3 === 0 ? `Step ${step}.` : null,
      refusal: null,
      annotations: [],
      audio: null,
      function_call: null,
      tool_calls: [
        {
          id: `call_${step}`,
          index: 0,
          type: 'function',
          function: { name: nameOf(step), arguments: JSON.stringify(argumentsOf(step)) },
        },
      ],
    },
    { role: 'tool', tool_call_id: `call_${step}`, name: nameOf(step), content: `out ${step}` },
  ]),
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

/** Requests of long sessions of a coding agent, with the defaults, ids and labels that clients send. */
export const longSessions: { readonly [name in DialectName]: JsonObject } = {
  anthropic,
  'openai-responses': responses,
  'openai-chat': chat,
  gemini,
  ollama,
}
