import type { DialectName } from '../../dialects/engine/dialect.ts'
import { getOwnValue, isObject } from '../../wire/json.ts'

/** A test of a JSON object. */
export type ObjectTest = (value: { readonly [key: string]: unknown }) => boolean

export const hasText =
  (key: string): ObjectTest =>
  (value) =>
    typeof getOwnValue(value, key) === 'string'

export const hasObject =
  (key: string, test: ObjectTest = () => true): ObjectTest =>
  (value) => {
    const found = getOwnValue(value, key)
    return isObject(found) && test(found)
  }

export const hasItem =
  (key: string, isItem: ObjectTest): ObjectTest =>
  (value) => {
    const list = getOwnValue(value, key)
    return Array.isArray(list) && list.some((item: unknown) => isObject(item) && isItem(item))
  }

/** Tests for a list that is empty or has a valid item: one is enough, because decoders preserve invalid items. */
const hasItems =
  (key: string, isItem: ObjectTest): ObjectTest =>
  (value) => {
    const list = getOwnValue(value, key)
    return (Array.isArray(list) && list.length === 0) || hasItem(key, isItem)(value)
  }

const anyOf =
  (...tests: readonly ObjectTest[]): ObjectTest =>
  (value) =>
    tests.some((test) => test(value))

const hasParts: ObjectTest = (item) => Array.isArray(getOwnValue(item, 'parts'))

const RESPONSES_ITEM_TYPE = /^(message|reasoning|compaction|item_reference|mcp_\w+|\w+_call(_output)?)$/

const isResponsesItem: ObjectTest = (item) =>
  (hasText('role')(item) && !hasParts(item)) || RESPONSES_ITEM_TYPE.test(String(getOwnValue(item, 'type')))

interface ConversationField {
  readonly key: string
  readonly isMessage: ObjectTest
}

const messagesField: ConversationField = {
  key: 'messages',
  isMessage: (item) => hasText('role')(item) && !hasParts(item),
}

/** Parts of Gemini have no type. Messages of user interfaces, such as those of `useChat`, have typed parts. */
const isGeminiContent: ObjectTest = (item) => hasParts(item) && !hasItem('parts', hasText('type'))(item)

/** A step or a content of an interaction has a type, and no role as the items of the Responses API. */
const isInteractionItem: ObjectTest = (item) => hasText('type')(item) && !hasText('role')(item)

/** The field that contains the conversation, in a request or the stored form, and the test of its items. */
export const conversationFields: { readonly [name in DialectName | 'interlingua']: ConversationField } = {
  'openai-chat': messagesField,
  'openai-responses': { key: 'input', isMessage: isResponsesItem },
  anthropic: messagesField,
  gemini: { key: 'contents', isMessage: isGeminiContent },
  ollama: messagesField,
  mistral: messagesField,
  'gemini-interactions': { key: 'input', isMessage: isInteractionItem },
  bedrock: messagesField,
  cohere: messagesField,
  interlingua: messagesField,
}

/** A request of the Responses API may also contain text, or refer to a stored prompt or response. */
const isResponsesRequest = anyOf(hasText('input'), hasObject('prompt'), hasText('previous_response_id'))

const hasChoices = hasItems(
  'choices',
  anyOf(hasObject('message'), hasObject('delta'), hasText('finish_reason')),
)

/** The tests of a response: some content, in the form of its dialect. */
const responseTests: { readonly [name in DialectName]: ObjectTest } = {
  'openai-chat': hasChoices,
  'openai-responses': hasItems('output', isResponsesItem),
  anthropic: hasItems('content', hasText('type')),
  gemini: anyOf(
    hasItems('candidates', anyOf(hasObject('content'), hasText('finishReason'))),
    hasObject('promptFeedback'),
  ),
  ollama: anyOf(hasObject('message'), hasText('response')),
  mistral: hasChoices,
  'gemini-interactions': hasItems('steps', hasText('type')),
  bedrock: hasObject('output', hasObject('message')),
  cohere: hasObject('message'),
}

/** The fields that the tests look for, as text. */
export const BODY_FIELDS: string =
  'messages, contents or input (a request), choices, content, candidates, output, steps or message (a response), ' +
  'or interlingua (the stored form)'

/** Tests whether a value contains a conversation, in the form of this dialect and kind. */
export function isBody(value: unknown, name: DialectName, kind: string): boolean {
  if (!isObject(value)) return false
  if (kind === 'response') return responseTests[name](value)
  const { key, isMessage } = conversationFields[name]
  const isRequest = hasItems(key, isMessage)(value)
  const hasOtherInput =
    (name === 'openai-responses' && isResponsesRequest(value)) ||
    (name === 'gemini-interactions' && anyOf(hasText('input'), hasObject('input'))(value))
  return kind === 'request' && (isRequest || hasOtherInput)
}
