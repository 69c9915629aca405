import type { UsageQuery } from '../conversation-storage.ts'
import type { MessageRow } from './row-definitions.ts'

/** The last session of the previous page. */
export interface SessionPosition {
  readonly updatedAt: string
  readonly key: string
}

export interface SessionRowQuery {
  readonly tenant: string
  /** Lower-case search text. */
  readonly search?: string
  readonly label?: string
  readonly after?: SessionPosition
  readonly limit: number
}

export interface UsageRowQuery extends Omit<UsageQuery, 'by'>, Required<Pick<UsageQuery, 'by'>> {
  readonly tenant: string
}

/** Tokens that a message must have, and must not have. A token consists of letters and digits. */
export interface TokenConditions {
  readonly required: readonly string[]
  /** Starts of tokens; a message must have a token for each of them. */
  readonly prefixes: readonly string[]
  readonly excluded: readonly string[]
  /** Tokens of which a message must have one; empty for no condition. */
  readonly anyOf: readonly string[]
}

/** The position of a message in the order of search results. Only its backend knows what it means. */
export interface SearchPosition {
  readonly time: number
  readonly key: string
}

/** Selects messages by their tokens (see `toSearchDocument`), the newest first. */
export interface SearchRowQuery {
  readonly tenant: string
  readonly tokens: TokenConditions
  /** First time to include, and first time to exclude, in milliseconds since 1970. */
  readonly fromMs?: number
  readonly toMs?: number
  /** The last message that was returned before. */
  readonly after?: SearchPosition
  readonly limit: number
}

/** A message that has the tokens of a query. */
export interface SearchCandidate {
  readonly row: MessageRow
  readonly timeMs: number
  readonly position: SearchPosition
}

/** A page of messages that have the tokens of a query, the newest first. */
export interface SearchCandidatePage {
  readonly candidates: readonly SearchCandidate[]
  /** Position after which more may follow; absent if none do. */
  readonly end?: SearchPosition
}

/** Returns the descendants of a message among those of its session at greater depths, parents first. */
export async function findDescendants(
  key: string,
  pages: AsyncIterable<readonly MessageRow[]>,
): Promise<readonly MessageRow[]> {
  const keys = new Set([key])
  const found: MessageRow[] = []
  for await (const page of pages)
    for (const row of page) {
      if (row.parent === null || !keys.has(row.parent)) continue
      keys.add(row.key)
      found.push(row)
    }
  return found
}
