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
export function searchText({ title, id }: Pick<SessionRow, 'title' | 'id'>): string {
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
