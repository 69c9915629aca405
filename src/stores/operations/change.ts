import { type MessageInput, toMessage } from '../../canonical/collections/input.ts'
import type { Message } from '../../canonical/model/message.ts'
import { damaged } from '../failures.ts'
import { checkName } from '../names.ts'
import type { MessageRow, NodeRow } from '../rows/row.ts'
import type { Rows } from '../rows/rows.ts'
import { messageOf, rowOf } from '../rows/seal.ts'
import {
  findNode,
  findNodes,
  type Opened,
  openSession,
  placeIn,
  type Scope,
  sectionOf,
  touch,
} from './scope.ts'
import { unlabelGone } from './labels.ts'
import { unshare, unshareDependents } from './share.ts'

export async function replace(
  rows: Rows,
  scope: Scope,
  session: string,
  id: string,
  input: MessageInput,
): Promise<Message> {
  const message = { ...toMessage(input, scope.identity), id }
  const opened = await openSession(rows, scope, session)
  const row = await ownRow(rows, scope, session, await findNode(rows, opened, id))
  const parent = row.parent === null ? undefined : await rows.node(row.parent)
  const changed = rowOf(message, placeOf(opened, row, scope), parent, row.key)
  const follows = changed.hash === row.hash ? [] : await rows.below(row.key)
  await rows.update([changed, ...rechained(follows, changed, opened, scope)])
  await touch(rows, opened.row, scope)
  return messageOf(changed)
}

export async function remove(rows: Rows, scope: Scope, session: string, id: string): Promise<boolean> {
  const opened = await openSession(rows, scope, session)
  const node = (await findNodes(rows, opened, [checkName(id, 'message')])).get(id)
  if (node === undefined) return false
  const row = await ownRow(rows, scope, session, node)
  const parent = row.parent === null ? undefined : await rows.node(row.parent)
  const follows = await rows.below(row.key)
  const section = sectionOf(await openSession(rows, scope, session), row)
  // The head first: a foreign key of a backend may ask that what it names is there.
  if (section.head === row.key) await rows.putSection({ ...section, head: row.parent })
  await rows.update(rechained(follows, parent, opened, scope, row.key))
  await rows.removeMessages([row.key])
  await unlabelGone(rows, await openSession(rows, scope, session))
  await touch(rows, opened.row, scope)
  return true
}

/** A row that only this session has, so that it can be changed. */
async function ownRow(rows: Rows, scope: Scope, session: string, node: NodeRow): Promise<MessageRow> {
  const opened = await openSession(rows, scope, session)
  if (node.session !== opened.row.key) await unshare(rows, sectionOf(opened, node))
  await unshareDependents(rows, opened.row.key, node)
  const [own] = await rows.nodesById([opened.row.key], [node.id])
  const row = own === undefined ? undefined : await rows.message(own.key)
  if (row === undefined) throw damaged(`The message ${node.id} is missing`)
  return row
}

/** The rows below a change, parents first, each made anew behind its parent. */
function rechained(
  follows: readonly MessageRow[],
  top: NodeRow | undefined,
  opened: Opened,
  scope: Scope,
  removed?: string,
): readonly MessageRow[] {
  const made = new Map<string, NodeRow>()
  if (top !== undefined) made.set(top.key, top)
  return follows.map((row) => {
    const parent = row.parent === removed ? top : made.get(row.parent ?? '')
    const changed = rowOf(messageOf(row), placeOf(opened, row, scope), parent, row.key)
    made.set(row.key, changed)
    return { ...changed, usage: row.usage }
  })
}

function placeOf(opened: Opened, row: NodeRow, scope: Scope): ReturnType<typeof placeIn> {
  return placeIn(sectionOf(opened, row), scope)
}
