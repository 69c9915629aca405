import { assert } from './assertions.ts'
import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message } from '../../canonical/model/message.ts'
import { textOf } from '../../canonical/read/message-content.ts'
import { InterlinguaError, type ErrorCode } from '../../errors.ts'
import type { ConversationStorage, SearchHit, SearchQuery, SessionQuery } from '../conversation-storage.ts'

/** The storage to test. */
export interface StorageUnderTest {
  /** Opens the storage. Earlier writes must be present, unless it is volatile. */
  open(): Promise<ConversationStorage>
  /** True if closing loses all data. */
  readonly isVolatile?: boolean
  /** True if it can be opened several times at once, as by several processes. */
  readonly supportsSharing?: boolean
  /** False if `search()` is refused with `unsupported`, as by an encrypted storage. */
  readonly supportsSearch?: boolean
  /** Number of messages of the longest session. Default: 100,000. */
  readonly messageCount?: number
  /** Amount of random operations. The message of a failure names its seed. Default: 60 operations for each of 3 seeds. */
  readonly random?: {
    readonly operations?: number
    readonly seeds?: number
    /** Default: 1. */
    readonly firstSeed?: number
  }
}

/** Checks by name. Each runs on a storage for a tenant of its own. */
export type ConformanceChecks = {
  readonly [name: string]: (storage: ConversationStorage, subject: StorageUnderTest) => Promise<void>
}

/** Returns a unique tenant name. */
export function createTenantName(): string {
  return createId('tenant')
}

/** Runs a check on all items at the same time. */
export async function forEachAtOnce<T>(items: Iterable<T>, check: (item: T) => Promise<void>): Promise<void> {
  await Promise.all(Array.from(items, check))
}

/** Returns the texts of messages. */
export function listMessageTexts(messages: Iterable<Message>): string[] {
  return Array.from(messages, (message) => textOf(message))
}

/** Returns the ids of the sessions on the first page of a list. */
export async function listSessionIds(storage: ConversationStorage, query?: SessionQuery): Promise<string[]> {
  return (await storage.sessions(query)).sessions.map(({ id }) => id)
}

/** Returns the lines of an exported session. */
export async function exportLines(storage: ConversationStorage, session: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of storage.exportSession(session)) lines.push(line)
  return lines
}

/** Expects an InterlinguaError with a code. */
export async function expectError(code: ErrorCode, act: () => Promise<unknown>): Promise<void> {
  await assert.rejects(act, (error) => {
    assert.ok(error instanceof InterlinguaError, `expected an InterlinguaError, got ${String(error)}`)
    assert.equal(error.code, code)
  })
}

/** Returns a message as it is read back: with the id of its parent. */
export function withParent(message: Message, parent: Message | undefined): Message {
  const { parentId: _parentId, ...rest } = message
  return parent === undefined ? rest : { ...rest, parentId: parent.id }
}

/** Returns the hits of all pages. */
export async function searchAll(
  storage: ConversationStorage,
  query: SearchQuery,
): Promise<readonly SearchHit[]> {
  const hits: SearchHit[] = []
  let cursor: string | undefined
  do {
    const page = await storage.search({ ...query, ...(cursor !== undefined && { cursor }) })
    for (const hit of page.hits) hits.push(hit)
    cursor = page.cursor
  } while (cursor !== undefined)
  return hits
}

/** Returns the ids of the messages that a search finds, sorted. */
export async function searchIds(
  storage: ConversationStorage,
  query: string,
  filters: Omit<SearchQuery, 'query'> = {},
): Promise<readonly string[]> {
  return (await searchAll(storage, { query, ...filters })).map(({ message }) => message).toSorted()
}
