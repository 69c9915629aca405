import { checkName } from '../names.ts'
import type { Rows } from '../rows/rows.ts'
import { findNode, findNodes, type Opened, openSession, type Scope } from './scope.ts'

export async function label(
  rows: Rows,
  scope: Scope,
  session: string,
  message: string,
  word: string,
): Promise<void> {
  const opened = await openSession(rows, scope, session)
  const { id } = await findNode(rows, opened, message)
  await rows.putLabel({ session: opened.row.key, message: id, label: checkName(word, 'label') })
}

export async function unlabel(
  rows: Rows,
  scope: Scope,
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

export async function labels(
  rows: Rows,
  scope: Scope,
  session: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { row } = await openSession(rows, scope, session)
  return labelsOf(rows, row.key)
}

/** Takes away the labels of messages that a session has no longer. */
export async function unlabelGone(rows: Rows, opened: Opened): Promise<void> {
  const given = await rows.labels(opened.row.key)
  const ids = new Set(given.map(({ message }) => message))
  const there = await findNodes(rows, opened, [...ids])
  for (const each of given) if (!there.has(each.message)) await rows.removeLabel(each)
}

/** The labels of a session by message id. */
export async function labelsOf(rows: Rows, session: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const { message, label: word } of await rows.labels(session)) {
    found.set(message, [...(found.get(message) ?? []), word])
  }
  return found
}
