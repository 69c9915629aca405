import { getOwnValue, isObject, readStringOrEmpty } from '../../wire/json.ts'

/** A test of an object of unknown format. */
export type ObjectTest = (value: { readonly [key: string]: unknown }) => boolean

export const hasKeys =
  (...keys: readonly string[]): ObjectTest =>
  (value) =>
    keys.every((key) => getOwnValue(value, key) !== undefined)

export const hasAnyKey =
  (...keys: readonly string[]): ObjectTest =>
  (value) =>
    keys.some((key) => getOwnValue(value, key) !== undefined)

export const hasValue =
  (key: string, ...values: readonly unknown[]): ObjectTest =>
  (value) =>
    values.includes(getOwnValue(value, key))

export const hasList =
  (key: string): ObjectTest =>
  (value) =>
    Array.isArray(getOwnValue(value, key))

export const hasItemWhere =
  (list: string, test: ObjectTest): ObjectTest =>
  (value) => {
    const items = getOwnValue(value, list)
    return Array.isArray(items) && items.some((item) => isObject(item) && test(item))
  }

export const isAny =
  (...tests: readonly ObjectTest[]): ObjectTest =>
  (value) =>
    tests.some((test) => test(value))

export const isEvery =
  (...tests: readonly ObjectTest[]): ObjectTest =>
  (value) =>
    tests.every((test) => test(value))

export const isNot =
  (test: ObjectTest): ObjectTest =>
  (value) =>
    !test(value)

export const hasObject =
  (key: string): ObjectTest =>
  (value) =>
    isObject(getOwnValue(value, key))

export const hasContentType = (...types: readonly string[]): ObjectTest =>
  hasItemWhere('messages', hasItemWhere('content', hasValue('type', ...types)))

export const hasOpenaiRole: ObjectTest = hasItemWhere(
  'messages',
  hasValue('role', 'developer', 'tool', 'function'),
)
export const hasToolCalls: ObjectTest = hasItemWhere('messages', hasKeys('tool_calls'))
export const hasInputSchema: ObjectTest = hasItemWhere('tools', hasKeys('input_schema'))

/** Matches a call whose arguments are an object: openai-chat has them as JSON text. */
const hasObjectArguments: ObjectTest = (call) => {
  const called = getOwnValue(call, 'function')
  return isObject(called) && isObject(called['arguments'])
}

export const hasOllamaMessage: ObjectTest = hasItemWhere(
  'messages',
  isAny(hasAnyKey('tool_name', 'images'), hasItemWhere('tool_calls', hasObjectArguments)),
)

export const hasOllamaSetting: ObjectTest = hasAnyKey('keep_alive', 'think', 'format')

const hasMistralChunk = hasItemWhere(
  'content',
  isAny(hasList('thinking'), hasAnyKey('document_url', 'reference_ids')),
)

/** The names of models in Mistral's own API. Elsewhere they follow a vendor (`mistralai/…`) or precede a tag (`mistral:7b`). */
const mistralModels =
  /^(?:open-)?(?:codestral|devstral|magistral|ministral|mistral|mixtral|pixtral|voxtral)-[^:/]*$/

export const hasMistralModel: ObjectTest = (value) =>
  mistralModels.test(readStringOrEmpty(getOwnValue(value, 'model')))

/** Matches an answer with fields that OpenAI and most compatible hosts have, but not Mistral. */
export const hasOpenaiAnswerField: ObjectTest = isAny(
  hasAnyKey('system_fingerprint', 'service_tier'),
  (value) => readStringOrEmpty(getOwnValue(value, 'id')).startsWith('chatcmpl'),
)

export const hasMistralMessage: ObjectTest = hasItemWhere('messages', hasMistralChunk)

export const hasMistralSetting: ObjectTest = isAny(
  hasAnyKey('random_seed', 'safe_prompt', 'prompt_mode', 'guardrails'),
  hasValue('tool_choice', 'any'),
)

