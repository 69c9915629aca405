import type { JsonObject } from '../wire/json.ts'

/** A stored conversation without its messages. */
export interface Session {
  readonly id: string
  readonly title: string
  /** Labels set by the application, for filtering. */
  readonly labels: readonly string[]
  readonly parameters: JsonObject
  /** Names of its sections, in order. */
  readonly sections: readonly string[]
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601 time of the last write. */
  readonly updatedAt: string
  /** ISO 8601 time after which `prune()` deletes the session. */
  readonly expiresAt?: string
}

/** Options of a new session. */
export interface NewSession {
  /** Default: a generated id. */
  readonly id?: string
  readonly title?: string
  readonly labels?: readonly string[]
  readonly parameters?: JsonObject
  /** Time after which `prune()` deletes the session (ISO 8601, or a `Date`); `null` for none. */
  readonly expiresAt?: string | Date | null
}

/** The changes to a session; omitted fields stay unchanged. */
export type SessionChanges = Omit<NewSession, 'id'>

/** Filters and paging of a session list, the most recently written first. */
export interface SessionQuery {
  /** Text that the title or id must contain, case-insensitive and without wildcards. */
  readonly search?: string
  /** Label that the session must have. */
  readonly label?: string
  /** Maximum number of sessions. Default: 50; at most 1000. */
  readonly limit?: number
  /** Cursor of the previous page. */
  readonly cursor?: string
}

export interface SessionPage {
  readonly sessions: readonly Session[]
  /** Cursor of the next page; absent on the last one. */
  readonly cursor?: string
}
