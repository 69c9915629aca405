import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message } from '../../canonical/model/message.ts'
import { toComparableContent } from '../../canonical/read/content-digest.ts'
import { readStoredMessage, toJson } from '../../canonical/stored/stored-form.ts'
import { digestText } from '../../wire/digest.ts'
import { isBranded, freezeOwned } from '../../wire/frozen-json.ts'
import { stableStringify } from '../../wire/json.ts'
import { createDamagedDataError } from '../storage-errors.ts'
import { replaceUnstorableCharacters } from '../check-arguments.ts'
import type { MessageBody, MessageRow, NodeRow, UsageRow } from './row-definitions.ts'

/** Number of entries after which a new map is started. */
const MAX_ENTRIES = 20_000

/**
 * A WeakMap that forgets its oldest entries: it keeps at least the last 20,000. A large WeakMap copies all of its entries
 * at once when it grows, and each garbage collection visits them; the process does nothing else meanwhile.
 */
export class RecentWeakMap<K extends object, V> {
  #recent = new WeakMap<K, V>()
  #older = new WeakMap<K, V>()
  #count = 0

  get(key: K): V | undefined {
    return this.#recent.get(key) ?? this.#older.get(key)
  }

  set(key: K, value: V): void {
    if (this.#count >= MAX_ENTRIES) {
      this.#older = this.#recent
      this.#recent = new WeakMap()
      this.#count = 0
    }
    this.#recent.set(key, value)
    this.#count += 1
  }
}

/** Hashes of frozen messages and their parents: of a growing conversation, only new messages are hashed. */
const hashCache = new RecentWeakMap<Message, { readonly parent: string; readonly hash: string }>()

/** Returns the hash of a message's content and its parent's hash; it covers everything up to the message. */
export function hashMessage(message: Message, parent = ''): string {
  const found = hashCache.get(message)
  if (found?.parent === parent) return found.hash
  const digest = computeMessageHash(message, parent)
  if (isBranded(message)) hashCache.set(message, { parent, hash: digest })
  return digest
}

/** Computes what {@link hashMessage} returns, for messages that are not hashed again. */
export function computeMessageHash(message: Message, parent = ''): string {
  return digestText(`${parent}\n${stableStringify(toComparableContent(message))}`)
}

/** Returns the hashes of consecutive messages. */
export function hashMessageChain(messages: readonly Message[]): readonly string[] {
  let last: string | undefined
  return messages.map((message) => (last = hashMessage(message, last)))
}

/** Returns the checksum of what `verify()` checks; without keys, so that the copy for a fork keeps it. */
export function computeChecksum(row: Omit<MessageRow, 'checksum' | 'key' | 'session' | 'parent'>): string {
  return digestText(JSON.stringify([row.section, row.id, row.depth, row.hash, row.body]))
}

/** The position and time of a message to be written. */
export interface MessagePlacement {
  readonly session: string
  readonly section: string
  /** ISO 8601 time of the write; used for usage if the message has no creation time. */
  readonly writtenAt: string
}

/** Builds the row of a message after a parent, or at the start of a section. */
export function toMessageRow(
  message: Message,
  { session, section, writtenAt }: MessagePlacement,
  parent: NodeRow | undefined,
  key: string = createId('m'),
): MessageRow {
  const { parentId: _parentId, ...rest } = message
  const stored: Message = freezeOwned(parent === undefined ? rest : { ...rest, parentId: parent.id })
  const row = {
    key,
    session,
    section,
    id: message.id,
    parent: parent?.key ?? null,
    depth: (parent?.depth ?? 0) + 1,
    hash: hashMessage(message, parent?.hash),
    body: JSON.stringify(toJson(stored)),
    usage: toUsageRow(message, writtenAt),
  }
  const messageRow = { ...row, checksum: computeChecksum(row) }
  KeptMessage.set(messageRow, stored)
  return messageRow
}

/** Returns the usage of an assistant message, normalized so that every backend can store and add it. */
function toUsageRow(message: Message, writtenAt: string): UsageRow | null {
  if (message.role !== 'assistant' || message.usage === undefined) return null
  const { extra: _extra, inputTokens, outputTokens, totalTokens, ...more } = message.usage
  const details = Object.entries(more).map(([name, count]) => [name, clampTokens(count)])
  return {
    inputTokens: clampTokens(inputTokens),
    outputTokens: clampTokens(outputTokens),
    totalTokens: clampTokens(totalTokens),
    ...Object.fromEntries(details),
    provider: replaceUnstorableCharacters(message.origin?.provider ?? message.origin?.dialect ?? ''),
    model: replaceUnstorableCharacters(message.origin?.model ?? ''),
    day: new Date(message.createdAt ?? writtenAt).toISOString().slice(0, 10),
  }
}

function clampTokens(tokens: number): number {
  return Math.min(Math.max(Math.round(tokens), 0), Number.MAX_SAFE_INTEGER)
}

/** Tests whether the usage columns match the message. The copy for a fork has none. */
export function hasMatchingUsage({ usage }: MessageRow, message: Message): boolean {
  if (usage === null) return true
  // A message without a creation time is counted on the day of its write.
  const day = message.createdAt === undefined && { day: usage.day }
  const expected = { ...toUsageRow(message, new Date(0).toISOString()), ...day }
  return stableStringify(expected) === stableStringify({ ...usage })
}

/** Returns its argument from the constructor, so that a subclass adds its private field to that object. */
class RowTarget {
  constructor(row: MessageBody) {
    return row
  }
}

/**
 * The message of a row that was built in this process, or that {@link keepParsedMessage} was called for, as a private
 * field of the row. A WeakMap of all rows of a long session blocks the process whenever it grows.
 */
class KeptMessage extends RowTarget {
  #message: Message | undefined

  static has(row: MessageBody): boolean {
    return #message in row
  }

  static get(row: MessageBody): Message | undefined {
    return #message in row ? row.#message : undefined
  }

  static set(row: MessageBody, message: Message | undefined): void {
    const target = #message in row ? row : new KeptMessage(row)
    target.#message = message
  }
}

/**
 * Lets a row that stays in memory keep its message once it is parsed. Rows of a database are read anew each time:
 * remembering their messages would cost more than it saves.
 */
export function keepParsedMessage(row: MessageBody): void {
  if (!KeptMessage.has(row)) KeptMessage.set(row, undefined)
}

/** Returns the message of a row. */
export function messageFromRow(row: MessageBody): Message {
  const known = KeptMessage.get(row)
  if (known !== undefined) return known
  const message = parseRowBody(row)
  if (KeptMessage.has(row)) KeptMessage.set(row, message)
  return message
}

/** Parses and validates the message of a row; stored data is not trusted. */
export function parseRowBody(row: MessageBody): Message {
  try {
    return readStoredMessage(JSON.parse(row.body))
  } catch (cause) {
    throw createDamagedDataError(`The message at position ${row.depth} cannot be read`, cause)
  }
}
