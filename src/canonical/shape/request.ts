import { describe, isObject, ownValue } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { AssistantMessage, Message } from '../model/message.ts'
import {
  type ChatRequest,
  EFFORTS,
  type LogprobSettings,
  type OutputFormat,
  type ReasoningSettings,
} from '../model/request.ts'
import type { ChatResponse } from '../model/response.ts'
import type { FunctionTool, OpaqueTool, ProviderTool, Tool, ToolChoice } from '../model/tool.ts'
import { messageShape, messageShapes, usageShape } from './message.ts'
import { extraShape, type Fields, objectShape, optional, required, tagged } from './object.ts'
import { cacheShape } from './part.ts'
import {
  boolean,
  dictionary,
  fail,
  identifier,
  integer,
  json,
  jsonObject,
  list,
  number,
  type Shape,
  string,
  time,
  word,
} from './shape.ts'

const schemaNames = ['parameters', 'input_schema', 'inputSchema', 'input'] as const

/** A tool in canonical form. */
export const toolShape: Shape<Tool> = tagged<Tool>(
  'type',
  {
    function: objectShape<FunctionTool>('FunctionTool', {
      type: required(word('function'), 'Discriminator.'),
      name: required(identifier, 'Name by which the model calls it.'),
      description: optional(string, 'What it does, for the model.'),
      input: required(jsonObject, 'JSON Schema of the arguments.', ...schemaNames),
      strict: optional(boolean, 'Whether the arguments must follow the schema exactly.'),
      cache: optional(cacheShape, 'Asks the provider to cache everything up to here.'),
      extra: optional(extraShape, 'What one wire format adds, by slot.'),
    }),
    provider: objectShape<ProviderTool>('ProviderTool', {
      type: required(word('provider'), 'Discriminator.'),
      provider: required(identifier, 'Who runs it.'),
      name: required(identifier, "The provider's name for it."),
      options: required(jsonObject, 'Its settings.'),
      cache: optional(cacheShape, 'Asks the provider to cache everything up to here.'),
      extra: optional(extraShape, 'What one wire format adds, by slot.'),
    }),
    opaque: objectShape<OpaqueTool>('OpaqueTool', {
      type: required(word('opaque'), 'Discriminator.'),
      dialect: required(identifier, 'The wire format that it belongs to.'),
      value: required(json, 'The tool as that format writes it.'),
    }),
  },
  'invalid-value',
)

const choiceWord: Shape<'auto' | 'none' | 'required'> = word('auto', 'none', 'required')
const choiceName: Shape<{ readonly name: string }> = objectShape<{ readonly name: string }>(
  'ToolChoiceName',
  {
    name: required(identifier, 'The tool that must be called.'),
  },
)
type Allowed = Extract<ToolChoice, { readonly mode: unknown }>
const choiceAllowed: Shape<Allowed> = objectShape<Allowed>('ToolChoiceAllowed', {
  allowed: required(list(identifier), 'The tools that may be called.'),
  mode: required(word('auto', 'required'), 'Whether one of them must be.'),
})

/** A tool choice in canonical form. */
export const toolChoiceShape: Shape<ToolChoice> = {
  expects: '"auto", "none", "required", { name } or { allowed, mode }',
  read: (value, at, reading, spare) => {
    if (typeof value === 'string') return choiceWord.read(value, at, reading, spare)
    if (!isObject(value)) return fail('invalid-type', at, describe(value), toolChoiceShape.expects)
    return (ownValue(value, 'allowed') === undefined ? choiceName : choiceAllowed).read(
      value,
      at,
      reading,
      spare,
    )
  },
  schema: (define) => ({
    oneOf: [choiceWord, choiceName, choiceAllowed].map((shape) => shape.schema(define)),
  }),
}

const outputShape: Shape<OutputFormat> = objectShape<OutputFormat>('OutputFormat', {
  type: required(word('text', 'json'), 'Free text, or JSON.'),
  schema: optional(jsonObject, 'JSON Schema of the answer.'),
  name: optional(string, 'Name of the schema.'),
  strict: optional(boolean, 'Whether the answer must follow the schema exactly.'),
})