const hasIndex = hasKeys('index')

/** Matches a choice with a chunk that only Mistral has, or with the index that its deltas may have. */
export const hasMistralAnswer: ObjectTest = (choice) => {
  const delta = getOwnValue(choice, 'delta')
  const message = delta ?? getOwnValue(choice, 'message')
  return isObject(message) && (hasMistralChunk(message) || (message === delta && hasIndex(message)))
}

/** Matches an answer that no sign attributes to Mistral: it has the form of openai-chat. */
export const isPlainChatAnswer: ObjectTest = isNot(
  isAny(hasMistralModel, hasItemWhere('choices', hasMistralAnswer)),
)

export const responsesOnlySettings: readonly string[] = [
  'instructions',
  'previous_response_id',
  'max_output_tokens',
  'include',
  'text',
  'truncation',
]

export const interactionsOnlySettings: readonly string[] = [
  'system_instruction',
  'generation_config',
  'previous_interaction_id',
  'agent',
  'agent_config',
  'response_format',
]

export const hasInteractionStep: ObjectTest = hasItemWhere(
  'input',
  hasValue('type', 'user_input', 'model_output', 'thought', 'function_result'),
)

/** Matches a content of an interaction; the parts of other formats have other types. */
export const isInteractionContent: ObjectTest = isEvery(
  hasValue('type', 'text', 'image', 'audio', 'video', 'document'),
  isNot(hasKeys('role')),
)

export const anthropicStreamTypes: readonly string[] = [
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
]

/** Keys of the content blocks of bedrock. They have no type: each block has one key, which says what it is. */
const bedrockBlockKeys: ReadonlySet<string> = new Set([
  'text',
  'image',
  'document',
  'video',
  'audio',
  'toolUse',
  'toolResult',
  'guardContent',
  'cachePoint',
  'reasoningContent',
  'citationsContent',
  'searchResult',
])

const hasOnlyKeyOf =
  (keys: ReadonlySet<string>): ObjectTest =>
  (value) => {
    const [key = '', ...others] = Object.keys(value)
    return keys.has(key) && others.length === 0
  }

export const isBedrockBlock: ObjectTest = hasOnlyKeyOf(bedrockBlockKeys)

export const hasBedrockMessage: ObjectTest = hasItemWhere('messages', hasItemWhere('content', isBedrockBlock))

export const isBedrockEvent: ObjectTest = hasOnlyKeyOf(
  new Set([
    'messageStart',
    'contentBlockStart',
    'contentBlockDelta',
    'contentBlockStop',
    'messageStop',
    'internalServerException',
    'modelStreamErrorException',
    'validationException',
    'throttlingException',
    'serviceUnavailableException',
  ]),
)

/** The names of models in Cohere's own API. Other hosts have a vendor before them, or a tag after them. */
const cohereModels = /^(?:command|c4ai)-[^:/]*$/

export const hasCohereModel: ObjectTest = (value) =>
  cohereModels.test(readStringOrEmpty(getOwnValue(value, 'model')))

export const hasCohereField: ObjectTest = isAny(
  hasAnyKey('citation_options', 'safety_mode', 'strict_tools'),
  hasValue('tool_choice', 'REQUIRED', 'NONE'),
  hasItemWhere('messages', isAny(hasKeys('tool_plan'), hasItemWhere('citations', hasKeys('sources')))),
  hasItemWhere(
    'messages',
    hasItemWhere('content', isEvery(hasObject('document'), hasValue('type', 'document'))),
  ),
)

/** Matches a response of cohere: its finish reasons are upper-case, beside a message. */
export const hasCohereAnswer: ObjectTest = isEvery(
  hasObject('message'),
  hasValue('finish_reason', 'COMPLETE', 'STOP_SEQUENCE', 'MAX_TOKENS', 'TOOL_CALL', 'ERROR', 'TIMEOUT'),
)
