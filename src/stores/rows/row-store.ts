import type { IntegrityIssue, Session, UsageQuery, UsageTotal } from '../conversation-storage.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import type { InterlinguaError } from '../../errors.ts'

/** Why a stored row is not what was written. */
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
export function toSearchText({ title, id }: Pick<SessionRow, 'title' | 'id'>): string {
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
export type MessagePosition = Pick<NodeRow, 'key' | 'section' | 'parent' | 'depth'>

/** Token usage of a response, with the fields it is grouped by. */
export interface UsageRow extends Omit<Usage, 'extra'> {
  readonly provider: string
  readonly model: string
  readonly day: string
}

/** The content of a message. */
export interface MessageBody extends Pick<NodeRow, 'id' | 'depth'> {
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

/** The row operations of a backend within one transaction. All storage operations are built on these. */
export interface RowTransaction {
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

  node(key: string): Promise<NodeRow | undefined>
  /** Returns the nodes with these ids that these sessions own. */
  nodesById(sessions: readonly string[], ids: readonly string[]): Promise<readonly NodeRow[]>
  nodesByHash(sessions: readonly string[], section: string, hash: string): Promise<readonly NodeRow[]>
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
  /** Returns the messages on the path to a message whose body contains one of these texts, from first to last. */
  pathMatches(key: string, texts: readonly string[]): Promise<readonly MessageRow[]>
  /** Returns the contents of the messages of {@link pathTo}; reading complete rows takes longer. */
  bodiesTo(key: string, last?: number): Promise<readonly MessageBody[]>
  /** Returns the children of a message within the same session. */
  children(key: string): Promise<readonly MessageRow[]>
  /** Returns the descendants of a message within the same session, parents first. */
  descendants(key: string): Promise<readonly MessageRow[]>
  /** Returns the number of messages that a session owns. */
  countMessages(session: string): Promise<number>
  /** Yields the positions of the messages that a session owns in pages, in any order. */
  ownPositions(session: string): AsyncIterable<readonly MessagePosition[]>
  /** Yields the messages that a session owns in pages, parents first. */
  ownMessages(session: string): AsyncIterable<readonly MessageRow[]>
  insertMessages(rows: readonly MessageRow[]): Promise<void>
  /** Overwrites existing rows. */
  updateMessages(rows: readonly MessageRow[]): Promise<void>
  removeMessages(keys: readonly string[]): Promise<void>
  /** Makes another session the owner of messages. Their token usage is no longer counted. */
  transferMessages(keys: readonly string[], session: string): Promise<void>

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
  /** The new time of the last write. */
  readonly updatedAt: string
  /** The new messages; the last one becomes the head. */
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
  /**
   * Appends messages durably if the stored session and section are the given ones, and returns whether they were. A
   * backend implements it if comparing rows is faster than reading them.
   */
  appendIfUnchanged?(append: UnchangedAppend, scope: TransactionScope): Promise<boolean>
  /** Removes what {@link RowTransaction.removeSession} has left, in small transactions. */
  removeLeftovers?(): Promise<void>
  /** Returns integrity issues found below the rows, such as unreadable lines or a damaged database. */
  integrityIssues?(tenant: string): readonly IntegrityIssue[] | Promise<readonly IntegrityIssue[]>
  /** Creates or repairs the index of searches over all tenants, and returns the number of messages that it lacked. */
  rebuildSearchIndex?(): Promise<number>
  close(): Promise<void>
}
