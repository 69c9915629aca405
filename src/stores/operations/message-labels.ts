import { checkName } from '../check-input.ts'
import type { RowTransaction } from '../rows/row-store.ts'
import { findNode, findNodes, type OpenedSession, openSession, type TenantScope } from './open-session.ts'

export async function addMessageLabel(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  message: string,
  word: string,
): Promise<void> {
  const opened = await openSession(rows, scope, session)
  const { id } = await findNode(rows, opened, message)
  await rows.putLabel({ session: opened.row.key, message: id, label: checkName(word, 'label') })
}

export async function removeMessageLabel(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  message: string,
  word: string,
): Promise<void> {
  const { row } = await openSession(rows, scope, session)
  await rows.removeLabel({
    session: row.key,
    message: checkName(message, 'message'),
    label: checkName(word, 'label'),
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

/** Takes away the labels of messages that a session has no longer. */
export async function removeOrphanLabels(rows: RowTransaction, opened: OpenedSession): Promise<void> {
  const given = await rows.labels(opened.row.key)
  const ids = new Set(given.map(({ message }) => message))
  const there = await findNodes(rows, opened, [...ids])
  for (const each of given) if (!there.has(each.message)) await rows.removeLabel(each)
}

/** The labels of a session by message id. */
export async function readLabels(
  rows: RowTransaction,
  session: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const { message, label: word } of await rows.labels(session)) {
    found.set(message, [...(found.get(message) ?? []), word])
  }
  return found
}
