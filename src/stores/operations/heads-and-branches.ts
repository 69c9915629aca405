import { Messages } from '../../canonical/collections/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Branch, ForkOptions, SectionOptions, MessagesQuery, Session } from '../conversation-storage.ts'
import { createDamagedDataError } from '../storage-errors.ts'
import { checkCount } from '../check-arguments.ts'
import type { MessageBody, MessageRow, NodeRow, SectionRow } from '../rows/row-definitions.ts'
import { messageFromRow } from '../rows/row-hash.ts'
import { forEachInSlices } from '../event-loop-turns.ts'
import {
  cutLineage,
  findNode,
  getNode,
  getSectionOrEmpty,
  openSession,
  readNodeByKey,
  type TenantScope,
  toSession,
  touchSession,
} from './open-session.ts'
import { insertSessionRow } from './sessions.ts'
import { isSystemRole } from '../../canonical/read/type-guards.ts'

/** Texts of which the body of every system message contains one. */
const SYSTEM_ROLE_TEXTS: readonly string[] = ['"role":"system"', '"role":"developer"']

/** Maximum numbers of sections that are remembered, and of system messages of each. */
const MAX_SECTIONS = 1000
const MAX_SYSTEM_MESSAGES = 100

/** Number of messages from which on a path is searched anew instead of from a remembered message. */
const MAX_STEPS = 5000

/** A message whose path was searched, and the keys of the system messages on it. */
interface SearchedPath extends Pick<NodeRow, 'key' | 'depth' | 'hash'> {
  readonly systemKeys: readonly string[]
}

/** The last searched path of each section. Keys are unique across databases. */
const searchedPaths = new Map<string, SearchedPath>()

/**
 * Returns the system messages above a depth on the path to a message. No index finds them, so the whole path is searched
 * once; later only what was added. The hash of a message covers everything up to it, so a path that was changed is noticed.
 */
async function readSystemMessages(
  { rows }: TenantScope,
  { session, name }: SectionRow,
  key: string,
  depth: number,
): Promise<readonly Message[]> {
  const end = depth > 1 ? await rows.ancestor(key, depth - 1) : undefined
  if (end === undefined) return []
  const path = JSON.stringify([session, name])
  const searched = await findUnchanged({ rows }, searchedPaths.get(path), end)
  const known = searched === undefined ? [] : await rows.messages(searched.systemKeys)
  const searchedDepth = searched?.depth ?? 0
  const steps = end.depth - searchedDepth
  const added = steps === 0 ? [] : await rows.pathMatches(end.key, SYSTEM_ROLE_TEXTS, steps)
  const candidates = [
    ...known.toSorted((a, b) => a.depth - b.depth),
    ...added.filter((row) => row.depth > searchedDepth),
  ]
  const found: [MessageRow, Message][] = []
  for (const row of candidates) {
    const message = messageFromRow(row)
    if (isSystemRole(message.role)) found.push([row, message])
  }
  remember(path, {
    key: end.key,
    depth: end.depth,
    hash: end.hash,
    systemKeys: found.map(([row]) => row.key),
  })
  return found.map(([, message]) => message)
}

/** Returns a searched path if it is an unchanged part of the path to a message that is not far away. */
async function findUnchanged(
  { rows }: Pick<TenantScope, 'rows'>,
  searched: SearchedPath | undefined,
  end: NodeRow,
): Promise<SearchedPath | undefined> {
  if (searched === undefined || searched.depth > end.depth || end.depth - searched.depth > MAX_STEPS)
    return undefined
  const node = searched.depth === end.depth ? end : await rows.ancestor(end.key, searched.depth)
  return node?.key === searched.key && node.hash === searched.hash ? searched : undefined
}

function remember(path: string, searched: SearchedPath): void {
  searchedPaths.delete(path)
  if (searched.systemKeys.length > MAX_SYSTEM_MESSAGES) return
  if (searchedPaths.size >= MAX_SECTIONS) searchedPaths.delete(searchedPaths.keys().next().value ?? '')
  searchedPaths.set(path, searched)
}

export async function getMessage(
  scope: TenantScope,
  session: string,
  id: string,
  { section }: SectionOptions = {},
): Promise<Message | undefined> {
  const node = await findNode(await openSession(scope, session), id)
  if (section !== undefined && node?.section !== section) return undefined
  const row = node && (await scope.rows.message(node.key))
  return row && messageFromRow(row)
}

