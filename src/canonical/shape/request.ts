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
      name: requiredField(identifierShape, 'The name of the tool, for the model.'),
      description: optionalField(stringShape, 'The purpose of the tool, for the model.'),
      input: requiredField(jsonObjectShape, 'JSON Schema of the arguments.', ...SCHEMA_ALIASES),
      strict: optionalField(booleanShape, 'True if the arguments must follow the schema exactly.'),
      cache: optionalField(
        cacheShape,
        'Requests that the provider cache everything up to and including this tool.',
      ),
      extra: optionalField(extraShape, 'Data of wire formats, by slot.'),
    }),
    provider: objectShape<ProviderTool>('ProviderTool', {
      type: requiredField(enumShape('provider'), 'Discriminator.'),
      provider: requiredField(identifierShape, 'The provider that runs the tool.'),
      name: requiredField(identifierShape, 'The name of the tool at the provider.'),
      options: requiredField(jsonObjectShape, 'The settings of the tool.'),
      cache: optionalField(
        cacheShape,
        'Requests that the provider cache everything up to and including this tool.',
      ),
      extra: optionalField(extraShape, 'Data of wire formats, by slot.'),
    }),
    opaque: objectShape<OpaqueTool>('OpaqueTool', {
      type: requiredField(enumShape('opaque'), 'Discriminator.'),
      dialect: requiredField(identifierShape, 'The wire format of the tool.'),
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
  mode: requiredField(
    enumShape('auto', 'required'),
    'auto: the model may call one of them. required: it must.',
  ),
})

/** A tool choice in canonical form. */
export const toolChoiceShape: Shape<ToolChoice> = {
  expects: '"auto", "none", "required", { name } or { allowed, mode }',
  read: (value, path, context, unknownKeys) => {
    if (typeof value === 'string') return choiceModeShape.read(value, path, context, unknownKeys)
    if (!isObject(value))
      return throwInvalid('invalid-type', path, describeType(value), toolChoiceShape.expects)
    return (getOwnValue(value, 'allowed') === undefined ? namedChoiceShape : allowedChoiceShape).read(
      value,
      path,
      context,
      unknownKeys,
    )
  },
  schema: (define) => ({
    oneOf: [choiceModeShape, namedChoiceShape, allowedChoiceShape].map((shape) => shape.schema(define)),
  }),
}

const outputShape: Shape<OutputFormat> = objectShape<OutputFormat>('OutputFormat', {
  type: requiredField(enumShape('text', 'json'), 'Text or JSON.'),
  schema: optionalField(jsonObjectShape, 'JSON Schema of the output.'),
  name: optionalField(stringShape, 'Name of the schema.'),
  strict: optionalField(booleanShape, 'True if the output must follow the schema exactly.'),
})

const reasoningShape: Shape<ReasoningSettings> = objectShape<ReasoningSettings>('ReasoningSettings', {
  enabled: optionalField(booleanShape, 'True to enable reasoning.'),
  effort: optionalField(enumShape(...EFFORTS), 'The amount of reasoning.'),
  budgetTokens: optionalField(integerShape, 'The maximum number of reasoning tokens.', 'budget_tokens'),
  include: optionalField(booleanShape, 'True to return readable reasoning.'),
  summary: optionalField(enumShape('auto', 'concise', 'detailed'), 'The form of the reasoning summary.'),
})

const logprobShape: Shape<LogprobSettings> = objectShape<LogprobSettings>('LogprobSettings', {
  top: optionalField(integerShape, 'The number of alternatives for each token.'),
})

const contextMessageShape: Shape<Message> = { ...messageShape, read: (...args) => args[2].message(...args) }
const contextToolShape: Shape<Tool> = { ...toolShape, read: (...args) => args[2].tool(...args) }
const contextToolChoiceShape: Shape<ToolChoice> = {
  ...toolChoiceShape,
  read: (...args) => args[2].toolChoice(...args),
}

const candidateShape: Shape<AssistantMessage> = {
  ...messageShapes.assistant,
  read(value, path, context, unknownKeys) {
    const message = context.message(value, path, context, unknownKeys)
    if (message.role === 'assistant') return message
    return throwInvalid('invalid-value', child(path, 'role'), `role ${message.role}`, 'role assistant')
  },
}

const requestFields: Fields<ChatRequest> = {
  model: optionalField(stringShape, 'The name of the model.'),
  messages: requiredField(listShape(contextMessageShape), 'The conversation.'),
  tools: optionalField(listShape(contextToolShape), 'The tools that the model may call.'),
  toolChoice: optionalField(
    contextToolChoiceShape,
    'The tools that the model may or must call.',
    'tool_choice',
  ),
  parallelToolCalls: optionalField(
    booleanShape,
    'True if the model may call several tools at once.',
    'parallel_tool_calls',
  ),
  output: optionalField(outputShape, 'The format of the output.'),
  reasoning: optionalField(reasoningShape, 'The reasoning of the model.'),
  maxOutputTokens: optionalField(
    integerShape,
    'The maximum number of output tokens.',
    'max_output_tokens',
    'max_completion_tokens',
    'max_tokens',
  ),
  temperature: optionalField(numberShape, 'Sampling temperature.'),
  topP: optionalField(
    numberShape,
    'Nucleus sampling: the probability mass of the tokens to sample from.',
    'top_p',
  ),
  topK: optionalField(numberShape, 'The number of most likely tokens to sample from.', 'top_k'),
  stop: optionalField(listShape(stringShape), 'Texts at which the model stops.', 'stop_sequences'),
  seed: optionalField(integerShape, 'Seed for repeatable sampling.'),
  presencePenalty: optionalField(numberShape, 'Penalty for tokens that have occurred.', 'presence_penalty'),
  frequencyPenalty: optionalField(
    numberShape,
    'Penalty for tokens by how often they have occurred.',
    'frequency_penalty',
  ),
  candidateCount: optionalField(integerShape, 'The number of candidates.', 'n'),
  logprobs: optionalField(logprobShape, 'Requests log probabilities.'),
  stream: optionalField(booleanShape, 'True to stream the response.'),
  user: optionalField(stringShape, 'The end user for whom the request is made.'),
  metadata: optionalField(recordShape(stringShape), 'Labels that the provider stores with the request.'),
  extra: optionalField(extraShape, 'Data of wire formats, by slot.'),
}

/** A request in canonical form. */
export const requestShape: Shape<ChatRequest> = objectShape<ChatRequest>('ChatRequest', requestFields)

/** A response in canonical form. */
export const responseShape: Shape<ChatResponse> = objectShape<ChatResponse>('ChatResponse', {
  id: optionalField(stringShape, 'The id of the response at the provider.'),
  model: optionalField(stringShape, 'The model that responded.'),
  createdAt: optionalField(timestampShape, 'Time of creation.'),
  candidates: requiredField(listShape(candidateShape), 'One message per candidate.'),
  usage: optionalField(usageShape, 'Token counts.'),
  extra: optionalField(extraShape, 'Data of wire formats, by slot.'),
})
