import { Messages } from '../../canonical/collections/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Branch, ForkOptions, InSection, PathOptions, Session } from '../contract.ts'
import { damaged } from '../failures.ts'
import { checkCount, checkName } from '../names.ts'
import type { MessageRow, NodeRow, SectionRow } from '../rows/row.ts'
import type { Rows } from '../rows/rows.ts'
import { messageOf } from '../rows/seal.ts'
import { findNode, findNodes, openSession, type Scope, sectionOf, sessionOf, touch } from './scope.ts'
import { addSession } from './sessions.ts'

export async function get(
  rows: Rows,
  scope: Scope,
  session: string,
  id: string,
): Promise<Message | undefined> {
  const opened = await openSession(rows, scope, session)
  const node = (await findNodes(rows, opened, [checkName(id, 'message')])).get(id)
  const row = node === undefined ? undefined : await rows.message(node.key)
  return row === undefined ? undefined : messageOf(row)
}

export async function head(
  rows: Rows,
  scope: Scope,
  session: string,
  options: InSection = {},
): Promise<string | undefined> {
  const { head: key } = sectionOf(await openSession(rows, scope, session), options)
  return key === null ? undefined : (await rows.node(key))?.id
}

export async function navigate(
  rows: Rows,
  scope: Scope,
  session: string,
  id: string | null,
  options: InSection = {},
): Promise<void> {
  const opened = await openSession(rows, scope, session)
  const node = id === null ? undefined : await findNode(rows, opened, id)
  await rows.putSection({ ...sectionOf(opened, node ?? options), head: node?.key ?? null })
  await touch(rows, opened.row, scope)
}

export async function path(
  rows: Rows,
  scope: Scope,
  session: string,
  options: PathOptions = {},
): Promise<Messages> {
  const opened = await openSession(rows, scope, session)
  const { to, last } = options
  const end = to === undefined ? sectionOf(opened, options).head : (await findNode(rows, opened, to)).key
  if (last !== undefined) checkCount(last, 'last')
  return Messages.from(end === null ? [] : (await wholePath(rows, end, last)).map(messageOf))
}

/** The path to a message; one with a hole is damaged, and is not given as if it were whole. */
export async function wholePath(rows: Rows, key: string, last?: number): Promise<readonly MessageRow[]> {
  const found = await rows.path(key, last)
  const [first] = found
  const whole = first !== undefined && (first.depth === 1 || found.length === last)
  if (!whole) throw damaged('A message on the path is missing')
  return found
}

export async function branches(
  rows: Rows,
  scope: Scope,
  session: string,
  options: InSection = {},
): Promise<readonly Branch[]> {
  const opened = await openSession(rows, scope, session)
  const section = sectionOf(opened, options)
  const own = await rows.tips(opened.row.key, section.name)
  const tips = [...(await sharedTip(rows, section)), ...own]
  return tips.map(({ key, id, depth }) => ({ head: id, length: depth, current: key === section.head }))
}

/** The fork point of a fork ends a branch of its own while nothing was written behind it. */
async function sharedTip(rows: Rows, { session, name, forkPoint }: SectionRow): Promise<readonly NodeRow[]> {
  if (forkPoint === null) return []
  const continued = (await rows.grafts(session, name)).some(({ parent }) => parent === forkPoint)
  const node = continued ? undefined : await rows.node(forkPoint)
  return node === undefined ? [] : [node]
}

/** A session that shares the past of another: however long that is, only its sections are written. */
export async function fork(
  rows: Rows,
  scope: Scope,
  session: string,
  { at, ...wanted }: ForkOptions = {},
): Promise<Session> {
  const source = await openSession(rows, scope, session)
  const end = at === undefined ? undefined : await findNode(rows, source, at)
  const { title, labels, parameters } = source.row
  const row = await addSession(rows, scope, { title, labels, parameters, ...wanted })
  const sections: SectionRow[] = []
  for (const section of source.sections) {
    const last = section.name === end?.section ? end.key : section.head
    const base = last === null ? undefined : await rows.node(last)
    const shared = forked(section, row.key, base)
    await rows.putSection(shared)
    sections.push(shared)
  }
  return sessionOf({ row, sections })
}

function forked(source: SectionRow, session: string, base: NodeRow | undefined): SectionRow {
  const key = base?.key ?? null
  const owners = [source.session, ...source.lineage]
  const lineage = base === undefined ? [] : owners.slice(owners.indexOf(base.session))
  return { ...source, session, forkPoint: key, head: key, lineage }
}
