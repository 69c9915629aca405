import type { IntegrityIssue, UsageTotal } from '../conversation-storage.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { Usage } from '../../canonical/model/usage.ts'

/** A session. Keys are ours and never come from outside; ids are the caller's and count within a tenant. */
export interface SessionRow {
  readonly key: string
  readonly tenant: string
  readonly id: string
  readonly title: string
  readonly labels: readonly string[]
  readonly parameters: JsonObject
  readonly createdAt: string
  readonly updatedAt: string
}

/** What a search for a session looks through, in lower case. */
export function toSearchText({ title, id }: Pick<SessionRow, 'title' | 'id'>): string {
  return `${title}\n${id}`.toLowerCase()
}

/** A section of a session. */
export interface SectionRow {
  readonly session: string
  readonly name: string
  readonly position: number
  /** The last message, of another session, that a fork shares with its source. */
  readonly forkPoint: string | null
  /** The sessions that own what is shared, the nearest first. It may name more than there are, never fewer. */
  readonly lineage: readonly string[]
  readonly head: string | null
}

/** A message's place in the tree. */
export interface NodeRow {
  readonly key: string
  /** The key of the session that wrote it. */
  readonly session: string
  readonly section: string
  readonly id: string
  readonly parent: string | null
  /** How many messages the path to it has; the parent has one less. */
  readonly depth: number
  /** Over its content and the hash of its parent. */
  readonly hash: string
}

/** The tokens of an answer, and what they are told apart by. */
export interface UsageRow extends Omit<Usage, 'extra'> {
  readonly provider: string
  readonly model: string
  readonly day: string
}

/** A message: one row, written once. */
export interface MessageRow extends NodeRow {
  /** Over all of the row that verify() must vouch for. */
  readonly checksum: string
  /** The versioned stored form, as JSON text. */
  readonly body: string
  readonly usage: UsageRow | null
}

/** A word that a session gives to a message. */
export interface LabelRow {
  readonly session: string
  readonly message: string
  readonly label: string
}

/** Where a page of sessions begins: behind this one. */
export interface SessionPosition {
  readonly updatedAt: string
  readonly key: string
}

export interface SessionRowQuery {
  readonly tenant: string
  /** In lower case. */
  readonly search?: string
  readonly label?: string
  readonly after?: SessionPosition
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
export interface RowTransaction {
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
  dependentSections(session: string): Promise<readonly SectionRow[]>

  node(key: string): Promise<NodeRow | undefined>
  /** Whatever of these ids these sessions wrote. */
  nodesById(sessions: readonly string[], ids: readonly string[]): Promise<readonly NodeRow[]>
  nodesByHash(sessions: readonly string[], section: string, hash: string): Promise<readonly NodeRow[]>
  /** The node of that depth on the path to a message. */
  ancestor(key: string, depth: number): Promise<NodeRow | undefined>
  /** The nodes of a session that no node of the same session follows. */
  branchHeads(session: string, section: string): Promise<readonly NodeRow[]>
  /** The nodes of a session whose parent is a node of another. */
  nodesWithForeignParent(session: string, section: string): Promise<readonly NodeRow[]>

  message(key: string): Promise<MessageRow | undefined>
  /** The path to a message, first to last; only the last so many where that is said. */
  pathTo(key: string, last?: number): Promise<readonly MessageRow[]>
  /** What the same session wrote below a message, parents first. */
  descendants(key: string): Promise<readonly MessageRow[]>
  /** What a session wrote, parents first, page by page. */
  ownMessages(session: string): AsyncIterable<readonly MessageRow[]>
  insertMessages(rows: readonly MessageRow[]): Promise<void>
  /** Writes rows anew that exist. */
  updateMessages(rows: readonly MessageRow[]): Promise<void>
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
  read<T>(act: (rows: RowTransaction) => Promise<T>): Promise<T>
  /** All of it is durable when this resolves, or none of it is there. */
  write<T>(act: (rows: RowTransaction) => Promise<T>): Promise<T>
  /** What was found damaged below the rows. */
  integrityIssues?(): readonly IntegrityIssue[]
  close(): Promise<void>
}
