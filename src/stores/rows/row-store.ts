import type { IntegrityIssue, UsageTotal } from '../conversation-storage.ts'
import type { SearchCandidatePage, SearchRowQuery, SessionRowQuery, UsageRowQuery } from './row-queries.ts'
import type {
  LabelRow,
  LeaseRow,
  MessageBody,
  MessageTreePosition,
  MessageRow,
  NodeRow,
  SectionRow,
  SessionRow,
} from './row-definitions.ts'

/** Reads the messages of sessions: single ones, paths, branches and whole sessions. */
export interface MessageTreeQueries {
  node(key: string): Promise<NodeRow | undefined>
  /** Returns the nodes with these ids that these sessions own. */
  nodesById(sessions: readonly string[], ids: readonly string[]): Promise<readonly NodeRow[]>
  /** Returns the nodes with a hash, which covers the path to them and so determines their depth. */
  nodesByHash(
    sessions: readonly string[],
    section: string,
    hash: string,
    depth: number,
  ): Promise<readonly NodeRow[]>
  /** Returns the node at a depth on the path to a message. */
  ancestor(key: string, depth: number): Promise<NodeRow | undefined>
  /** Returns the nodes of a session without a child in the same session. */
  branchHeads(session: string, section: string): Promise<readonly NodeRow[]>
  /** Returns the nodes of a session whose parent belongs to another session. */
  nodesWithForeignParent(session: string, section: string): Promise<readonly NodeRow[]>

  message(key: string): Promise<MessageRow | undefined>
  /** Returns the messages with these keys, in any order. */
  messages(keys: readonly string[]): Promise<readonly MessageRow[]>
  /** Returns the path to a message, from first to last; with `last`, only that many from the end. */
  pathTo(key: string, last?: number): Promise<readonly MessageRow[]>
  /** Returns messages of {@link pathTo} whose body contains one of these texts. It may search more than the `last` ones. */
  pathMatches(key: string, texts: readonly string[], last?: number): Promise<readonly MessageRow[]>
  /** Returns the contents of the messages of {@link pathTo}; reading complete rows takes longer. */
  bodiesTo(key: string, last?: number): Promise<readonly MessageBody[]>
  /** Returns the newest children of a message within the same session. */
  newestChildren(key: string, limit: number): Promise<readonly MessageRow[]>
  /** Returns the descendants of a message within the same session, parents first. */
  descendants(key: string): Promise<readonly MessageRow[]>
  /** Returns the number of messages that a session owns. */
  countMessages(session: string): Promise<number>
  /** Yields the positions of the messages that a session owns in pages, in any order. */
  ownPositions(session: string): AsyncIterable<readonly MessageTreePosition[]>
  /** Yields the messages that a session owns in pages, parents first. */
  ownMessages(session: string): AsyncIterable<readonly MessageRow[]>
}

/** The row operations of a backend within one transaction. All storage operations are built on these. */
export interface RowTransaction extends MessageTreeQueries {
  /**
   * Returns a session of a tenant. In a write transaction, it is locked until the end. `messageIds` are looked up next with
   * {@link nodesById}: a backend may read them at once.
   */
  session(tenant: string, id: string, messageIds?: readonly string[]): Promise<SessionRow | undefined>
  /** Returns a session by its key, locked in the same way. */
  sessionByKey(key: string): Promise<SessionRow | undefined>
  sessions(query: SessionRowQuery): Promise<readonly SessionRow[]>
  putSession(row: SessionRow): Promise<void>
  /**
   * Removes a session with its sections, messages, labels and lease. A backend may leave messages and labels to
   * {@link RowStore.removeLeftovers}; no other operation finds them.
   */
  removeSession(key: string): Promise<void>

  /** Returns the sections of some sessions, ordered by position. */
  sections(sessions: readonly string[]): Promise<readonly SectionRow[]>
  putSection(row: SectionRow): Promise<void>
  /** Removes a section with its messages. */
  removeSection(session: string, name: string): Promise<void>
  /** Returns the sections whose fork point is a message of this session: it is the first of their lineage. */
  dependentSections(session: string): Promise<readonly SectionRow[]>

