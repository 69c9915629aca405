import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { MessageRow, NodeRow, SectionRow } from '../rows/row-definitions.ts'
import { messageFromRow, toMessageRow } from '../rows/row-hash.ts'
import { forEachInSlices, yieldIfTurnIsLong } from '../event-loop-turns.ts'
import { createDamagedDataError } from '../storage-errors.ts'
import {
  createMessagePlacement,
  cutLineage,
  getSectionOrEmpty,
  type OpenedSession,
  readNodeByKey,
} from './open-session.ts'
import { transferSharedMessages } from './transfer-shared-messages.ts'

/** A message of a session and its descendants in the session. Other sessions depend on none that is not `shared`. */
export interface Subtree {
  /** The section, which shares only what precedes the subtree. */
  readonly section: SectionRow
  readonly top: NodeRow
  readonly parent: NodeRow | undefined
  /** The top message and its descendants, parents first. */
  readonly rows: readonly MessageRow[]
  /** Keys of the rows that belong to other sessions; the session needs copies of them. */
  readonly shared: ReadonlySet<string>
}

/** Reads a message and its descendants, and transfers those that forks share to the forks. */
export async function detachSubtree(opened: OpenedSession, top: NodeRow): Promise<Subtree> {
  const { rows, row: session } = opened
  const section = getSectionOrEmpty(opened, top)
  const parent = await readNodeByKey(opened, top.parent)
  const foreign = top.session === session.key ? [] : await readSharedPath(opened, section, top)
  const own: MessageRow[] = []
  for (const start of await findOwnStarts(opened, section, top, foreign)) {
    const row = await rows.message(start)
    if (row !== undefined) own.push(row)
    for (const each of await rows.descendants(start)) own.push(each)
  }
  const ownByKey = await mapByKey(own)
  const transferred = await transferSharedMessages(opened, session.key, ownByKey)
  // Without shared messages, one list is in order already; sorting a long one takes long.
  if (foreign.length === 0) return { section, top, parent, rows: own, shared: transferred }
  return {
    section: cutLineage(section, section, parent),
    top,
    parent,
    rows: [...foreign, ...own].toSorted((a, b) => a.depth - b.depth),
    shared: new Set([...foreign.map(({ key }) => key), ...transferred]),
  }
}

/** Returns the path from a shared message to the fork point. */
async function readSharedPath(
  opened: OpenedSession,
  { forkPoint }: SectionRow,
  top: NodeRow,
): Promise<readonly MessageRow[]> {
  const end = await readNodeByKey(opened, forkPoint)
  const path = end && (await opened.rows.pathTo(end.key, end.depth - top.depth + 1))
  if (path?.[0]?.key !== top.key)
    throw createDamagedDataError(`The path from the message ${top.id} is broken`)
  return path
}

/** Returns the keys of the session's own messages from which all its own messages of a subtree descend. */
async function findOwnStarts(
  { rows }: OpenedSession,
  { session, name }: SectionRow,
  top: NodeRow,
  foreign: readonly MessageRow[],
): Promise<readonly string[]> {
  if (foreign.length === 0) return [top.key]
  const keys = new Set(foreign.map(({ key }) => key))
  const starts = await rows.nodesWithForeignParent(session, name)
  return starts.filter(({ parent }) => keys.has(parent ?? '')).map(({ key }) => key)
}

/**
 * Writes a detached subtree with another top message, or without it: then its children follow its parent. Shared
 * messages are copied. Returns the new rows.
 */
export async function rewriteSubtree(
  opened: OpenedSession,
  { section, top, parent: topParent, rows: before, shared }: Subtree,
  replacement: Message | undefined,
): Promise<void> {
  const { rows } = opened
  const oldRows = await mapByKey(before)
  const newNodes = new Map<string, NodeRow | undefined>()
  const [added, changed]: [MessageRow[], MessageRow[]] = [[], []]
  for (const row of before) {
    await yieldIfTurnIsLong()
    const isTop = row.key === top.key
    if (isTop && replacement === undefined) {
      newNodes.set(row.key, topParent)
      continue
    }
    const parent = isTop ? topParent : newNodes.get(row.parent ?? '')
    const isShared = shared.has(row.key)
    if (!isTop && !isShared && isSameParent(oldRows.get(row.parent ?? ''), parent)) {
      newNodes.set(row.key, row)
      continue
    }
    const message = isTop && replacement !== undefined ? replacement : messageFromRow(row)
    const key = isShared ? createId('m') : row.key
    const built = toMessageRow(
      message,
      createMessagePlacement(opened.row, opened.identity, row.section),
      parent,
      key,
    )
    // Only the session that wrote a message counts its tokens.
    const usage = row.session === opened.row.key ? row.usage : null
    newNodes.set(row.key, built)
    ;(isShared ? added : changed).push(isTop ? built : { ...built, usage })
  }
  await rows.insertMessages(added)
  const head = newNodes.has(section.head ?? '') ? newNodes.get(section.head ?? '')?.key : section.head
  // The head first: a backend may have a foreign key on it.
  await rows.putSection({ ...section, head: head ?? null })
  await rows.updateMessages(changed)
  if (replacement === undefined && !shared.has(top.key)) await rows.removeMessages([top.key])
}

async function mapByKey(rows: readonly MessageRow[]): Promise<ReadonlyMap<string, MessageRow>> {
  const byKey = new Map<string, MessageRow>()
  await forEachInSlices(rows, (row) => byKey.set(row.key, row))
  return byKey
}

/** Tests whether a row that follows the new node instead of the old one stays as it is. */
function isSameParent(before: NodeRow | undefined, after: NodeRow | undefined): boolean {
  const fields = ['key', 'id', 'depth', 'hash'] as const
  return fields.every((field) => before?.[field] === after?.[field])
}

/** Removes a detached subtree. */
export async function removeSubtree(
  { rows }: OpenedSession,
  { section, parent, rows: before, shared }: Subtree,
): Promise<void> {
  await rows.putSection({ ...section, head: parent?.key ?? null })
  await rows.removeMessages(before.flatMap(({ key }) => (shared.has(key) ? [] : [key])))
}
