import { describeType, isObject, getOwnValue } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
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
import { extraShape, type Fields, objectShape, optionalField, requiredField, unionShape } from './object.ts'
import { cacheShape } from './part.ts'
import {
  booleanShape,
  recordShape,
  throwInvalid,
  identifierShape,
  integerShape,
  jsonShape,
  jsonObjectShape,
  listShape,
  numberShape,
  type Shape,
  stringShape,
  timestampShape,
  enumShape,
} from './shape.ts'

const SCHEMA_ALIASES = ['parameters', 'input_schema', 'inputSchema', 'input'] as const

/** A tool in canonical form. */
export const toolShape: Shape<Tool> = unionShape<Tool>(
  'type',
  {
    function: objectShape<FunctionTool>('FunctionTool', {
      type: requiredField(enumShape('function'), 'Discriminator.'),
      name: requiredField(identifierShape, 'Name by which the model calls it.'),
      description: optionalField(stringShape, 'What it does, for the model.'),
      input: requiredField(jsonObjectShape, 'JSON Schema of the arguments.', ...SCHEMA_ALIASES),
      strict: optionalField(booleanShape, 'Whether the arguments must follow the schema exactly.'),
      cache: optionalField(cacheShape, 'Asks the provider to cache everything up to here.'),
      extra: optionalField(extraShape, 'What one wire format adds, by slot.'),
    }),
    provider: objectShape<ProviderTool>('ProviderTool', {
      type: requiredField(enumShape('provider'), 'Discriminator.'),
      provider: requiredField(identifierShape, 'Who runs it.'),
      name: requiredField(identifierShape, "The provider's name for it."),
      options: requiredField(jsonObjectShape, 'Its settings.'),
      cache: optionalField(cacheShape, 'Asks the provider to cache everything up to here.'),
      extra: optionalField(extraShape, 'What one wire format adds, by slot.'),
    }),
    opaque: objectShape<OpaqueTool>('OpaqueTool', {
      type: requiredField(enumShape('opaque'), 'Discriminator.'),
      dialect: requiredField(identifierShape, 'The wire format that it belongs to.'),
      value: requiredField(jsonShape, 'The tool as that format writes it.'),
    }),
  },
  'invalid-value',
)

const choiceModeShape: Shape<'auto' | 'none' | 'required'> = enumShape('auto', 'none', 'required')
const namedChoiceShape: Shape<{ readonly name: string }> = objectShape<{ readonly name: string }>(
  'ToolChoiceName',
  {
    name: requiredField(identifierShape, 'The tool that must be called.'),
  },
)
type AllowedChoice = Extract<ToolChoice, { readonly mode: unknown }>
const allowedChoiceShape: Shape<AllowedChoice> = objectShape<AllowedChoice>('ToolChoiceAllowed', {
  allowed: requiredField(listShape(identifierShape), 'The tools that may be called.'),
  mode: requiredField(enumShape('auto', 'required'), 'Whether one of them must be.'),
})

/** A tool choice in canonical form. */
export const toolChoiceShape: Shape<ToolChoice> = {
  expects: '"auto", "none", "required", { name } or { allowed, mode }',
  read: (value, path, reading, spare) => {
    if (typeof value === 'string') return choiceModeShape.read(value, path, reading, spare)
    if (!isObject(value))
      return throwInvalid('invalid-type', path, describeType(value), toolChoiceShape.expects)
    return (getOwnValue(value, 'allowed') === undefined ? namedChoiceShape : allowedChoiceShape).read(
      value,
      path,
      reading,
      spare,
    )
  },
  schema: (define) => ({
    oneOf: [choiceModeShape, namedChoiceShape, allowedChoiceShape].map((shape) => shape.schema(define)),
  }),
}

const outputShape: Shape<OutputFormat> = objectShape<OutputFormat>('OutputFormat', {
  type: requiredField(enumShape('text', 'json'), 'Free text, or JSON.'),
  schema: optionalField(jsonObjectShape, 'JSON Schema of the answer.'),
  name: optionalField(stringShape, 'Name of the schema.'),
  strict: optionalField(booleanShape, 'Whether the answer must follow the schema exactly.'),
})

