import type { Role } from '../canonical/model/message.ts'

/** A search in stored messages. */
export interface SearchQuery {
  /**
   * Words that a message must contain, in any order and case. `"a phrase"` must occur as it is, `pre*` is the start of a
   * word, `-word` must not occur. Everything else separates words. Chinese, Japanese, Korean and Thai text is found
   * anywhere, without spaces.
   */
  readonly query: string
  /** Role that the message must have. */
  readonly role?: Role
  /** Tool that the message must call, or whose result it must contain. */
  readonly tool?: string
  /** First time to include (ISO 8601, or a `Date`). */
  readonly after?: string | Date
  /** First time to exclude. */
  readonly before?: string | Date
  /** Session in which to search, what it shares as a fork included. Default: all sessions of the tenant. */
  readonly session?: string
  /** Maximum number of hits. Default: 20; at most 100. */
  readonly limit?: number
  /** Cursor of the previous page. */
  readonly cursor?: string
}

/** The part of a text around the first match. */
export interface SearchSnippet {
  readonly text: string
  /** Start and end of each match in `text`, in order and without overlaps. */
  readonly matches: readonly (readonly [start: number, end: number])[]
}

/** A message that was found. */
export interface SearchHit {
  /** Id of the session. A message that forks share is found once, in the session that contains it itself. */
  readonly session: string
  readonly section: string
  /** Id of the message. */
  readonly message: string
  readonly role: Role
  /** ISO 8601 time of the message; that of its first write if it has none. */
  readonly time: string
  /** True if the message is on the path to the head of its section; false on other branches. */
  readonly isCurrent: boolean
  readonly snippet: SearchSnippet
  /** Higher if the words occur more often. Comparable between the hits of one query. */
  readonly score: number
}

/** Hits, the newest message first; those of the same second in a stable order. */
export interface SearchPage {
  readonly hits: readonly SearchHit[]
  /**
   * Cursor of the next page; absent on the last one. A page may have fewer hits than `limit`, or none, although more
   * follow: a search examines a limited number of messages at once.
   */
  readonly cursor?: string
}
