import { isBranded } from '../../wire/frozen-json.ts'
import { describeType, isEmptyObject, isObject, getOwnValue } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { MessageStore, type MessageStoreJson, createMessageStore } from '../collections/message-store.ts'
import { Messages } from '../collections/messages.ts'
import type { Message } from '../model/message.ts'
import type { ChatRequest } from '../model/request.ts'
import type { ChatResponse } from '../model/response.ts'
import {
  createLenientRequestContext,
  type ParseOptions,
  readMessageListInput,
  readRequest,
} from '../parse/parse.ts'
import { checkAndFreezeMessage, messageShape } from '../shape/message.ts'
import { requestShape, responseShape } from '../shape/request.ts'
import {
  readCanonicalValue,
  throwInvalid,
  throwWrongType,
  type ValueReader,
  jsonObjectShape,
  listShape,
  type Shape,
  stringShape,
} from '../shape/shape.ts'
import { objectShape, required } from '../shape/object.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

type SectionJson = MessageStoreJson['sections'][number]

const sectionShape: Shape<SectionJson> = objectShape<SectionJson>('Section', {
  name: required(stringShape),
  messages: required(listShape(messageShape)),
})

/** A store as plain JSON. */
export const messageStoreShape: Shape<MessageStoreJson> = objectShape<MessageStoreJson>('MessageStore', {
  sections: required(listShape(sectionShape)),
  parameters: required(jsonObjectShape),
})

/** Reads a store; sections with the same name are joined. Unknown keys are an error. */
const readMessageStore: ValueReader<MessageStore> = (value, path, { reader }) => {
  const unknownKeys = {}
  const { sections, parameters } = messageStoreShape.read(value, path, { reader, unknownKeys })
  if (!isEmptyObject(unknownKeys))
    throwInvalid('unexpected-field', path, 'an unknown field', 'sections and parameters')
  return createMessageStore(
    sections.map(({ name, messages }) => ({ name, messages: Messages.from(messages) })),
    parameters,
  )
}

/**
 * The version that {@link toJson} writes. Older versions stay readable.
 *
 * @example
 * toJson(user('Hi')).interlingua === STORED_VERSION // true
 */
export const STORED_VERSION = 1

/** The values that can be stored, by kind. */
export interface StoredValues {
  readonly message: Message
  readonly messages: Messages
  readonly request: ChatRequest
  readonly response: ChatResponse
  readonly store: MessageStore
}

/** The kind of a stored value. */
export type StoredKind = keyof StoredValues

/** The stored form as plain JSON: the version, and one key for the kind of the value. */
export type StoredForm =
  | { readonly interlingua: number; readonly message: Message }
  | { readonly interlingua: number; readonly messages: readonly Message[] }
  | { readonly interlingua: number; readonly request: ChatRequest }
  | { readonly interlingua: number; readonly response: ChatResponse }
  | { readonly interlingua: number; readonly store: MessageStoreJson }

/** Options of {@link toJson}. */
export interface ToJsonOptions {
  /** True to store the metadata of messages. Default: true. */
  readonly metadata?: boolean
}

/**
 * Returns the stored form of a message, a conversation, a request, a response or a store. A value that is not in canonical
 * form is an error, since `fromJson` could not read it.
 *
 * @example
 * await writeFile('chat.json', JSON.stringify(toJson(messages)))
 */
