import { type MessageInput, toMessage } from '../../canonical/collections/message-input.ts'
import type { Message } from '../../canonical/model/message.ts'
import { damagedError } from '../storage-errors.ts'
import { checkName } from '../check-input.ts'
import type { MessageRow, NodeRow, RowTransaction } from '../rows/row-store.ts'
import { messageFromRow, toMessageRow } from '../rows/row-hash.ts'
import {
  findNode,
  findNodes,
  type OpenedSession,
  openSession,
  placementIn,
  type TenantScope,
  findSection,
  touchSession,
} from './open-session.ts'
import { removeOrphanLabels } from './message-labels.ts'
import { unshare, unshareDependents } from './unshare.ts'

export async function replaceMessage(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  id: string,
  input: MessageInput,
): Promise<Message> {
  const message = { ...toMessage(input, scope.identity), id }
  const opened = await openSession(rows, scope, session)
  const row = await makeOwnRow(rows, scope, session, await findNode(rows, opened, id))
  const parent = row.parent === null ? undefined : await rows.node(row.parent)
  const changed = toMessageRow(message, placementOf(opened, row, scope), parent, row.key)
  const descendants = changed.hash === row.hash ? [] : await rows.descendants(row.key)
  await rows.updateMessages([changed, ...rebuildDescendants(descendants, changed, opened, scope)])
  await touchSession(rows, opened.row, scope)
  return messageFromRow(changed)
}

export async function removeMessage(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  id: string,
): Promise<boolean> {
  const opened = await openSession(rows, scope, session)
  const node = (await findNodes(rows, opened, [checkName(id, 'message')])).get(id)
  if (node === undefined) return false
  const row = await makeOwnRow(rows, scope, session, node)
  const parent = row.parent === null ? undefined : await rows.node(row.parent)
  const descendants = await rows.descendants(row.key)
  const section = findSection(await openSession(rows, scope, session), row)
  // The head first: a backend may have a foreign key on it.
  if (section.head === row.key) await rows.putSection({ ...section, head: row.parent })
  await rows.updateMessages(rebuildDescendants(descendants, parent, opened, scope, row.key))
  await rows.removeMessages([row.key])
  await removeOrphanLabels(rows, await openSession(rows, scope, session))
  await touchSession(rows, opened.row, scope)
  return true
}

/** Returns a row that only this session uses, so that it can be changed. */
async function makeOwnRow(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  node: NodeRow,
): Promise<MessageRow> {
  const opened = await openSession(rows, scope, session)
  if (node.session !== opened.row.key) await unshare(rows, findSection(opened, node))
  await unshareDependents(rows, opened.row.key, node)
  const [own] = await rows.nodesById([opened.row.key], [node.id])
  const row = own === undefined ? undefined : await rows.message(own.key)
  if (row === undefined) throw damagedError(`The message ${node.id} is missing`)
  return row
}

/** Rebuilds the rows after a change, parents first, each with its new parent. */
function rebuildDescendants(
  descendants: readonly MessageRow[],
  top: NodeRow | undefined,
  opened: OpenedSession,
  scope: TenantScope,
  removed?: string,
): readonly MessageRow[] {
  const rebuilt = new Map<string, NodeRow>()
  if (top !== undefined) rebuilt.set(top.key, top)
  return descendants.map((row) => {
    const parent = row.parent === removed ? top : rebuilt.get(row.parent ?? '')
    const changed = toMessageRow(messageFromRow(row), placementOf(opened, row, scope), parent, row.key)
    rebuilt.set(row.key, changed)
    return { ...changed, usage: row.usage }
  })
}

function placementOf(
  opened: OpenedSession,
  row: NodeRow,
  scope: TenantScope,
): ReturnType<typeof placementIn> {
  return placementIn(findSection(opened, row), scope)
}
