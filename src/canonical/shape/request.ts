import { isObject, getOwnValue } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { NumberRange } from '../../wire/number-range.ts'
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
import { settingRanges } from '../model/setting-ranges.ts'
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

/** Creates the shape of the numbers of a range. */
function rangeShape(range: NumberRange): Shape<number> {
  const { expects } = range
  return {
    expects,
    read: (value, path, context) => {
      const read = numberShape.read(value, path, context)
      return range.includes(read) ? read : throwInvalid('invalid-value', path, String(read), expects)
    },
    accepts: (value) => range.includes(value),
    schema: () => range.schema,
  }
}

const cacheField = optional(cacheShape)

const textInputShape = objectShape<ToolTextInput>('ToolTextInput', {
  grammar: optional(
    objectShape<ToolGrammar>('ToolGrammar', {
      syntax: required(enumShape('lark', 'regex')),
      definition: required(stringShape),
    }),
  ),
})

const namespaceShape = objectShape<ToolNamespace>('ToolNamespace', {
  name: required(identifierShape),
  description: optional(stringShape),
})

/** A tool in canonical form. */
export const toolShape: Shape<Tool> = unionShape<Tool>('type', 'invalid-value', {
  function: objectShape<FunctionTool>('FunctionTool', {
    type: discriminator('function'),
    name: required(identifierShape),
    description: optional(stringShape),
    input: required(jsonObjectShape),
    textInput: optional(textInputShape, 'text_input'),
    namespace: optional(namespaceShape),
    strict: optional(booleanShape),
    cache: cacheField,
    extra: extraField,
  }),
  provider: objectShape<ProviderTool>('ProviderTool', {
    type: discriminator('provider'),
    provider: required(identifierShape),
    name: required(identifierShape),
    options: required(jsonObjectShape),
    cache: cacheField,
    extra: extraField,
  }),
  opaque: objectShape<OpaqueTool>('OpaqueTool', {
    type: discriminator('opaque'),
    dialect: required(identifierShape),
    value: required(jsonShape),
    extra: extraField,
  }),
})

type NamedChoice = Extract<ToolChoice, { readonly name: unknown }>
type AllowedChoice = Extract<ToolChoice, { readonly mode: unknown }>

const choiceModeShape = enumShape('auto', 'none', 'required')
const namedChoiceShape = objectShape<NamedChoice>('ToolChoiceName', {
  name: required(identifierShape),
})
const allowedChoiceShape = objectShape<AllowedChoice>('ToolChoiceAllowed', {
  allowed: required(listShape(identifierShape)),
  mode: required(enumShape('auto', 'required')),
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
  type: required(enumShape('text', 'json')),
  schema: optional(jsonObjectShape),
  name: optional(stringShape),
  description: optional(stringShape),
  strict: optional(booleanShape),
})

const reasoningShape = objectShape<ReasoningSettings>('ReasoningSettings', {
  enabled: optional(booleanShape),
  effort: optional(enumShape(...EFFORTS)),
  budgetTokens: optional(rangeShape(settingRanges.budgetTokens), 'budget_tokens'),
  include: optional(booleanShape),
  summary: optional(enumShape('auto', 'concise', 'detailed')),
})

const logprobShape = objectShape<LogprobSettings>('LogprobSettings', {
  top: optional(rangeShape(settingRanges.top)),
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
  model: optional(stringShape),
  messages: required(listShape(messageShape)),
  tools: optional(listShape(readBy(({ tool }) => tool, toolShape))),
  toolChoice: optional(
    readBy(({ toolChoice }) => toolChoice, toolChoiceShape),
    'tool_choice',
  ),
  parallelToolCalls: optional(booleanShape, 'parallel_tool_calls'),
  output: optional(outputShape),
  reasoning: optional(reasoningShape),
  maxOutputTokens: optional(
    rangeShape(settingRanges.maxOutputTokens),
    'max_output_tokens',
    'max_completion_tokens',
    'max_tokens',
  ),
  temperature: optional(rangeShape(settingRanges.temperature)),
  topP: optional(rangeShape(settingRanges.topP), 'top_p'),
  topK: optional(rangeShape(settingRanges.topK), 'top_k'),
  stop: optional(listShape(identifierShape), 'stop_sequences'),
  seed: optional(rangeShape(settingRanges.seed)),
  presencePenalty: optional(rangeShape(settingRanges.presencePenalty), 'presence_penalty'),
  frequencyPenalty: optional(rangeShape(settingRanges.frequencyPenalty), 'frequency_penalty'),
  candidateCount: optional(rangeShape(settingRanges.candidateCount), 'n'),
  logprobs: optional(logprobShape),
  stream: optional(booleanShape),
  user: optional(stringShape),
  metadata: optional(recordShape(stringShape)),
  verbosity: optional(enumShape(...VERBOSITIES)),
  serviceTier: optional(stringShape, 'service_tier'),
  store: optional(booleanShape),
  promptCacheKey: optional(stringShape, 'prompt_cache_key'),
  safetyIdentifier: optional(stringShape, 'safety_identifier'),
  extra: extraField,
})

/** A response in canonical form. */
export const responseShape: Shape<ChatResponse> = objectShape<ChatResponse>('ChatResponse', {
  id: optional(stringShape),
  model: optional(stringShape),
  createdAt: optional(timestampShape),
  candidates: required(listShape(candidateShape)),
  usage: optional(usageShape),
  extra: extraField,
})
