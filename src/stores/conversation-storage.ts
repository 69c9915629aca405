import type { MessageInput } from '../canonical/collections/message-input.ts'
import type { MessageStore } from '../canonical/collections/message-store.ts'
import type { Messages } from '../canonical/collections/messages.ts'
import type { Message } from '../canonical/model/message.ts'
import type { Usage } from '../canonical/model/usage.ts'
import type {
  DeletionReceipt,
  ForgetSessionsOptions,
  ForgetSessionsSelection,
  PruneSessionsOptions,
} from './retention.ts'
import type { SearchHit, SearchPage, SearchQuery, SearchSnippet } from './message-search.ts'
import type { LeaseOperations } from './lease.ts'
import type { NewSession, Session, SessionChanges, SessionPage, SessionQuery } from './session.ts'

export type { SearchHit, SearchPage, SearchQuery, SearchSnippet }
export type { NewSession, Session, SessionChanges, SessionPage, SessionQuery }

/** One or several messages. */
export type MessagesInput = MessageInput | Iterable<MessageInput>

/** Section of the session. Default: `messages`. */
export interface SectionOptions {
  readonly section?: string
}

export interface AppendOptions extends SectionOptions {
  /**
   * Id of the message that must be the head, or `null` for an empty section; otherwise the call fails with
   * `conflict`. If omitted, the messages are appended to the current head.
   */
  readonly expectedHead?: string | null
  /**
   * Id of a message after which to append instead of the head, or `null` for the start; the last message
   * becomes the head.
   */
  readonly after?: string | null
  /**
   * Token of a {@link Lease}; the call fails with `lease-expired` if it must be renewed first, and with `conflict` if
   * another run has acquired the lease.
   */
  readonly lease?: string
}

export interface SaveStoreOptions {
  /**
   * The store as it was loaded, or `null` for a session that is empty or does not exist; otherwise the call fails with
   * `conflict`. If omitted, what was written since the store was loaded is overwritten.
   */
  readonly expectedStore?: MessageStore | null
}

/** The result of an append. */
export interface AppendResult {
  /** Id of the last given message, whether it was stored now or before; `null` if none exists. */
  readonly head: string | null
  /** The newly stored messages. */
  readonly added: readonly Message[]
  /** Number of messages on the path to the head. */
  readonly length: number
}

export interface MessagesQuery extends SectionOptions {
  /** Id of the last message of the path. Default: the head of the section. */
  readonly to?: string
  /** Maximum number of messages, counted from the end. */
  readonly last?: number
  /** True to return the system messages before the `last` messages, too. */
  readonly includeSystem?: boolean
}

/** A path of messages that ends in a message without successors. */
export interface Branch {
  /** Id of its last message. */
  readonly head: string
  /** Number of messages on the path, the head included. */
  readonly length: number
  /** True if it ends at the head of the section. */
  readonly isCurrent: boolean
}

export interface ForkOptions extends NewSession {
  /** Id of the last message to include. Default: the head of each section. */
  readonly at?: string
}

export interface ImportOptions {
  /** Id of the new session. Default: the exported one. */
  readonly id?: string
  /**
   * True to keep the tool call log, from which `resume` knows what was approved and what has finished. Only for lines
   * that no one else could change since your storage exported them. Default: false; then calls in the log wait for approval
   * again if their tools need it, and are not run again unless their tools are idempotent.
   */
  readonly trustToolCallLog?: boolean
}

/** A session that was imported. */
export interface ImportedSession extends Session {
  /** Number of entries of the tool call log that were not trusted. */
  readonly untrustedLogEntries: number
}

/** Stored data that differs from what was written. */
export interface IntegrityIssue {
  /** Id of the session, if known. */
  readonly session?: string
  /** Id of the message, if known. */
  readonly message?: string
  /**
   * `body`, `checksum`, `hash` and `parent` concern a message; `head`, a section's head or fork point; `session`, `section`
   * and `label`, such a row; `search`, the entry of a message in the index of searches; `line` and `database`, the file or
   * database; `replica`, a difference between replicas.
   */
  readonly kind:
    | 'body'
    | 'checksum'
    | 'hash'
    | 'parent'
    | 'head'
    | 'session'
    | 'section'
    | 'label'
    | 'search'
    | 'line'
    | 'database'
    | 'replica'
  readonly reason: string
}

export interface UsageQuery {
  readonly session?: string
  /** First day to include, `YYYY-MM-DD` (UTC). */
  readonly from?: string
  /** Last day to include. */
  readonly to?: string
  /** Fields to group by. Default: all. */
  readonly by?: readonly ('session' | 'provider' | 'model' | 'day')[]
}

/** Token totals of a group of responses. */
export interface UsageTotal {
  readonly session?: string
  readonly provider?: string
  readonly model?: string
  readonly day?: string
  /** Number of responses that reported usage. */
  readonly answers: number
  readonly usage: Usage
}

/**
 * Stores conversations. Every call is limited to one tenant; data of other tenants is invisible.
 *
 * A session is a tree of messages in named sections. Each section has a head, which is the end of its current branch.
 * Appending adds messages after the head; other branches remain. A fork shares its history with its source.
 *
 * @example
 * const storage = memoryStorage()
 * const { id } = await storage.createSession({ title: 'Weather' })
 * await storage.append(id, ['How warm is it?', assistant('4 °C')])
 * const messages = await storage.messages(id)
 */
