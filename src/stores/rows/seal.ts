import { createHash } from 'node:crypto'
import { createId } from '../../canonical/build/identity.ts'
import type { Message } from '../../canonical/model/message.ts'
import { contentOfMessage } from '../../canonical/read/digest.ts'
import { fromJson, toJson } from '../../canonical/stored/stored.ts'
import { isSealed, sealOwn } from '../../wire/frozen.ts'
import { stableText } from '../../wire/json.ts'
import { damaged } from '../failures.ts'
import { storable } from '../names.ts'
import type { MessageRow, NodeRow, UsageRow } from './row.ts'

/** What `wire/digest` computes, many times faster: stores run on Node alone. */
function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** The hashes of messages that cannot change, each with the one before it: a conversation that grows is hashed where it grew. */
const hashed = new WeakMap<Message, { readonly parent: string; readonly hash: string }>()

/** The hash that stands for everything up to and including a message: its content and the hash of its parent. */
export function hashOf(message: Message, parent = ''): string {
  const found = hashed.get(message)
  if (found?.parent === parent) return found.hash
  const hash = sha256(`${parent}\n${stableText(contentOfMessage(message))}`)
  if (isSealed(message)) hashed.set(message, { parent, hash })
  return hash
}

/** The hashes of messages that follow each other. */
export function chainedHashes(messages: readonly Message[]): readonly string[] {
  let last: string | undefined
  return messages.map((message) => (last = hashOf(message, last)))
}

/** Over all that verify() vouches for; keys are left out, so that a copy for a fork keeps it. */
export function checksumOf(row: Omit<MessageRow, 'checksum' | 'key' | 'session' | 'parent'>): string {
  return sha256(JSON.stringify([row.section, row.id, row.depth, row.hash, row.body]))
}

/** Where a message is written, and when. */
export interface Place {
  readonly session: string
  readonly section: string
  /** ISO 8601: the day of an answer that does not say when it was made. */
  readonly writtenAt: string
}

/** The row of a message that follows a node of the tree, or begins a section. */
export function rowOf(
  message: Message,
  { session, section, writtenAt }: Place,
  parent: NodeRow | undefined,
  key: string = createId('m'),
): MessageRow {
  const { parentId: _parentId, ...rest } = message
  const placed: Message = sealOwn(parent === undefined ? rest : { ...rest, parentId: parent.id })
  const row = {
    key,
    session,
    section,
    id: message.id,
    parent: parent?.key ?? null,
    depth: (parent?.depth ?? 0) + 1,
    hash: hashOf(message, parent?.hash),
    body: JSON.stringify(toJson(placed)),
    usage: usageOf(message, writtenAt),
  }
  const made = { ...row, checksum: checksumOf(row) }
  known.set(made, placed)
  return made
}

/** What an answer counts for. Its words and numbers are somebody else's, so they are made such that every backend can add them. */
function usageOf(message: Message, writtenAt: string): UsageRow | null {
  if (message.role !== 'assistant' || message.usage === undefined) return null
  const { extra: _extra, inputTokens, outputTokens, totalTokens, ...more } = message.usage
  const details = Object.entries(more).map(([name, count]) => [name, countOf(count)])
  return {
    inputTokens: countOf(inputTokens),
    outputTokens: countOf(outputTokens),
    totalTokens: countOf(totalTokens),
    ...Object.fromEntries(details),
    provider: storable(message.origin?.provider ?? message.origin?.dialect ?? ''),
    model: storable(message.origin?.model ?? ''),
    day: new Date(message.createdAt ?? writtenAt).toISOString().slice(0, 10),
  }
}

function countOf(tokens: number): number {
  return Math.min(Math.max(Math.round(tokens), 0), Number.MAX_SAFE_INTEGER)
}

/** Whether the columns of tokens say what the message does. A copy for a fork counts for nothing. */
export function isCounted({ usage }: MessageRow, message: Message): boolean {
  if (usage === null) return true
  // An answer that does not say when it was made counts for the day on which it was written.
  const day = message.createdAt === undefined && { day: usage.day }
  const said = { ...usageOf(message, new Date(0).toISOString()), ...day }
  return stableText(said) === stableText({ ...usage })
}

/** The messages of rows that we made or read: what memory keeps needs to be read only once. */
const known = new WeakMap<MessageRow, Message>()

/** The message of a row. */
export function messageOf(row: MessageRow): Message {
  const message = known.get(row) ?? readBody(row)
  known.set(row, message)
  return message
}

/** The message that a row says, checked by the parsers: what is at rest is data and nothing else. */
export function readBody(row: MessageRow): Message {
  try {
    return fromJson(JSON.parse(row.body), 'message')
  } catch (cause) {
    throw damaged(`The message ${row.id} cannot be read`, cause)
  }
}
