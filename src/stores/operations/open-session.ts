import { type IdentityOptions, createTimestamp } from '../../canonical/build/ids-and-timestamps.ts'
import { DEFAULT_SECTION, type SectionOptions, type Session } from '../conversation-storage.ts'
import {
  createDamagedDataError,
  createUnknownMessageError,
  createUnknownSessionError,
} from '../storage-errors.ts'
import { checkIdentifier } from '../check-arguments.ts'
import { refuseEncryptedRow } from '../encryption/session-envelope.ts'
import type { RowTransaction } from '../rows/row-store.ts'
import type { NodeRow, SectionRow, SessionRow } from '../rows/row-definitions.ts'
import type { MessagePlacement } from '../rows/row-hash.ts'

/** The transaction of an operation with its tenant. Every operation takes both, so none can omit the tenant. */
export interface TenantScope {
  readonly rows: RowTransaction
  readonly tenant: string
  readonly identity: IdentityOptions
}

/** An existing session and its sections. */
export interface OpenedSession extends TenantScope {
  readonly row: SessionRow
  readonly sections: readonly SectionRow[]
}

export async function findSessionRow(
  { rows, tenant }: TenantScope,
  id: string,
  messageIds?: readonly string[],
): Promise<SessionRow | undefined> {
  return refuseEncryptedRow(await rows.session(tenant, checkIdentifier(id, 'session'), messageIds))
}

/** Returns a session and its sections. `messageIds` are the messages that are looked up next, if known. */
export async function openSession(
  scope: TenantScope,
  id: string,
  messageIds?: readonly string[],
): Promise<OpenedSession> {
  const row = await findSessionRow(scope, id, messageIds)
  if (row === undefined) throw createUnknownSessionError()
  const { rows, tenant, identity } = scope // a spread takes longer than the rest of an operation
  const sections = await rows.sections([row.key])
  return { rows, tenant, identity, row: requireReadable(row), sections: sections.map(requireReadable) }
}

/** Throws if the fields of a row could not be read. */
export function requireReadable<T extends SessionRow | SectionRow>(row: T): T {
  if (row.fault?.isUnreadable === true) throw row.fault.error ?? createDamagedDataError(row.fault.reason)
  return row
}

/** Returns a section, or an empty one if it does not exist yet. */
export function getSectionOrEmpty(
  { row, sections }: OpenedSession,
  { section = DEFAULT_SECTION }: SectionOptions,
): SectionRow {
  const name = checkIdentifier(section, 'section')
  const position = (sections.at(-1)?.position ?? -1) + 1
  return sections.find((each) => each.name === name) ?? createSectionRow(row, name, position)
}

export function createSectionRow({ key }: SessionRow, name: string, position: number): SectionRow {
  return { session: key, name, position, forkPoint: null, lineage: [], head: null }
}

/** Returns a section that shares the messages of `source` up to a node, which may belong to `source` itself. */
export function cutLineage(
  section: SectionRow,
  source: SectionRow,
  forkPoint: NodeRow | undefined,
): SectionRow {
  const owners = [source.session, ...source.lineage]
  const lineage = forkPoint === undefined ? [] : owners.slice(owners.indexOf(forkPoint.session))
  return { ...section, forkPoint: forkPoint?.key ?? null, lineage }
}

export function createMessagePlacement(
  { key }: SessionRow,
  identity: IdentityOptions,
  section: string,
): MessagePlacement {
  return { session: key, section, writtenAt: createTimestamp(identity) }
}

/** Sets the time of the last write, and returns the session with it. */
export async function touchSession({ rows, row, identity }: OpenedSession): Promise<SessionRow> {
  const touched = { ...row, updatedAt: createUpdateTime(row, identity) }
  await rows.putSession(touched)
  return touched
}

/** Returns the time of a write, which is after the previous one: whether a session was written to shows by its time. */
export function createUpdateTime({ updatedAt }: SessionRow, identity: IdentityOptions): string {
  const now = createTimestamp(identity)
  if (now > updatedAt) return now
  const previous = Date.parse(updatedAt)
  return Number.isNaN(previous) ? now : new Date(previous + 1).toISOString()
}

export function toSession(row: SessionRow, sections: readonly SectionRow[]): Session {
  const { id, title, labels, parameters, createdAt, updatedAt, expiresAt } = refuseEncryptedRow(row)
  const names = sections.map(({ name }) => name)
  const expiry = expiresAt === undefined ? {} : { expiresAt }
  return Object.freeze({ id, title, labels, parameters, sections: names, createdAt, updatedAt, ...expiry })
}

/** Returns the node of a key that may be absent. */
export async function readNodeByKey({ rows }: TenantScope, key: string | null): Promise<NodeRow | undefined> {
  return key === null ? undefined : rows.node(key)
}

/** Returns the visible nodes with these ids: those of the session, and those that it shares as a fork. */
export async function findNodes(
  opened: OpenedSession,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NodeRow>> {
  const { rows, row, sections } = opened
  const owners = new Set([row.key, ...sections.flatMap(({ lineage }) => lineage)])
  const found = new Map<string, NodeRow>()
  for (const node of await rows.nodesById([...owners], ids)) {
    if (await isNodeInSession(opened, node)) found.set(node.id, node)
  }
  return found
}

export async function findNode(opened: OpenedSession, id: string): Promise<NodeRow | undefined> {
  return (await findNodes(opened, [checkIdentifier(id, 'message')])).get(id)
}

export async function getNode(opened: OpenedSession, id: string): Promise<NodeRow> {
  const node = await findNode(opened, id)
  if (node === undefined) throw createUnknownMessageError()
  return node
}

/** Tests whether a node belongs to the session or to a path that it shares. */
export async function isNodeInSession(
  { rows, row, sections }: OpenedSession,
  node: NodeRow,
): Promise<boolean> {
  if (node.session === row.key) return true
  const forkPoint = sections.find(({ name }) => name === node.section)?.forkPoint ?? null
  return forkPoint !== null && (await rows.ancestor(forkPoint, node.depth))?.key === node.key
}
