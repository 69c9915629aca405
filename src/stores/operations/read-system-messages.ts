import type { Message } from '../../canonical/model/message.ts'
import { isSystemRole } from '../../canonical/read/type-guards.ts'
import type { MessageRow, NodeRow, SectionRow } from '../rows/row-definitions.ts'
import { messageFromRow } from '../rows/row-hash.ts'
import type { TenantScope } from './open-session.ts'

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
export async function readSystemMessages(
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
