import { describe, isObject, ownValue } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { MessageStore, type StoreJson } from '../collections/message-store.ts'
import { Messages } from '../collections/messages.ts'
import type { Message } from '../model/message.ts'
import type { ChatRequest } from '../model/request.ts'
import type { ChatResponse } from '../model/response.ts'
import type { ParseOptions } from '../parse/parse.ts'
import { leniently, readMessages, readRequest } from '../parse/readers.ts'
import { responseShape } from '../shape/request.ts'
import { fail, type Reading } from '../shape/shape.ts'
import { readStore } from './store-shape.ts'

/** The version that {@link toJson} writes. Older ones stay readable. */
export const STORED_VERSION = 1

/** What can be stored, by kind. */
export interface StoredValues {
  readonly message: Message
  readonly messages: Messages
  readonly request: ChatRequest
  readonly response: ChatResponse
  readonly store: MessageStore
}

export type StoredKind = keyof StoredValues

/** The stored form: the version, and one key that says what it is. Plain JSON. */
export type Stored =
  | { readonly interlingua: number; readonly message: Message }
  | { readonly interlingua: number; readonly messages: readonly Message[] }
  | { readonly interlingua: number; readonly request: ChatRequest }
  | { readonly interlingua: number; readonly response: ChatResponse }
  | { readonly interlingua: number; readonly store: StoreJson }

/** How {@link toJson} writes. */
export interface StoreOptions {
  /** Whether the application's metadata of messages is written. Default: true. */
  readonly metadata?: boolean
}

/**
 * The stored form of a message, a conversation, a request, a response or a store.
 *
 * @example
 * await writeFile('chat.json', JSON.stringify(toJson(messages)))
 */
export function toJson(
  value: Message | Messages | readonly Message[] | ChatRequest | ChatResponse | MessageStore,
  { metadata = true }: StoreOptions = {},
): Stored {
  const write = metadata ? <T extends Message>(message: T): T => message : withoutMetadata
  const version = { interlingua: STORED_VERSION }
  if (value instanceof MessageStore) return { ...version, store: withSections(value.toJSON(), write) }
  if (Symbol.iterator in value) return { ...version, messages: Array.from(value, write) }
  if ('role' in value) return { ...version, message: write(value) }
  if ('candidates' in value)
    return { ...version, response: { ...value, candidates: value.candidates.map(write) } }
  return { ...version, request: { ...value, messages: Array.from(value.messages, write) } }
}

function withoutMetadata<T extends Message>({ metadata: _metadata, ...rest }: T): T {
  return rest as T
}

function withSections(store: StoreJson, write: (message: Message) => Message): StoreJson {
  return {
    ...store,
    sections: store.sections.map(({ name, messages }) => ({ name, messages: messages.map(write) })),
  }
}

type Readers = {
  readonly [K in StoredKind]: (value: unknown, at: Path, reading: Reading) => StoredValues[K]
}

/** Reads each kind as this version writes it; a new version adds a step from the old form to the new. */
const readers: Readers = {
  message: (value, at, reading) => reading.message(value, at, reading, {}),
  messages: (value, at, reading) => Messages.from(readMessages(value, at, reading)),
  request: readRequest,
  response: (value, at, reading) => responseShape.read(value, at, reading, {}),
  store: readStore,
}

/**
 * What {@link toJson} stored, of this version or an older one. Says what it found when it is of another kind.
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
  if (!isObject(stored))
    return fail('invalid-type', undefined, describe(stored), 'the stored form: an object')
  checkVersion(ownValue(stored, 'interlingua'))
  const found = Object.keys(readers).find((each) => ownValue(stored, each) !== undefined)
  if (found !== kind) return fail('wrong-kind', undefined, found ?? 'nothing that can be read', kind)
  return readers[kind](ownValue(stored, kind), below(undefined, kind), leniently(options))
}

function checkVersion(version: unknown): void {
  const at = below(undefined, 'interlingua')
  const expects = `a version from 1 to ${STORED_VERSION}`
  if (version === undefined)
    fail('missing-field', at, 'nothing', expects, 'Parse what is not in our stored form with parseMessages.')
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    fail('invalid-value', at, describe(version), expects)
  }
  if (version > STORED_VERSION) {
    fail(
      'unsupported-version',
      at,
      `version ${version}`,
      expects,
      'It was written by a newer interlingua: update.',
    )
  }
}
