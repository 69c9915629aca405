import { checkIdentifier } from '../check-arguments.ts'
import { findNodes, getNode, type OpenedSession, openSession, type TenantScope } from './open-session.ts'

export async function addMessageLabel(
  scope: TenantScope,
  session: string,
  message: string,
  label: string,
): Promise<void> {
  const opened = await openSession(scope, session)
  const { id } = await getNode(opened, message)
  await scope.rows.putLabel({ session: opened.row.key, message: id, label: checkIdentifier(label, 'label') })
}

export async function removeMessageLabel(
  scope: TenantScope,
  session: string,
  message: string,
  label: string,
): Promise<void> {
  const { row } = await openSession(scope, session)
  const names = { message: checkIdentifier(message, 'message'), label: checkIdentifier(label, 'label') }
  await scope.rows.removeLabel({ session: row.key, ...names })
}

export async function listMessageLabels(
  scope: TenantScope,
  session: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  return readLabelsByMessage(await openSession(scope, session))
}

/** Removes the labels of messages that a session no longer has. */
export async function removeOrphanLabels(opened: OpenedSession): Promise<void> {
  const labels = await opened.rows.labels(opened.row.key)
  const ids = new Set(labels.map(({ message }) => message))
  const existing = await findNodes(opened, [...ids])
  for (const each of labels) if (!existing.has(each.message)) await opened.rows.removeLabel(each)
}

/** Returns the labels of a session by message id. */
export async function readLabelsByMessage({
  rows,
  row,
}: OpenedSession): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const { message, label } of await rows.labels(row.key)) {
    found.set(message, [...(found.get(message) ?? []), label])
  }
  return found
}