const reasoningShape: Shape<ReasoningSettings> = objectShape<ReasoningSettings>('ReasoningSettings', {
  enabled: optional(boolean, 'Whether the model thinks at all.'),
  effort: optional(word(...EFFORTS), 'How much it thinks.'),
  budgetTokens: optional(integer, 'How many tokens it may think.', 'budget_tokens'),
  include: optional(boolean, 'Whether the answer carries the readable thoughts.'),
  summary: optional(word('auto', 'concise', 'detailed'), 'How they are summed up.'),
})

const logprobShape: Shape<LogprobSettings> = objectShape<LogprobSettings>('LogprobSettings', {
  top: optional(integer, 'How many alternatives beside each token.'),
})

const anyMessage: Shape<Message> = { ...messageShape, read: (...args) => args[2].message(...args) }
const anyTool: Shape<Tool> = { ...toolShape, read: (...args) => args[2].tool(...args) }
const anyChoice: Shape<ToolChoice> = { ...toolChoiceShape, read: (...args) => args[2].toolChoice(...args) }

const candidate: Shape<AssistantMessage> = {
  ...messageShapes.assistant,
  read(value, at, reading, spare) {
    const message = reading.message(value, at, reading, spare)
    if (message.role === 'assistant') return message
    return fail('invalid-value', below(at, 'role'), `role ${message.role}`, 'role assistant')
  },
}

const requestFields: Fields<ChatRequest> = {
  model: optional(string, 'Which model.'),
  messages: required(list(anyMessage), 'The conversation.'),
  tools: optional(list(anyTool), 'What the model may call.'),
  toolChoice: optional(anyChoice, 'Which of them it may or must call.', 'tool_choice'),
  parallelToolCalls: optional(boolean, 'Whether it may call several at once.', 'parallel_tool_calls'),
  output: optional(outputShape, 'What the answer must look like.'),
  reasoning: optional(reasoningShape, 'How much the model thinks.'),
  maxOutputTokens: optional(
    integer,
    'Limit of the answer.',
    'max_output_tokens',
    'max_completion_tokens',
    'max_tokens',
  ),
  temperature: optional(number, 'Sampling temperature.'),
  topP: optional(number, 'Nucleus sampling.', 'top_p'),
  topK: optional(number, 'Sampling among the k likeliest.', 'top_k'),
  stop: optional(list(string), 'Texts that end the answer.', 'stop_sequences'),
  seed: optional(integer, 'Seed for repeatable sampling.'),
  presencePenalty: optional(number, 'Penalty for tokens seen before.', 'presence_penalty'),
  frequencyPenalty: optional(number, 'Penalty by how often a token was seen.', 'frequency_penalty'),
  candidateCount: optional(integer, 'How many answers.', 'n'),
  logprobs: optional(logprobShape, 'Asks for log probabilities.'),
  stream: optional(boolean, 'Whether the answer comes in pieces.'),
  user: optional(string, 'The end user on whose behalf it is made.'),
  metadata: optional(dictionary(string), 'Labels that the provider keeps with the request.'),
  extra: optional(extraShape, 'What one wire format adds, by slot.'),
}

/** A request in canonical form. */
export const requestShape: Shape<ChatRequest> = objectShape<ChatRequest>('ChatRequest', requestFields)

/** A response in canonical form. */
export const responseShape: Shape<ChatResponse> = objectShape<ChatResponse>('ChatResponse', {
  id: optional(string, "The host's id of the answer."),
  model: optional(string, 'The model that answered.'),
  createdAt: optional(time, 'When it was made.'),
  candidates: required(list(candidate), 'One message per candidate.'),
  usage: optional(usageShape, 'What it cost in tokens.'),
  extra: optional(extraShape, 'What one wire format adds, by slot.'),
})