const reasoningShape: Shape<ReasoningSettings> = objectShape<ReasoningSettings>('ReasoningSettings', {
  enabled: optionalField(booleanShape, 'Whether the model thinks at all.'),
  effort: optionalField(enumShape(...EFFORTS), 'How much it thinks.'),
  budgetTokens: optionalField(integerShape, 'How many tokens it may think.', 'budget_tokens'),
  include: optionalField(booleanShape, 'Whether the answer carries the readable thoughts.'),
  summary: optionalField(enumShape('auto', 'concise', 'detailed'), 'How they are summed up.'),
})

const logprobShape: Shape<LogprobSettings> = objectShape<LogprobSettings>('LogprobSettings', {
  top: optionalField(integerShape, 'How many alternatives beside each token.'),
})

const contextMessageShape: Shape<Message> = { ...messageShape, read: (...args) => args[2].message(...args) }
const contextToolShape: Shape<Tool> = { ...toolShape, read: (...args) => args[2].tool(...args) }
const contextToolChoiceShape: Shape<ToolChoice> = {
  ...toolChoiceShape,
  read: (...args) => args[2].toolChoice(...args),
}

const candidateShape: Shape<AssistantMessage> = {
  ...messageShapes.assistant,
  read(value, path, reading, spare) {
    const message = reading.message(value, path, reading, spare)
    if (message.role === 'assistant') return message
    return throwInvalid('invalid-value', child(path, 'role'), `role ${message.role}`, 'role assistant')
  },
}

const requestFields: Fields<ChatRequest> = {
  model: optionalField(stringShape, 'Which model.'),
  messages: requiredField(listShape(contextMessageShape), 'The conversation.'),
  tools: optionalField(listShape(contextToolShape), 'What the model may call.'),
  toolChoice: optionalField(contextToolChoiceShape, 'Which of them it may or must call.', 'tool_choice'),
  parallelToolCalls: optionalField(
    booleanShape,
    'Whether it may call several at once.',
    'parallel_tool_calls',
  ),
  output: optionalField(outputShape, 'What the answer must look like.'),
  reasoning: optionalField(reasoningShape, 'How much the model thinks.'),
  maxOutputTokens: optionalField(
    integerShape,
    'Limit of the answer.',
    'max_output_tokens',
    'max_completion_tokens',
    'max_tokens',
  ),
  temperature: optionalField(numberShape, 'Sampling temperature.'),
  topP: optionalField(numberShape, 'Nucleus sampling.', 'top_p'),
  topK: optionalField(numberShape, 'Sampling among the k likeliest.', 'top_k'),
  stop: optionalField(listShape(stringShape), 'Texts that end the answer.', 'stop_sequences'),
  seed: optionalField(integerShape, 'Seed for repeatable sampling.'),
  presencePenalty: optionalField(numberShape, 'Penalty for tokens seen before.', 'presence_penalty'),
  frequencyPenalty: optionalField(numberShape, 'Penalty by how often a token was seen.', 'frequency_penalty'),
  candidateCount: optionalField(integerShape, 'How many answers.', 'n'),
  logprobs: optionalField(logprobShape, 'Asks for log probabilities.'),
  stream: optionalField(booleanShape, 'Whether the answer comes in pieces.'),
  user: optionalField(stringShape, 'The end user on whose behalf it is made.'),
  metadata: optionalField(recordShape(stringShape), 'Labels that the provider keeps with the request.'),
  extra: optionalField(extraShape, 'What one wire format adds, by slot.'),
}

/** A request in canonical form. */
export const requestShape: Shape<ChatRequest> = objectShape<ChatRequest>('ChatRequest', requestFields)

/** A response in canonical form. */
export const responseShape: Shape<ChatResponse> = objectShape<ChatResponse>('ChatResponse', {
  id: optionalField(stringShape, "The host's id of the answer."),
  model: optionalField(stringShape, 'The model that answered.'),
  createdAt: optionalField(timestampShape, 'When it was made.'),
  candidates: requiredField(listShape(candidateShape), 'One message per candidate.'),
  usage: optionalField(usageShape, 'What it cost in tokens.'),
  extra: optionalField(extraShape, 'What one wire format adds, by slot.'),
})
