import { ask, CLOCK, conversation, instruct, type RequestSource } from './golden-source.ts'

const hello = conversation(instruct('Be brief.'), ask('Hello.'))

const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1 },
    population: { type: ['integer', 'null'], minimum: 0 },
    tags: { type: 'array', items: { $ref: '#/$defs/tag' }, maxItems: 3 },
  },
  required: ['city', 'population'],
  additionalProperties: false,
  $defs: { tag: { type: 'string', enum: ['harbour', 'capital'] } },
}

/** Requests with every setting. */
export const settingRequests: readonly RequestSource[] = [
  {
    name: 'sampling',
    description: 'Settings of sampling and length.',
    request: {
      messages: hello,
      maxOutputTokens: 256,
      temperature: 0.3,
      topP: 0.9,
      topK: 40,
      stop: ['END', '\n\n'],
      seed: 7,
      presencePenalty: 0.5,
      frequencyPenalty: -0.5,
    },
    models: { 'openai-responses': 'gpt-4.1' },
  },
  {
    name: 'sampling-of-reasoning-models',
    description: 'Sampling settings that the reasoning models of OpenAI reject.',
    request: { messages: hello, temperature: 0.3, topP: 0.9, logprobs: { top: 2 } },
    models: { 'openai-chat': 'gpt-5' },
  },
  {
    name: 'candidates',
    description: 'Several candidates, log probabilities and a stream.',
    request: { messages: hello, candidateCount: 2, logprobs: { top: 3 }, stream: true },
  },
  {
    name: 'reasoning-effort',
    description: 'Reasoning with an effort and a summary.',
    request: {
      messages: hello,
      reasoning: { enabled: true, effort: 'high', include: true, summary: 'detailed' },
      verbosity: 'low',
    },
    models: {
      'openai-chat': 'gpt-5',
      mistral: 'magistral-medium-latest',
      cohere: 'command-a-reasoning-08-2025',
    },
  },
  {
    name: 'reasoning-budget',
    description: 'Reasoning with a budget of tokens.',
    request: { messages: hello, reasoning: { budgetTokens: 4096 }, maxOutputTokens: 16_000 },
    models: { cohere: 'command-a-reasoning-08-2025' },
  },
  {
    name: 'reasoning-off',
    description: 'Reasoning is disabled.',
    request: { messages: hello, reasoning: { enabled: false } },
    models: { 'openai-chat': 'gpt-5.2', 'openai-responses': 'gpt-5.2' },
  },
  {
    name: 'structured-output',
    description: 'Output that follows a schema strictly.',
    request: {
      messages: hello,
      output: { type: 'json', name: 'city', description: 'A city.', schema: ANSWER_SCHEMA, strict: true },
    },
  },
  {
    name: 'json-output',
    description: 'Output that is JSON of any form.',
    request: { messages: hello, output: { type: 'json' } },
  },
  {
    name: 'output-and-tools',
    description: 'A schema for the output together with tools.',
    request: {
      messages: hello,
      tools: [{ ...CLOCK, input: ANSWER_SCHEMA, strict: true }],
      output: { type: 'json', schema: CLOCK.input },
    },
  },
  {
    name: 'operation',
    description: 'Settings about users, storage and service.',
    request: {
      messages: hello,
      user: 'user-1',
      safetyIdentifier: 'hashed-user-1',
      metadata: { ticket: '42' },
      serviceTier: 'priority',
      store: true,
      promptCacheKey: 'greetings',
    },
  },
  {
    name: 'other-dialect',
    description: 'Fields that another dialect received are kept for it, and reported elsewhere.',
    request: {
      messages: hello,
      extra: { anthropic: { container: 'container_1' }, 'openai-chat': { logit_bias: { '50256': -100 } } },
    },
  },
]
