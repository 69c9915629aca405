import { isObject, getOwnValue } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { AssistantMessage } from '../model/message.ts'
import {
  type ChatRequest,
  EFFORTS,
  type LogprobSettings,
  type OutputFormat,
  type ReasoningSettings,
  VERBOSITIES,
} from '../model/request.ts'
import type { ChatResponse } from '../model/response.ts'
import type {
  FunctionTool,
  OpaqueTool,
  ProviderTool,
  Tool,
  ToolChoice,
  ToolGrammar,
  ToolNamespace,
  ToolTextInput,
} from '../model/tool.ts'
import { messageShape, messageShapes, usageShape } from './message.ts'
import { discriminator, extraField, objectShape, optional, required, unionShape } from './object.ts'
import { cacheShape } from './part.ts'
import {
  booleanShape,
  recordShape,
  throwInvalid,
  throwWrongType,
  identifierShape,
  integerShape,
  jsonShape,
  jsonObjectShape,
  listShape,
  numberShape,
  type ReaderSet,
  type ValueReader,
  type Shape,
  stringShape,
  timestampShape,
  enumShape,
} from './shape.ts'

const cacheField = optional(
  cacheShape,
  'Requests that the provider cache everything up to and including this tool.',
)

const textInputShape = objectShape<ToolTextInput>('ToolTextInput', {
  grammar: optional(
    objectShape<ToolGrammar>('ToolGrammar', {
      syntax: required(enumShape('lark', 'regex'), 'The language of the grammar.'),
      definition: required(stringShape, 'The grammar.'),
    }),
    'The grammar that the text must match.',
  ),
})

const namespaceShape = objectShape<ToolNamespace>('ToolNamespace', {
  name: required(identifierShape, 'The name of the group.'),
  description: optional(stringShape, 'The purpose of the group, for the model.'),
})

/** A tool in canonical form. */
export const toolShape: Shape<Tool> = unionShape<Tool>('type', 'invalid-value', {
  function: objectShape<FunctionTool>('FunctionTool', {
    type: discriminator('function'),
    name: required(identifierShape, 'The name of the tool, for the model.'),
    description: optional(stringShape, 'The purpose of the tool, for the model.'),
    input: required(jsonObjectShape, 'JSON Schema of the arguments.'),
    textInput: optional(textInputShape, 'The tool receives text instead of JSON arguments.', 'text_input'),
    namespace: optional(namespaceShape, 'The group of the tool.'),
    strict: optional(booleanShape, 'True if the arguments must follow the schema exactly.'),
    cache: cacheField,
    extra: extraField,
  }),
  provider: objectShape<ProviderTool>('ProviderTool', {
    type: discriminator('provider'),
    provider: required(identifierShape, 'The provider that runs the tool.'),
    name: required(identifierShape, 'The name of the tool at the provider.'),
    options: required(jsonObjectShape, 'The settings of the tool.'),
    cache: cacheField,
    extra: extraField,
  }),
  opaque: objectShape<OpaqueTool>('OpaqueTool', {
    type: discriminator('opaque'),
    dialect: required(identifierShape, 'The wire format of the tool.'),
    value: required(jsonShape, 'The tool as that format writes it.'),
    extra: extraField,
  }),
})

type NamedChoice = Extract<ToolChoice, { readonly name: unknown }>
type AllowedChoice = Extract<ToolChoice, { readonly mode: unknown }>

const choiceModeShape = enumShape('auto', 'none', 'required')
const namedChoiceShape = objectShape<NamedChoice>('ToolChoiceName', {
  name: required(identifierShape, 'The tool that must be called.'),
})
const allowedChoiceShape = objectShape<AllowedChoice>('ToolChoiceAllowed', {
  allowed: required(listShape(identifierShape), 'The tools that may be called.'),
  mode: required(enumShape('auto', 'required'), 'auto: the model may call one of them. required: it must.'),
})

/** A tool choice in canonical form. */
export const toolChoiceShape: Shape<ToolChoice> = {
  expects: '"auto", "none", "required", { name } or { allowed, mode }',
  read: (value, path, context) => {
    if (typeof value === 'string') return choiceModeShape.read(value, path, context)
    if (!isObject(value)) return throwWrongType(value, path, toolChoiceShape.expects)
    const isNamed = getOwnValue(value, 'allowed') === undefined
    return (isNamed ? namedChoiceShape : allowedChoiceShape).read(value, path, context)
  },
  schema: (define) => ({
    oneOf: [choiceModeShape, namedChoiceShape, allowedChoiceShape].map((shape) => shape.schema(define)),
  }),
}

