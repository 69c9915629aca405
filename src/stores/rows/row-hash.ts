import { createHash } from 'node:crypto'
import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message } from '../../canonical/model/message.ts'
import { contentOfMessage } from '../../canonical/read/content-digest.ts'
import { fromJson, toJson } from '../../canonical/stored/stored-form.ts'
import { isBranded, freezeOwned } from '../../wire/frozen-json.ts'
import { stableStringify } from '../../wire/json.ts'
import { damagedError } from '../storage-errors.ts'
import { replaceUnstorable } from '../check-input.ts'
import type { MessageRow, NodeRow, UsageRow } from './row-store.ts'

/** What `wire/digest` computes, many times faster: stores run on Node alone. */
function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** The hashes of messages that cannot change, each with the one before it: a conversation that grows is hashed where it grew. */
const hashCache = new WeakMap<Message, { readonly parent: string; readonly hash: string }>()

/** The hash that stands for everything up to and including a message: its content and the hash of its parent. */
export function hashMessage(message: Message, parent = ''): string {
  const found = hashCache.get(message)
  if (found?.parent === parent) return found.hash
  const hash = sha256(`${parent}\n${stableStringify(contentOfMessage(message))}`)
  if (isBranded(message)) hashCache.set(message, { parent, hash })
  return hash
}

/** The hashes of messages that follow each other. */
export function hashMessageChain(messages: readonly Message[]): readonly string[] {
  let last: string | undefined
  return messages.map((message) => (last = hashMessage(message, last)))
}

/** Over all that verify() vouches for; keys are left out, so that a copy for a fork keeps it. */
export function computeChecksum(row: Omit<MessageRow, 'checksum' | 'key' | 'session' | 'parent'>): string {
  return sha256(JSON.stringify([row.section, row.id, row.depth, row.hash, row.body]))
}

/** Where a message is written, and when. */
export interface MessagePlacement {
  readonly session: string
  readonly section: string
  /** ISO 8601: the day of an answer that does not say when it was made. */
  readonly writtenAt: string
}

/** The row of a message that follows a node of the tree, or begins a section. */
export function toMessageRow(
  message: Message,
  { session, section, writtenAt }: MessagePlacement,
  parent: NodeRow | undefined,
  key: string = createId('m'),
): MessageRow {
  const { parentId: _parentId, ...rest } = message
  const placed: Message = freezeOwned(parent === undefined ? rest : { ...rest, parentId: parent.id })
  const row = {
    key,
    session,
    section,
    id: message.id,
    parent: parent?.key ?? null,
    depth: (parent?.depth ?? 0) + 1,
    hash: hashMessage(message, parent?.hash),
    body: JSON.stringify(toJson(placed)),
    usage: toUsageRow(message, writtenAt),
  }
  const made = { ...row, checksum: computeChecksum(row) }
  messageCache.set(made, placed)
  return made
}

/** What an answer counts for. Its words and numbers are somebody else's, so they are made such that every backend can add them. */
function toUsageRow(message: Message, writtenAt: string): UsageRow | null {
  if (message.role !== 'assistant' || message.usage === undefined) return null
  const { extra: _extra, inputTokens, outputTokens, totalTokens, ...more } = message.usage
  const details = Object.entries(more).map(([name, count]) => [name, clampTokens(count)])
  return {
    inputTokens: clampTokens(inputTokens),
    outputTokens: clampTokens(outputTokens),
    totalTokens: clampTokens(totalTokens),
    ...Object.fromEntries(details),
    provider: replaceUnstorable(message.origin?.provider ?? message.origin?.dialect ?? ''),
    model: replaceUnstorable(message.origin?.model ?? ''),
    day: new Date(message.createdAt ?? writtenAt).toISOString().slice(0, 10),
  }
}

function clampTokens(tokens: number): number {
  return Math.min(Math.max(Math.round(tokens), 0), Number.MAX_SAFE_INTEGER)
}

/** Whether the columns of tokens say what the message does. A copy for a fork counts for nothing. */
export function hasMatchingUsage({ usage }: MessageRow, message: Message): boolean {
  if (usage === null) return true
  // An answer that does not say when it was made counts for the day on which it was written.
  const day = message.createdAt === undefined && { day: usage.day }
  const expected = { ...toUsageRow(message, new Date(0).toISOString()), ...day }
  return stableStringify(expected) === stableStringify({ ...usage })
}

/** The messages of rows that we made or read: what memory keeps needs to be read only once. */
const messageCache = new WeakMap<MessageRow, Message>()

/** The message of a row. */
export function messageFromRow(row: MessageRow): Message {
  const message = messageCache.get(row) ?? parseBody(row)
  messageCache.set(row, message)
  return message
}

/** The message that a row says, checked by the parsers: what is at rest is data and nothing else. */
export function parseBody(row: MessageRow): Message {
  try {
    return fromJson(JSON.parse(row.body), 'message')
  } catch (cause) {
    throw damagedError(`The message ${row.id} cannot be read`, cause)
  }
}
