import type {
  BaseChatModelCallOptions,
  BindToolsInput,
  ToolChoice as LangChainToolChoice,
} from '@langchain/core/language_models/chat_models'
import type { ChatRequest, OutputFormat } from '../../canonical/model/request.ts'
import type { Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { InterlinguaError } from '../../errors.ts'
import type { OptionNames } from '../../wire/check-options.ts'
import { describeType, isObject, type JsonObject, omitUndefined } from '../../wire/json.ts'
import type { LangChainCore } from './langchain-core.ts'

/** The settings of a request that a chat model accepts, for all calls or for one. */
export type ChatModelSettings = Omit<
  ChatRequest,
  | 'messages'
  | 'model'
  | 'stream'
  | 'candidateCount'
  | 'logprobs'
  | 'extra'
  // LangChain has options of its own for these.
  | 'tools'
  | 'toolChoice'
  | 'stop'
  | 'metadata'
>

/** The names of the settings. */
export const CHAT_MODEL_SETTINGS: OptionNames<ChatModelSettings> = {
  maxOutputTokens: true,
  temperature: true,
  topP: true,
  topK: true,
  presencePenalty: true,
  frequencyPenalty: true,
  seed: true,
  reasoning: true,
  parallelToolCalls: Boolean,
  output: true,
  user: true,
  verbosity: true,
  serviceTier: true,
  store: Boolean,
  promptCacheKey: true,
  safetyIdentifier: true,
}

/** Options of one call of a chat model: those of LangChain, and the settings of a request under their own names. */
export interface ChatModelCallOptions extends BaseChatModelCallOptions, ChatModelSettings {
  /** The tools of the call: LangChain tools, OpenAI definitions, or tools of a request. `bindTools` sets them. */
  tools?: readonly (BindToolsInput | Tool)[]
  /** The format of the answer, as OpenAI has it. Agents of LangChain set it for a structured response. */
  response_format?: unknown
}

/** Returns the request of a call of LangChain without its messages. */
export function readCallOptions(
  options: Omit<ChatModelCallOptions, 'signal'>,
  defaults: ChatModelSettings,
  core: LangChainCore,
): Omit<ChatRequest, 'messages'> {
  const { tools = [], tool_choice: choice, stop, response_format: format } = options
  const output = readResponseFormat(format, core)
  const own = Object.keys(CHAT_MODEL_SETTINGS) as (keyof ChatModelSettings)[]
  return {
    ...defaults,
    ...(output && { output }),
    ...omitUndefined(Object.fromEntries(own.map((name) => [name, options[name]]))),
    ...(tools.length > 0 && { tools: tools.map((tool, index) => readTool(tool, index, core)) }),
    ...(tools.length > 0 && choice !== undefined && { toolChoice: readToolChoice(choice) }),
    ...(stop !== undefined && stop.length > 0 && { stop }),
  }
}

/** Reads a tool of LangChain, a definition of OpenAI or Anthropic, or a tool of a request. */
export function readTool(given: BindToolsInput | Tool, index: number, core: LangChainCore): Tool {
  if (isRequestTool(given)) return given
  const converted: unknown = core.convertToOpenAITool(given)
  const definition = isObject(converted) ? converted : {}
  const called = isObject(definition['function']) ? definition['function'] : definition
  const { name, description, strict } = called
  const schema = called['parameters'] ?? called['input_schema']
  const isFunction = definition['type'] === 'function' || definition['type'] === undefined
  if (!isFunction || typeof name !== 'string' || (schema !== undefined && !isObject(schema)))
    throw createToolError(given, index)
  return {
    type: 'function',
    name,
    input: (schema ?? { type: 'object', properties: {} }) as JsonObject,
    ...(typeof description === 'string' && description !== '' && { description }),
    ...(typeof strict === 'boolean' && { strict }),
  }
}

function isRequestTool(given: BindToolsInput | Tool): given is Tool {
  if (!('type' in given)) return false
  return given.type === 'provider' || (given.type === 'function' && 'input' in given)
}

function createToolError(given: object, index: number): InterlinguaError {
  const type = 'type' in given && typeof given.type === 'string' ? `type ${given.type}` : describeType(given)
  return new InterlinguaError('invalid-value', 'The tool has no definition that every provider understands', {
    path: `/tools/${index}`,
    found: type,
    expected: 'a tool of LangChain, or { type: "function", function: { name, parameters } }',
    hint: 'Pass a tool of a provider as { type: "provider", provider, name, options }.',
  })
}

/** The words of LangChain and of providers for a choice. */
const CHOICES: ReadonlyMap<unknown, ToolChoice> = new Map([
  ['auto', 'auto'],
  ['none', 'none'],
  ['any', 'required'],
  ['required', 'required'],
])

/** Reads a choice: a word, the name of a tool, or an object of a provider. */
function readToolChoice(choice: LangChainToolChoice): ToolChoice {
  if (typeof choice === 'string') return CHOICES.get(choice) ?? { name: choice }
  const { type, name, function: called } = choice as JsonObject
  const forced = isObject(called) ? called['name'] : name
  if (typeof forced === 'string') return { name: forced }
  const word = CHOICES.get(type)
  if (word !== undefined) return word
  throw new InterlinguaError('invalid-value', 'The tool choice is unknown', {
    path: '/tool_choice',
    found: JSON.stringify(choice),
    expected: '"auto", "none", "any", or the name of a tool',
  })
}

/** Reads the format of an answer as OpenAI has it; undefined for text. */
function readResponseFormat(format: unknown, core: LangChainCore): OutputFormat | undefined {
  if (!isObject(format)) return undefined
  if (format['type'] === 'json_object') return { type: 'json' }
  const details = format['json_schema']
  if (format['type'] !== 'json_schema' || !isObject(details)) return undefined
  const { name, description, strict, schema } = details
  return {
    type: 'json',
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    ...(typeof strict === 'boolean' && { strict }),
    ...(isObject(schema) && { schema: core.toJsonSchema(schema as never) as JsonObject }),
  }
}
