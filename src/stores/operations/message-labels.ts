import { checkName } from '../check-input.ts'
import type { RowTransaction } from '../rows/row-store.ts'
import { findNode, findNodes, type OpenedSession, openSession, type TenantScope } from './open-session.ts'

export async function addMessageLabel(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  message: string,
  label: string,
): Promise<void> {
  const opened = await openSession(rows, scope, session)
  const { id } = await findNode(rows, opened, message)
  await rows.putLabel({ session: opened.row.key, message: id, label: checkName(label, 'label') })
}

export async function removeMessageLabel(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  message: string,
  label: string,
): Promise<void> {
  const { row } = await openSession(rows, scope, session)
  await rows.removeLabel({
    session: row.key,
    message: checkName(message, 'message'),
    label: checkName(label, 'label'),
  })
}

export async function listMessageLabels(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { row } = await openSession(rows, scope, session)
  return readLabels(rows, row.key)
}

/** Removes the labels of messages that a session no longer has. */
export async function removeOrphanLabels(rows: RowTransaction, opened: OpenedSession): Promise<void> {
  const labels = await rows.labels(opened.row.key)
  const ids = new Set(labels.map(({ message }) => message))
  const existing = await findNodes(rows, opened, [...ids])
  for (const each of labels) if (!existing.has(each.message)) await rows.removeLabel(each)
}

/** Returns the labels of a session by message id. */
export async function readLabels(
  rows: RowTransaction,
  session: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const { message, label } of await rows.labels(session)) {
    found.set(message, [...(found.get(message) ?? []), label])
  }
  return found
}
