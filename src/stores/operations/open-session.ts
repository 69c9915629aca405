import { type IdentityOptions, createTimestamp } from '../../canonical/build/ids-and-timestamps.ts'
import { DEFAULT_SECTION, type SectionOptions, type Session } from '../conversation-storage.ts'
import { unknownMessageError, unknownSessionError } from '../storage-errors.ts'
import { checkName } from '../check-input.ts'
import type { NodeRow, SectionRow, SessionRow, RowTransaction } from '../rows/row-store.ts'
import type { MessagePlacement } from '../rows/row-hash.ts'

/**
 * The tenant and id generation of an operation. Every operation takes it first, so that none can omit the
 * tenant.
 */
export interface TenantScope {
  readonly tenant: string
  readonly identity: IdentityOptions
}

/** An existing session and its sections. */
export interface OpenedSession {
  readonly row: SessionRow
  readonly sections: readonly SectionRow[]
}

export async function openSession(
  rows: RowTransaction,
  { tenant }: TenantScope,
  id: string,
): Promise<OpenedSession> {
  const row = await rows.session(tenant, checkName(id, 'session'))
  if (row === undefined) throw unknownSessionError()
  return { row, sections: await rows.sections([row.key]) }
}

/** Returns a section, or an empty one if it does not exist yet. */
export function findSection(
  { row, sections }: OpenedSession,
  { section = DEFAULT_SECTION }: SectionOptions,
): SectionRow {
  const name = checkName(section, 'section')
  const position = (sections.at(-1)?.position ?? -1) + 1
  const fresh = { session: row.key, name, position, forkPoint: null, lineage: [], head: null }
  return sections.find((each) => each.name === name) ?? fresh
}

export function placementIn(section: SectionRow, scope: TenantScope): MessagePlacement {
  return { session: section.session, section: section.name, writtenAt: createTimestamp(scope.identity) }
}

/** Sets the time of the last write. */
export function touchSession(rows: RowTransaction, row: SessionRow, scope: TenantScope): Promise<void> {
  return rows.putSession({ ...row, updatedAt: createTimestamp(scope.identity) })
}

export function toSession({ row, sections }: OpenedSession): Session {
  const { id, title, labels, parameters, createdAt, updatedAt } = row
  return Object.freeze({
    id,
    title,
    labels,
    parameters,
    sections: sections.map(({ name }) => name),
    createdAt,
    updatedAt,
  })
}

/**
 * Returns the nodes with these ids that are visible in a session: its own, and those shared with the source
 * of a fork.
 */
export async function findNodes(
  rows: RowTransaction,
  { row, sections }: OpenedSession,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NodeRow>> {
  const owners = new Set([row.key, ...sections.flatMap(({ lineage }) => lineage)])
  const found = new Map<string, NodeRow>()
  for (const node of await rows.nodesById([...owners], ids)) {
    if (await isInSession(rows, { row, sections }, node)) found.set(node.id, node)
  }
  return found
}

export async function findNode(rows: RowTransaction, opened: OpenedSession, id: string): Promise<NodeRow> {
  const node = (await findNodes(rows, opened, [checkName(id, 'message')])).get(id)
  if (node === undefined) throw unknownMessageError()
  return node
}

/** Tests whether a node belongs to the session or to a path that it shares. */
export async function isInSession(
  rows: RowTransaction,
  { row, sections }: OpenedSession,
  node: NodeRow,
): Promise<boolean> {
  if (node.session === row.key) return true
  const forkPoint = sections.find(({ name }) => name === node.section)?.forkPoint ?? null
  return forkPoint !== null && (await rows.ancestor(forkPoint, node.depth))?.key === node.key
}
