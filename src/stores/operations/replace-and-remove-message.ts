import { type MessageInput, toMessage } from '../../canonical/collections/message-input.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { NodeRow } from '../rows/row-definitions.ts'
import { messageFromRow, toMessageRow } from '../rows/row-hash.ts'
import {
  findNode,
  getNode,
  type OpenedSession,
  openSession,
  createMessagePlacement,
  readNodeByKey,
  type TenantScope,
  touchSession,
} from './open-session.ts'
import { removeOrphanLabels } from './message-labels.ts'
import { detachSubtree, rewriteSubtree } from './rewrite-subtree.ts'

export async function replaceMessage(
  scope: TenantScope,
  session: string,
  id: string,
  input: MessageInput,
): Promise<Message> {
  const { rows, identity } = scope
  const message = { ...toMessage(input, identity), id }
  const opened = await openSession(scope, session)
  const node = await getNode(opened, id)
  const parent = await readNodeByKey(scope, node.parent)
  const changed = toMessageRow(
    message,
    createMessagePlacement(opened.row, opened.identity, node.section),
    parent,
    node.key,
  )
  // Other metadata leaves the hash as it is, and with it all descendants.
  const isLocal = changed.hash === node.hash && !(await isShared(opened, node))
  if (isLocal) await rows.updateMessages([changed])
  else await rewriteSubtree(opened, await detachSubtree(opened, node), message)
  await touchSession(opened)
  return messageFromRow(changed)
}

export async function removeMessage(scope: TenantScope, session: string, id: string): Promise<boolean> {
  const opened = await openSession(scope, session)
  const node = await findNode(opened, id)
  if (node === undefined) return false
  await rewriteSubtree(opened, await detachSubtree(opened, node), undefined)
  await removeOrphanLabels(await openSession(scope, session))
  await touchSession(opened)
  return true
}

/** Tests whether another session may depend on a message. */
async function isShared({ rows, row }: OpenedSession, { session, section }: NodeRow): Promise<boolean> {
  if (session !== row.key) return true
  return (await rows.dependentSections(row.key)).some(({ name }) => name === section)
}