export interface ConversationStorage extends LeaseOperations {
  readonly tenant: string
  /** Name of the backend, such as `sqlite` or `postgresql`, for logs and traces. */
  readonly backend?: string
  /** Returns the same storage for another tenant. */
  forTenant(tenant: string): ConversationStorage

  /** Creates a session; fails with `conflict` if the id exists. */
  createSession(session?: NewSession): Promise<Session>
  /** Returns a session, or `undefined` if the id is unknown. */
  session(id: string): Promise<Session | undefined>
  sessions(query?: SessionQuery): Promise<SessionPage>
  updateSession(id: string, changes: SessionChanges): Promise<Session>
  /** Deletes a session and returns true if it existed. Forks keep the history they share with it. */
  deleteSession(id: string): Promise<boolean>
  /** Deletes expired sessions, and old ones if the options say so. Forks keep the history they share. */
  prune(options?: PruneSessionsOptions): Promise<DeletionReceipt>
  /** Deletes a session, all sessions with a label, or all sessions of the tenant, and returns a receipt. */
  forget(selection: ForgetSessionsSelection, options?: ForgetSessionsOptions): Promise<DeletionReceipt>

  /**
   * Appends messages after the head. A message that is already stored with the same id and content is
   * skipped, so a call can be repeated; the same id with different content fails with `conflict`.
   */
  append(session: string, messages: MessagesInput, options?: AppendOptions): Promise<AppendResult>
  /**
   * Makes a complete history the current branch: finds the longest stored prefix with the same content,
   * whatever the ids, and writes only the messages after it.
   */
  syncHistory(session: string, messages: MessagesInput, options?: SectionOptions): Promise<AppendResult>
  /** Returns a message, or `undefined` if the session, or the section if one is given, does not contain it. */
  get(session: string, id: string, options?: SectionOptions): Promise<Message | undefined>
  /** Replaces a message under the same id. Forks keep the old one. */
  replace(session: string, id: string, message: MessageInput): Promise<Message>
  /** Removes a message and attaches its successors to its parent; returns true if it existed. Forks keep it. */
  remove(session: string, id: string): Promise<boolean>

  /** Returns the id of the head. */
  head(session: string, options?: SectionOptions): Promise<string | undefined>
  /** Makes a message the head; the next append branches off after it. `null` is before the first message. */
  setHead(session: string, id: string | null, options?: SectionOptions): Promise<void>
  /** Returns the messages from the first one to the head. */
  messages(session: string, options?: MessagesQuery): Promise<Messages>
  branches(session: string, options?: SectionOptions): Promise<readonly Branch[]>
  /** Creates a session that shares the history; the cost does not depend on its length. */
  fork(session: string, options?: ForkOptions): Promise<Session>

  /** Adds a label to a message, in this session only. */
  label(session: string, message: string, label: string): Promise<void>
  unlabel(session: string, message: string, label: string): Promise<void>
  /** Returns the labels by message id. */
  labels(session: string): Promise<ReadonlyMap<string, readonly string[]>>

  /** Loads the current branch of every section, and the parameters, as a message store. */
  loadStore(session: string): Promise<MessageStore>
  /**
   * Replaces sections and parameters with those of a store in one transaction; creates a missing session. Pass the
   * loaded store as `expectedStore` to overwrite nothing that was written in the meantime.
   */
  saveStore(session: string, store: MessageStore, options?: SaveStoreOptions): Promise<void>

  /** Yields a session as lines of JSON, branches and labels included. */
  exportSession(session: string): AsyncIterable<string>
  /** Creates a session from the lines of {@link exportSession}. */
  importSession(
    lines: Iterable<string> | AsyncIterable<string>,
    options?: ImportOptions,
  ): Promise<ImportedSession>

  /**
   * Encrypts the data keys of all sessions of the tenant with its current key, and returns how many. Messages are not
   * rewritten. Exists only with the option `encryption`.
   */
  rotateKeys?(): Promise<number>
  /**
   * Finds messages by their words, on all branches, the newest first. SQLite and PostgreSQL need the option `search`; an
   * encrypted storage refuses with `unsupported`.
   *
   * @example
   * const { hits, cursor } = await storage.search({ query: 'weather "in Oslo" -rain', role: 'user' })
   */
  search(query: SearchQuery): Promise<SearchPage>
  /**
   * Adds messages that the index of {@link search} lacks, of all tenants, and returns their number. Exists only if the
   * storage has an index that other processes share.
   */
  rebuildSearchIndex?(): Promise<number>
  /** Returns token totals by session, provider, model and day. */
  usage(query?: UsageQuery): Promise<readonly UsageTotal[]>
  /**
   * Recomputes every hash and checksum of one or all sessions, and returns the integrity issues. Of all sessions, the
   * database or file is checked, too.
   */
  verify(session?: string): Promise<readonly IntegrityIssue[]>
  close(): Promise<void>
}

/** Section of messages that are appended without a section name. */
export const DEFAULT_SECTION = 'messages'
