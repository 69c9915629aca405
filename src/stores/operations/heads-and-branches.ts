import { Messages } from '../../canonical/collections/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Branch, ForkOptions, SectionOptions, MessagesQuery, Session } from '../conversation-storage.ts'
import { damagedError } from '../storage-errors.ts'
import { checkCount, checkName } from '../check-input.ts'
import type { MessageRow, NodeRow, SectionRow, RowTransaction } from '../rows/row-store.ts'
import { messageFromRow } from '../rows/row-hash.ts'
import {
  findNode,
  findNodes,
  openSession,
  type TenantScope,
  findSection,
  toSession,
  touchSession,
} from './open-session.ts'
import { insertSession } from './sessions.ts'

export async function getMessage(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  id: string,
): Promise<Message | undefined> {
  const opened = await openSession(rows, scope, session)
  const node = (await findNodes(rows, opened, [checkName(id, 'message')])).get(id)
  const row = node === undefined ? undefined : await rows.message(node.key)
  return row === undefined ? undefined : messageFromRow(row)
}

export async function getHead(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  options: SectionOptions = {},
): Promise<string | undefined> {
  const { head: key } = findSection(await openSession(rows, scope, session), options)
  return key === null ? undefined : (await rows.node(key))?.id
}

export async function setHead(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  id: string | null,
  options: SectionOptions = {},
): Promise<void> {
  const opened = await openSession(rows, scope, session)
  const node = id === null ? undefined : await findNode(rows, opened, id)
  await rows.putSection({ ...findSection(opened, node ?? options), head: node?.key ?? null })
  await touchSession(rows, opened.row, scope)
}

export async function listMessages(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  options: MessagesQuery = {},
): Promise<Messages> {
  const opened = await openSession(rows, scope, session)
  const { to, last } = options
  const end = to === undefined ? findSection(opened, options).head : (await findNode(rows, opened, to)).key
  if (last !== undefined) checkCount(last, 'last')
  return Messages.from(end === null ? [] : (await readCompletePath(rows, end, last)).map(messageFromRow))
}

/** Returns the path to a message; throws if a message on it is missing. */
export async function readCompletePath(
  rows: RowTransaction,
  key: string,
  last?: number,
): Promise<readonly MessageRow[]> {
  const found = await rows.pathTo(key, last)
  const [first] = found
  const isComplete = first !== undefined && (first.depth === 1 || found.length === last)
  if (!isComplete) throw damagedError('A message on the path is missing')
  return found
}

export async function listBranches(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  options: SectionOptions = {},
): Promise<readonly Branch[]> {
  const opened = await openSession(rows, scope, session)
  const section = findSection(opened, options)
  const own = await rows.branchHeads(opened.row.key, section.name)
  const heads = [...(await findSharedHead(rows, section)), ...own]
  return heads.map(({ key, id, depth }) => ({ head: id, length: depth, isCurrent: key === section.head }))
}

/** Returns the fork point if nothing follows it in the fork: it is then the head of a branch. */
async function findSharedHead(
  rows: RowTransaction,
  { session, name, forkPoint }: SectionRow,
): Promise<readonly NodeRow[]> {
  if (forkPoint === null) return []
  const isContinued = (await rows.nodesWithForeignParent(session, name)).some(
    ({ parent }) => parent === forkPoint,
  )
  const node = isContinued ? undefined : await rows.node(forkPoint)
  return node === undefined ? [] : [node]
}

/** Creates a session that shares the history of another. Only its sections are written, whatever the length. */
export async function forkSession(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  { at, ...wanted }: ForkOptions = {},
): Promise<Session> {
  const source = await openSession(rows, scope, session)
  const end = at === undefined ? undefined : await findNode(rows, source, at)
  const { title, labels, parameters } = source.row
  const row = await insertSession(rows, scope, { title, labels, parameters, ...wanted })
  const sections: SectionRow[] = []
  for (const section of source.sections) {
    const last = section.name === end?.section ? end.key : section.head
    const base = last === null ? undefined : await rows.node(last)
    const shared = forkSection(section, row.key, base)
    await rows.putSection(shared)
    sections.push(shared)
  }
  return toSession({ row, sections })
}

function forkSection(source: SectionRow, session: string, base: NodeRow | undefined): SectionRow {
  const key = base?.key ?? null
  const owners = [source.session, ...source.lineage]
  const lineage = base === undefined ? [] : owners.slice(owners.indexOf(base.session))
  return { ...source, session, forkPoint: key, head: key, lineage }
}
