import type { IdentityOptions } from '../../canonical/build/identity.ts'
import { timestamp } from '../../canonical/build/identity.ts'
import { DEFAULT_SECTION, type InSection, type Session } from '../contract.ts'
import { unknownMessage, unknownSession } from '../failures.ts'
import { checkName } from '../names.ts'
import type { NodeRow, SectionRow, SessionRow } from '../rows/row.ts'
import type { Rows } from '../rows/rows.ts'
import type { Place } from '../rows/seal.ts'

/** For whom something is done. Every operation begins with it, so none can forget the tenant. */
export interface Scope {
  readonly tenant: string
  readonly identity: IdentityOptions
}

/** A session that is there, and its sections. */
export interface Opened {
  readonly row: SessionRow
  readonly sections: readonly SectionRow[]
}

export async function openSession(rows: Rows, { tenant }: Scope, id: string): Promise<Opened> {
  const row = await rows.session(tenant, checkName(id, 'session'))
  if (row === undefined) throw unknownSession()
  return { row, sections: await rows.sections([row.key]) }
}

/** The section that is meant, made up where it does not exist yet. */
export function sectionOf({ row, sections }: Opened, { section = DEFAULT_SECTION }: InSection): SectionRow {
  const name = checkName(section, 'section')
  const position = (sections.at(-1)?.position ?? -1) + 1
  const fresh = { session: row.key, name, position, forkPoint: null, lineage: [], head: null }
  return sections.find((each) => each.name === name) ?? fresh
}

export function placeIn(section: SectionRow, scope: Scope): Place {
  return { session: section.session, section: section.name, writtenAt: timestamp(scope.identity) }
}

/** Notes that something was written to a session. */
export function touch(rows: Rows, row: SessionRow, scope: Scope): Promise<void> {
  return rows.putSession({ ...row, updatedAt: timestamp(scope.identity) })
}

export function sessionOf({ row, sections }: Opened): Session {
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

/** The nodes of some ids that a session can see: its own, and what it shares with the source of a fork. */
export async function findNodes(
  rows: Rows,
  { row, sections }: Opened,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NodeRow>> {
  const owners = new Set([row.key, ...sections.flatMap(({ lineage }) => lineage)])
  const found = new Map<string, NodeRow>()
  for (const node of await rows.nodesById([...owners], ids)) {
    if (await isVisible(rows, { row, sections }, node)) found.set(node.id, node)
  }
  return found
}

export async function findNode(rows: Rows, opened: Opened, id: string): Promise<NodeRow> {
  const node = (await findNodes(rows, opened, [checkName(id, 'message')])).get(id)
  if (node === undefined) throw unknownMessage()
  return node
}

/** Whether a node is the session's own, or lies on the path that it shares. */
export async function isVisible(rows: Rows, { row, sections }: Opened, node: NodeRow): Promise<boolean> {
  if (node.session === row.key) return true
  const forkPoint = sections.find(({ name }) => name === node.section)?.forkPoint ?? null
  return forkPoint !== null && (await rows.ancestor(forkPoint, node.depth))?.key === node.key
}
