import type { Damage, UsageTotal } from '../contract.ts'
import type { LabelRow, MessageRow, NodeRow, SectionRow, SessionRow } from './row.ts'

/** Where a page of sessions begins: behind this one. */
export interface SessionMark {
  readonly updatedAt: string
  readonly key: string
}

export interface SessionRowQuery {
  readonly tenant: string
  /** In lower case. */
  readonly search?: string
  readonly label?: string
  readonly after?: SessionMark
  readonly limit: number
}

export interface UsageRowQuery {
  readonly tenant: string
  readonly session?: string
  readonly from?: string
  readonly to?: string
  readonly by: readonly ('session' | 'provider' | 'model' | 'day')[]
}

/** The rows of a backend, within one transaction. All that storages do is said in these. */
export interface Rows {
  /** A session of a tenant; in a write nobody else writes to it until the end. */
  session(tenant: string, id: string): Promise<SessionRow | undefined>
  /** A session by its key, guarded in the same way. */
  sessionByKey(key: string): Promise<SessionRow | undefined>
  sessions(query: SessionRowQuery): Promise<readonly SessionRow[]>
  putSession(row: SessionRow): Promise<void>
  /** Removes a session with its sections, messages and labels. */
  removeSession(key: string): Promise<void>

  /** The sections of some sessions, in the order of their positions. */
  sections(sessions: readonly string[]): Promise<readonly SectionRow[]>
  putSection(row: SectionRow): Promise<void>
  /** Removes a section with its messages. */
  removeSection(session: string, name: string): Promise<void>
  /** The sections of forks whose fork point is a message of this session. */
  dependents(session: string): Promise<readonly SectionRow[]>

  node(key: string): Promise<NodeRow | undefined>
  /** Whatever of these ids these sessions wrote. */
  nodesById(sessions: readonly string[], ids: readonly string[]): Promise<readonly NodeRow[]>
  nodesByHash(sessions: readonly string[], section: string, hash: string): Promise<readonly NodeRow[]>
  /** The node of that depth on the path to a message. */
  ancestor(key: string, depth: number): Promise<NodeRow | undefined>
  /** The nodes of a session that no node of the same session follows. */
  tips(session: string, section: string): Promise<readonly NodeRow[]>
  /** The nodes of a session whose parent is a node of another. */
  grafts(session: string, section: string): Promise<readonly NodeRow[]>

  message(key: string): Promise<MessageRow | undefined>
  /** The path to a message, first to last; only the last so many where that is said. */
  path(key: string, last?: number): Promise<readonly MessageRow[]>
  /** What the same session wrote below a message, parents first. */
  below(key: string): Promise<readonly MessageRow[]>
  /** What a session wrote, parents first, page by page. */
  written(session: string): AsyncIterable<readonly MessageRow[]>
  insert(rows: readonly MessageRow[]): Promise<void>
  /** Writes rows anew that exist. */
  update(rows: readonly MessageRow[]): Promise<void>
  removeMessages(keys: readonly string[]): Promise<void>

  labels(session: string): Promise<readonly LabelRow[]>
  putLabel(row: LabelRow): Promise<void>
  removeLabel(row: LabelRow): Promise<void>

  usage(query: UsageRowQuery): Promise<readonly UsageTotal[]>
}

/**
 * A backend: somewhere to keep rows. {@link storageOver} makes a storage of it.
 */
export interface RowStore {
  /** Reads one state of things, whatever is written meanwhile. */
  read<T>(act: (rows: Rows) => Promise<T>): Promise<T>
  /** All of it is durable when this resolves, or none of it is there. */
  write<T>(act: (rows: Rows) => Promise<T>): Promise<T>
  /** What was found damaged below the rows. */
  damages?(): readonly Damage[]
  close(): Promise<void>
}