const outputShape = objectShape<OutputFormat>('OutputFormat', {
  type: required(enumShape('text', 'json'), 'Text or JSON.'),
  schema: optional(jsonObjectShape, 'JSON Schema of the output.'),
  name: optional(stringShape, 'Name of the schema.'),
  description: optional(stringShape, 'What the output is for.'),
  strict: optional(booleanShape, 'True if the output must follow the schema exactly.'),
})

const reasoningShape = objectShape<ReasoningSettings>('ReasoningSettings', {
  enabled: optional(booleanShape, 'True to enable reasoning.'),
  effort: optional(enumShape(...EFFORTS), 'The amount of reasoning.'),
  budgetTokens: optional(integerShape, 'The maximum number of reasoning tokens.', 'budget_tokens'),
  include: optional(booleanShape, 'True to return readable reasoning.'),
  summary: optional(enumShape('auto', 'concise', 'detailed'), 'The form of the reasoning summary.'),
})

const logprobShape = objectShape<LogprobSettings>('LogprobSettings', {
  top: optional(integerShape, 'The number of alternatives for each token.'),
})

/** Returns the shape with the function of the reader, if it has one: it decides which other forms are accepted. */
function readBy<T>(pick: (reader: ReaderSet) => ValueReader<T> | undefined, shape: Shape<T>): Shape<T> {
  return {
    ...shape,
    read: (value, path, context) => (pick(context.reader) ?? shape.read)(value, path, context),
  }
}

const candidateShape: Shape<AssistantMessage> = {
  ...messageShapes.assistant,
  read(value, path, context) {
    const message = messageShape.read(value, path, context)
    if (message.role === 'assistant') return message
    return throwInvalid('invalid-value', child(path, 'role'), `role ${message.role}`, 'role assistant')
  },
}

/** A request in canonical form. */
export const requestShape: Shape<ChatRequest> = objectShape<ChatRequest>('ChatRequest', {
  model: optional(stringShape, 'The name of the model.'),
  messages: required(listShape(messageShape), 'The conversation.'),
  tools: optional(listShape(readBy(({ tool }) => tool, toolShape)), 'The tools that the model may call.'),
  toolChoice: optional(
    readBy(({ toolChoice }) => toolChoice, toolChoiceShape),
    'The tools that the model may or must call.',
    'tool_choice',
  ),
  parallelToolCalls: optional(
    booleanShape,
    'True if the model may call several tools at once.',
    'parallel_tool_calls',
  ),
  output: optional(outputShape, 'The format of the output.'),
  reasoning: optional(reasoningShape, 'The reasoning of the model.'),
  maxOutputTokens: optional(
    integerShape,
    'The maximum number of output tokens.',
    'max_output_tokens',
    'max_completion_tokens',
    'max_tokens',
  ),
  temperature: optional(numberShape, 'Sampling temperature.'),
  topP: optional(
    numberShape,
    'Nucleus sampling: the probability mass of the tokens to sample from.',
    'top_p',
  ),
  topK: optional(numberShape, 'The number of most likely tokens to sample from.', 'top_k'),
  stop: optional(listShape(stringShape), 'Texts at which the model stops.', 'stop_sequences'),
  seed: optional(integerShape, 'Seed for repeatable sampling.'),
  presencePenalty: optional(numberShape, 'Penalty for tokens that have occurred.', 'presence_penalty'),
  frequencyPenalty: optional(
    numberShape,
    'Penalty for tokens by how often they have occurred.',
    'frequency_penalty',
  ),
  candidateCount: optional(integerShape, 'The number of candidates.', 'n'),
  logprobs: optional(logprobShape, 'Requests log probabilities.'),
  stream: optional(booleanShape, 'True to stream the response.'),
  user: optional(stringShape, 'The end user for whom the request is made.'),
  metadata: optional(recordShape(stringShape), 'Labels that the provider stores with the request.'),
  verbosity: optional(enumShape(...VERBOSITIES), 'How long answers are.'),
  serviceTier: optional(stringShape, 'The processing tier.', 'service_tier'),
  store: optional(booleanShape, 'True to let the provider store the response.'),
  promptCacheKey: optional(stringShape, 'Groups requests with the same prefix.', 'prompt_cache_key'),
  safetyIdentifier: optional(stringShape, 'A stable pseudonym of the end user.', 'safety_identifier'),
  extra: extraField,
})

/** A response in canonical form. */
export const responseShape: Shape<ChatResponse> = objectShape<ChatResponse>('ChatResponse', {
  id: optional(stringShape, 'The id of the response at the provider.'),
  model: optional(stringShape, 'The model that responded.'),
  createdAt: optional(timestampShape, 'Time of creation.'),
  candidates: required(listShape(candidateShape), 'One message per candidate.'),
  usage: optional(usageShape, 'Token counts.'),
  extra: extraField,
})
