import type { Session } from '../conversation-storage.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import type { InterlinguaError } from '../../errors.ts'

/** The reason why a stored row counts as damaged. */
export interface RowFault {
  /** True if its fields could not be read; some of them are then empty. Otherwise its checksum does not match. */
  readonly isUnreadable: boolean
  readonly reason: string
  /** The error that reading the row causes, if it is not damaged: its key is missing. */
  readonly error?: InterlinguaError
}

/** A row that a backend may have found to be damaged. */
interface CheckedRow {
  /** Set by a backend that checks its rows. It is never stored. */
  readonly fault?: RowFault
}

/** A session. Keys are generated internally; ids are set by the caller and unique within a tenant. */
export interface SessionRow extends Omit<Session, 'sections'>, CheckedRow {
  readonly key: string
  readonly tenant: string
}

/** Returns the text that session searches match, in lower case. */
export function toSessionSearchText({ title, id }: Pick<SessionRow, 'title' | 'id'>): string {
  return `${title}\n${id}`.toLowerCase()
}

/** A section of a session. */
export interface SectionRow extends CheckedRow {
  readonly session: string
  readonly name: string
  readonly position: number
  /** Key of the last message of another session that a fork shares. */
  readonly forkPoint: string | null
  /**
   * Keys of the sessions that own shared messages, the owner of the fork point first. Some may be extra; none is
   * missing.
   */
  readonly lineage: readonly string[]
  readonly head: string | null
}

/** The position of a message in the tree. */
export interface NodeRow {
  readonly key: string
  /** Key of the session that wrote it. */
  readonly session: string
  readonly section: string
  readonly id: string
  readonly parent: string | null
  /** Number of messages on the path to it; one more than the parent's. */
  readonly depth: number
  /** Hash of its content and its parent's hash. */
  readonly hash: string
}

/** The position of a message, without its content and its hash. */
export type MessageTreePosition = Pick<NodeRow, 'key' | 'section' | 'parent' | 'depth'>

/** Token usage of a response, with the fields it is grouped by. */
export interface UsageRow extends Omit<Usage, 'extra'> {
  readonly provider: string
  readonly model: string
  readonly day: string
}

/** The content of a message. */
export interface MessageBody extends Pick<NodeRow, 'depth'> {
  /** Versioned stored form as JSON text. */
  readonly body: string
}

/** A message; one row, written once. */
export interface MessageRow extends NodeRow, MessageBody {
  /** Checksum of everything that `verify()` checks. */
  readonly checksum: string
  readonly usage: UsageRow | null
}

/** A label of a message in a session. */
export interface LabelRow extends CheckedRow {
  readonly session: string
  readonly message: string
  readonly label: string
}

/** The lease of a session: the right of one run to write to the conversation. */
export interface LeaseRow {
  readonly session: string
  readonly token: string
  readonly holder: string
  /** Milliseconds since 1970. */
  readonly acquiredAtMs: number
  readonly expiresAtMs: number
  readonly isReleaseRequested: boolean
}
