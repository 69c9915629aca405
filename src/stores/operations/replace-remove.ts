import { type MessageInput, toMessage } from '../../canonical/collections/message-input.ts'
import type { Message } from '../../canonical/model/message.ts'
import { createDamagedDataError } from '../storage-errors.ts'
import type { MessageRow, NodeRow } from '../rows/row-store.ts'
import { messageFromRow, toMessageRow } from '../rows/row-hash.ts'
import {
  findNode,
  getSectionOrEmpty,
  getNode,
  type OpenedSession,
  openSession,
  createMessagePlacement,
  readNodeByKey,
  type TenantScope,
  touchSession,
} from './open-session.ts'
import { removeOrphanLabels } from './message-labels.ts'
import { unshareSection, unshareForks } from './unshare-section.ts'

export async function replaceMessage(
  scope: TenantScope,
  session: string,
  id: string,
  input: MessageInput,
): Promise<Message> {
  const { rows, identity } = scope
  const message = { ...toMessage(input, identity), id }
  const opened = await openSession(scope, session)
  const row = await makeOwnRow(opened, await getNode(opened, id))
  const parent = await readNodeByKey(scope, row.parent)
  const changed = toMessageRow(message, createMessagePlacement(opened, row.section), parent, row.key)
  const descendants = changed.hash === row.hash ? [] : await rows.descendants(row.key)
  await rows.updateMessages([changed, ...rebuildDescendants(opened, descendants, changed)])
  await touchSession(opened)
  return messageFromRow(changed)
}

export async function removeMessage(scope: TenantScope, session: string, id: string): Promise<boolean> {
  const { rows } = scope
  const shared = await openSession(scope, session)
  const node = await findNode(shared, id)
  if (node === undefined) return false
  const row = await makeOwnRow(shared, node)
  const parent = await readNodeByKey(scope, row.parent)
  const descendants = await rows.descendants(row.key)
  const opened = await openSession(scope, session)
  const section = getSectionOrEmpty(opened, row)
  // The head first: a backend may have a foreign key on it.
  if (section.head === row.key) await rows.putSection({ ...section, head: row.parent })
  await rows.updateMessages(rebuildDescendants(opened, descendants, parent, row.key))
  await rows.removeMessages([row.key])
  await removeOrphanLabels(opened)
  await touchSession(opened)
  return true
}

/** Returns a row that only this session uses, so that it can be changed. */
async function makeOwnRow(opened: OpenedSession, node: NodeRow): Promise<MessageRow> {
  const { rows, row: session } = opened
  if (node.session !== session.key) await unshareSection(opened, getSectionOrEmpty(opened, node))
  await unshareForks(opened, session.key, node)
  const [own] = await rows.nodesById([session.key], [node.id])
  const row = own && (await rows.message(own.key))
  if (row === undefined) throw createDamagedDataError(`The message ${node.id} is missing`)
  return row
}

/** Rebuilds the rows after a change, parents first, each with its new parent. */
function rebuildDescendants(
  opened: OpenedSession,
  descendants: readonly MessageRow[],
  top: NodeRow | undefined,
  removed?: string,
): readonly MessageRow[] {
  const rebuilt = new Map<string, NodeRow>()
  if (top !== undefined) rebuilt.set(top.key, top)
  return descendants.map((row) => {
    const parent = row.parent === removed ? top : rebuilt.get(row.parent ?? '')
    const changed = toMessageRow(
      messageFromRow(row),
      createMessagePlacement(opened, row.section),
      parent,
      row.key,
    )
    rebuilt.set(row.key, changed)
    return { ...changed, usage: row.usage }
  })
}