  insertMessages(rows: readonly MessageRow[]): Promise<void>
  /** Overwrites existing rows. */
  updateMessages(rows: readonly MessageRow[]): Promise<void>
  removeMessages(keys: readonly string[]): Promise<void>
  /** Makes another session the owner of messages. Their token usage is no longer counted. */
  transferMessages(keys: readonly string[], session: string): Promise<void>

  /**
   * Reserves the key of a session that is not stored yet: its messages and labels can be written in several transactions.
   * They are removed after this time, unless {@link endReservation} is called.
   */
  reserveSession?(session: Pick<SessionRow, 'key' | 'tenant'>, durationMs: number): Promise<void>
  /** Ends a reservation. The messages stay if the session is stored in the same transaction, else they are removed. */
  endReservation?(session: string, keepsMessages: boolean): Promise<void>

  labels(session: string): Promise<readonly LabelRow[]>
  putLabel(row: LabelRow): Promise<void>
  removeLabel(row: LabelRow): Promise<void>

  /** Returns the lease of a session, expired or not. Leases need not outlive the processes that can hold them. */
  lease(session: string): Promise<LeaseRow | undefined>
  putLease(row: LeaseRow): Promise<void>
  removeLease(session: string): Promise<void>
  /** Returns the milliseconds since 1970 by the clock that all processes share. Default: that of the process. */
  now?(): Promise<number>

  usage(query: UsageRowQuery): Promise<readonly UsageTotal[]>
  /**
   * Returns the messages of a tenant that have the tokens of a query, ordered by time, the newest first. Some may be outside
   * of its times. Without this function, all messages of the tenant are read for each search.
   */
  search?(query: SearchRowQuery): Promise<SearchCandidatePage>
  /** Returns the keys of those messages whose entry in the index of {@link search} is missing or outdated. */
  findUnindexed?(rows: readonly MessageRow[], tenant: string): Promise<readonly string[]>
}

/** The rows that a transaction uses. */
export interface TransactionScope {
  /** The tenant of all rows: a backend may keep each tenant in a place of its own. */
  readonly tenant: string
  /** Id of the session that is locked first, if known: writers can wait for it before they use a connection. */
  readonly session?: string
}

/** An append after a head that was read earlier. It is valid only while the session and the section are unchanged. */
export interface UnchangedAppend {
  /** The session and the section as they were read. */
  readonly session: SessionRow
  readonly section: SectionRow
  /** The session with the new time of the last write, and the section with the new head. */
  readonly touchedSession: SessionRow
  readonly movedSection: SectionRow
  /** The new messages; the last one is the new head. */
  readonly messages: readonly MessageRow[]
  /** Keys of the sessions that must not contain messages with the ids of the new ones. */
  readonly owners: readonly string[]
  /** Token of the lease that must be in effect. */
  readonly lease?: string
}

/** A backend that stores rows. {@link createStorage} builds a storage on it. */
export interface RowStore {
  /** Name of the backend, such as `sqlite` or `postgresql`. */
  readonly backend?: string
  /** Runs `act` on a consistent snapshot. `act` may be called again if a backend cannot finish it. */
  read<T>(act: (rows: RowTransaction) => Promise<T>, scope: TransactionScope): Promise<T>
  /**
   * Runs `act` atomically. Everything is durable when this resolves; nothing is stored if it rejects. `act` may be called
   * again if another writer came first.
   */
  write<T>(act: (rows: RowTransaction) => Promise<T>, scope: TransactionScope): Promise<T>
  /** Appends messages durably if the stored session and section are the given ones; returns whether they were. */
  appendIfUnchanged?(append: UnchangedAppend, scope: TransactionScope): Promise<boolean>
  /** True if the rows have {@link RowTransaction.reserveSession} and {@link RowTransaction.endReservation}. */
  readonly supportsReservations?: boolean
  /** Removes what {@link RowTransaction.removeSession} has left, in small transactions. */
  removeLeftovers?(): Promise<void>
  /** Returns integrity issues found below the rows, such as unreadable lines or a damaged database. */
  integrityIssues?(tenant: string): readonly IntegrityIssue[] | Promise<readonly IntegrityIssue[]>
  /** Creates or repairs the index of searches over all tenants, and returns the number of messages that it lacked. */
  rebuildSearchIndex?(): Promise<number>
  close(): Promise<void>
}