export function toJson(
  value: Message | Messages | readonly Message[] | ChatRequest | ChatResponse | MessageStore,
  options: ToJsonOptions = {},
): StoredForm {
  return withTypedErrors(() => {
    const { metadata = true } = options
    const write = metadata ? <T extends Message>(message: T): T => message : omitMetadata
    const version = { interlingua: STORED_VERSION }
    if (value instanceof MessageStore) return { ...version, store: mapSections(value.toJSON(), write) }
    if (value instanceof Messages) return { ...version, messages: Array.from(value, write) }
    if (Array.isArray(value))
      return { ...version, messages: readCanonicalValue(listShape(messageShape), value).map(write) }
    if (!isObject(value))
      return throwWrongType(value, undefined, 'a message, messages, a request or a response')
    if ('role' in value) return { ...version, message: write(checkAndFreezeMessage(value as Message)) }
    if ('candidates' in value) {
      const response = readUnlessBranded(responseShape, value as ChatResponse)
      return { ...version, response: { ...response, candidates: response.candidates.map(write) } }
    }
    const { messages } = value as { readonly messages?: unknown }
    if (typeof messages !== 'object' || messages === null || !(Symbol.iterator in messages))
      return throwWrongType(messages, child(undefined, 'messages'), 'a list of messages')
    const list = messages instanceof Messages ? messages.toArray() : Array.from(messages as Iterable<Message>)
    const request = readUnlessBranded(requestShape, { ...(value as ChatRequest), messages: list }, value)
    return { ...version, request: { ...request, messages: Array.from(request.messages, write) } }
  }, [value, options])
}

/** Returns a value of a parser or decoder as it is, and reads any other one. */
function readUnlessBranded<T extends object>(shape: Shape<T>, value: T, given: object = value): T {
  return isBranded(given) ? value : readCanonicalValue(shape, value)
}

function omitMetadata<T extends Message>({ metadata: _metadata, ...rest }: T): T {
  return rest as T
}

function mapSections(store: MessageStoreJson, write: (message: Message) => Message): MessageStoreJson {
  return {
    ...store,
    sections: store.sections.map(({ name, messages }) => ({ name, messages: messages.map(write) })),
  }
}

/** The readers of this version, by kind. A new version adds a conversion from the old form. */
const STORED_READERS: { readonly [K in StoredKind]: ValueReader<StoredValues[K]> } = {
  message: messageShape.read,
  messages: (value, path, context) => Messages.from(readMessageListInput(value, path, context)),
  request: readRequest,
  response: responseShape.read,
  store: readMessageStore,
}

/**
 * Reads the stored form of {@link toJson}, of this version or an older one. Another kind of value is an error.
 *
 * @example
 * const messages = fromJson(JSON.parse(await readFile('chat.json', 'utf8')))
 * const request = fromJson(json, 'request')
 */
export function fromJson(stored: unknown): Messages
export function fromJson<K extends StoredKind>(
  stored: unknown,
  kind: K,
  options?: ParseOptions,
): StoredValues[K]
export function fromJson(
  stored: unknown,
  kind: StoredKind = 'messages',
  options: ParseOptions = {},
): StoredValues[StoredKind] {
  return withTypedErrors(() => {
    if (!isObject(stored)) return throwWrongType(stored, undefined, 'the stored form: an object')
    assertVersion(getOwnValue(stored, 'interlingua'))
    const found = Object.keys(STORED_READERS).find((each) => getOwnValue(stored, each) !== undefined)
    if (found !== kind) return throwInvalid('wrong-kind', undefined, found ?? 'no known kind', kind)
    return STORED_READERS[kind](stored[kind], child(undefined, kind), createLenientRequestContext(options))
  }, [stored, kind, options])
}

/**
 * Reads the stored form of one message, as {@link fromJson} does. The canonical form is read without the conversions from
 * other formats, which take most of the time; anything else is left to `fromJson`.
 */
export function readStoredMessage(stored: unknown): Message {
  if (isObject(stored) && stored['interlingua'] === STORED_VERSION && isObject(stored['message'])) {
    try {
      return checkAndFreezeMessage(stored['message'] as unknown as Message)
    } catch {
      // An unknown field, or an error that fromJson describes.
    }
  }
  return fromJson(stored, 'message')
}

function assertVersion(version: unknown): void {
  const path = child(undefined, 'interlingua')
  const expects = `a version from 1 to ${STORED_VERSION}`
  if (version === undefined) {
    const hint = 'Use parseMessages for JSON that toJson did not write.'
    throwInvalid('missing-field', path, 'nothing', expects, hint)
  }
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throwInvalid('invalid-value', path, describeType(version), expects)
  if (version > STORED_VERSION) {
    const hint = 'A newer version of interlingua wrote the data: update interlingua.'
    throwInvalid('unsupported-version', path, `version ${version}`, expects, hint)
  }
}