export async function getHead(
  scope: TenantScope,
  session: string,
  options: SectionOptions = {},
): Promise<string | undefined> {
  const { head } = getSectionOrEmpty(await openSession(scope, session), options)
  return (await readNodeByKey(scope, head))?.id
}

export async function setHead(
  scope: TenantScope,
  session: string,
  id: string | null,
  options: SectionOptions = {},
): Promise<void> {
  const opened = await openSession(scope, session)
  const node = id === null ? undefined : await getNode(opened, id)
  await scope.rows.putSection({ ...getSectionOrEmpty(opened, node ?? options), head: node?.key ?? null })
  await touchSession(opened)
}

export async function listSessionMessages(
  scope: TenantScope,
  session: string,
  options: MessagesQuery = {},
): Promise<Messages> {
  const opened = await openSession(scope, session)
  const { to, last, includeSystem = false } = options
  const endNode = to === undefined ? undefined : await getNode(opened, to)
  const section = getSectionOrEmpty(opened, endNode ?? options)
  const end = endNode === undefined ? section.head : endNode.key
  if (last !== undefined) checkCount(last, 'last')
  const bodies = end === null ? [] : await readPathBodies(scope, end, last)
  const firstDepth = bodies[0]?.depth ?? 1
  const system =
    includeSystem && end !== null ? await readSystemMessages(scope, section, end, firstDepth) : []
  return collectMessages(bodies, Messages.from(system))
}

/** Returns the messages of the path to a message; throws if one is missing. */
export async function readPathMessages(scope: TenantScope, key: string | null): Promise<Messages> {
  return collectMessages(key === null ? [] : await readPathBodies(scope, key))
}

/** Appends the messages of rows. Other work of the process has its turn in between. */
async function collectMessages(
  bodies: readonly MessageBody[],
  previous: Messages = Messages.of(),
): Promise<Messages> {
  let messages = previous
  await forEachInSlices(bodies, (body) => {
    messages = messages.append(messageFromRow(body))
  })
  return messages
}

async function readPathBodies(
  { rows }: TenantScope,
  key: string,
  last?: number,
): Promise<readonly MessageBody[]> {
  return checkCompletePath(await rows.bodiesTo(key, last), last)
}

/** Returns the path to a message, which is empty for `null`; throws if a message on it is missing. */
export async function readCompleteMessagePath(
  { rows }: TenantScope,
  key: string | null,
): Promise<readonly MessageRow[]> {
  return key === null ? [] : checkCompletePath(await rows.pathTo(key))
}

function checkCompletePath<T extends MessageBody>(found: readonly T[], last?: number): readonly T[] {
  const [first] = found
  const isComplete = first !== undefined && (first.depth === 1 || found.length === last)
  if (!isComplete) throw createDamagedDataError('A message on the path is missing')
  return found
}

export async function listBranches(
  scope: TenantScope,
  session: string,
  options: SectionOptions = {},
): Promise<readonly Branch[]> {
  const section = getSectionOrEmpty(await openSession(scope, session), options)
  const own = await scope.rows.branchHeads(section.session, section.name)
  const heads = [...(await findSharedHead(scope, section)), ...own]
  return heads.map(({ key, id, depth }) => ({ head: id, length: depth, isCurrent: key === section.head }))
}

/** Returns the fork point if nothing follows it in the fork: it is then the head of a branch. */
async function findSharedHead(
  { rows }: TenantScope,
  { session, name, forkPoint }: SectionRow,
): Promise<readonly NodeRow[]> {
  if (forkPoint === null) return []
  const continued = await rows.nodesWithForeignParent(session, name)
  const isContinued = continued.some(({ parent }) => parent === forkPoint)
  const node = isContinued ? undefined : await rows.node(forkPoint)
  return node === undefined ? [] : [node]
}

/** Creates a session that shares the history of another. Only its sections are written, whatever the length. */
export async function forkSession(
  scope: TenantScope,
  session: string,
  { at, ...wanted }: ForkOptions = {},
): Promise<Session> {
  const source = await openSession(scope, session)
  const cut = at === undefined ? undefined : await getNode(source, at)
  const { title, labels, parameters, expiresAt = null } = source.row
  const row = await insertSessionRow(scope, { title, labels, parameters, expiresAt, ...wanted })
  const sections: SectionRow[] = []
  for (const section of source.sections) {
    const last = section.name === cut?.section ? cut.key : section.head
    const end = await readNodeByKey(scope, last)
    const shared = cutLineage({ ...section, session: row.key, head: end?.key ?? null }, section, end)
    await scope.rows.putSection(shared)
    sections.push(shared)
  }
  return toSession(row, sections)
}
