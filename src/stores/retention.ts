import type { Session } from './session.ts'

/** Which sessions {@link ConversationStorage.prune} deletes. Expired sessions (`expiresAt`) are always deleted. */
export interface PruneSessionsOptions {
  /** Deletes sessions whose last write was before this time (ISO 8601, or a `Date`). */
  readonly olderThan?: string | Date
  /** Number of sessions to keep, the most recently written first. With `olderThan`, both must allow the deletion. */
  readonly keepLast?: number
  /** Deletes only sessions with this label. */
  readonly label?: string
  /**
   * Receives each session and the lines of its export before it is deleted. The session is kept if this rejects, or if
   * the session is written to meanwhile.
   */
  readonly archive?: (session: Session, lines: AsyncIterable<string>) => unknown
  /** If true, nothing is archived or deleted; the receipt lists what would be. */
  readonly isDryRun?: boolean
}

/** The sessions that {@link ConversationStorage.forget} deletes: one, those with a label, or all of the tenant. */
export type ForgetSessionsSelection =
  | { readonly session: string }
  | { readonly label: string }
  /** Must be the tenant of the storage. */
  | { readonly tenant: string }

/** A deleted session. */
export interface DeletedSession {
  readonly id: string
  /** ISO 8601 time of its last write. */
  readonly updatedAt: string
  /** Number of its messages, without those that it shared as a fork. */
  readonly messageCount: number
  /** Ids of sessions that keep messages which they shared with it. Delete them, too, to erase these messages. */
  readonly keptBy: readonly string[]
}

/** A session that was selected for deletion and kept, with the reason. */
export interface KeptSession {
  readonly id: string
  readonly reason: string
}

/** A record of what was deleted. */
export interface DeletionReceipt {
  readonly tenant: string
  /** ISO 8601. */
  readonly deletedAt: string
  readonly deleted: readonly DeletedSession[]
  readonly kept: readonly KeptSession[]
  /** Totals of `deleted`. */
  readonly sessionCount: number
  readonly messageCount: number
}

/** Options of {@link ConversationStorage.forget}. */
export interface ForgetSessionsOptions {
  /** If true, nothing is deleted; the receipt lists what would be. */
  readonly isDryRun?: boolean
}
