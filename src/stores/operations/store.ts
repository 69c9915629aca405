import { type MessageStore, storeOf } from '../../canonical/collections/message-store.ts'
import { Messages } from '../../canonical/collections/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { MessageRow, NodeRow, SectionRow } from '../rows/row.ts'
import { isNotes } from '../contract.ts'
import { checkName } from '../names.ts'
import type { Rows } from '../rows/rows.ts'
import { messageOf, rowOf } from '../rows/seal.ts'
import { idTaken, messagesOf, write } from './append.ts'
import { findNodes, type Opened, openSession, placeIn, type Scope, sectionOf } from './scope.ts'
import { unlabelGone } from './labels.ts'
import { addSession, updateSession } from './sessions.ts'
import { unshare, unshareDependents } from './share.ts'
import { wholePath } from './tree.ts'

export async function loadStore(rows: Rows, scope: Scope, session: string): Promise<MessageStore> {
  const { row, sections } = await openSession(rows, scope, session)
  const read: { name: string; messages: Messages }[] = []
  for (const { name, head } of sections) {
    if (isNotes(name)) continue
    const line = head === null ? [] : await wholePath(rows, head)
    read.push({ name, messages: Messages.from(line.map(messageOf)) })
  }
  return storeOf(read, row.parameters)
}

/**
 * Makes the current lines those of a store. What has not changed stays as it is; the rest is cut off in all sections before
 * anything is written, because a message may have moved from one to another.
 */
export async function saveStore(
  rows: Rows,
  scope: Scope,
  session: string,
  store: MessageStore,
): Promise<void> {
  if ((await rows.session(scope.tenant, checkName(session, 'session'))) === undefined) {
    await addSession(rows, scope, { id: session })
  }
  const before = await openSession(rows, scope, session)
  for (const section of before.sections) {
    if (isNotes(section.name) || store.names.includes(section.name)) continue
    await unshareDependents(rows, before.row.key, { section: section.name, depth: 1 })
    await rows.removeSection(before.row.key, section.name)
  }
  const kept = new Map<string, NodeRow | undefined>()
  for (const [position, { name, messages }] of store.sections.entries()) {
    const section = { ...sectionOf(before, { section: name }), position }
    kept.set(name, await cut(rows, scope, section, messagesOf(messages, scope)))
  }
  const after = await openSession(rows, scope, session)
  for (const { name, messages } of store.sections) {
    await extend(rows, scope, after, sectionOf(after, { section: name }), kept.get(name), messages)
  }
  await unlabelGone(rows, await openSession(rows, scope, session))
  await updateSession(rows, scope, session, { parameters: store.parameters.all })
}

/** Removes what of a section's line is not the same any more; gives the last message that is. */
async function cut(
  rows: Rows,
  scope: Scope,
  section: SectionRow,
  messages: readonly Message[],
): Promise<NodeRow | undefined> {
  const line = section.head === null ? [] : await wholePath(rows, section.head)
  const same = sameLength(line, section, messages, scope)
  const first = line[same]
  if (first === undefined) {
    await rows.putSection(section)
    return line.at(-1)
  }
  const own = first.session === section.session ? section : await unshare(rows, section)
  await unshareDependents(rows, own.session, first)
  const mine = own === section ? line : await wholePath(rows, own.head ?? '')
  const doomed = mine[same] ?? first
  const keys = [doomed, ...(await rows.below(doomed.key))].map(({ key }) => key)
  await rows.putSection({ ...own, head: mine[same - 1]?.key ?? null })
  await rows.removeMessages(keys)
  return mine[same - 1]
}

/** How many of the stored messages are what they should be, ids and metadata included. */
function sameLength(
  line: readonly MessageRow[],
  section: SectionRow,
  messages: readonly Message[],
  scope: Scope,
): number {
  const place = placeIn(section, scope)
  const differs = line.findIndex((row, index) => {
    const message = messages[index]
    return message === undefined || rowOf(message, place, line[index - 1]).checksum !== row.checksum
  })
  return differs === -1 ? line.length : differs
}

async function extend(
  rows: Rows,
  scope: Scope,
  opened: Opened,
  section: SectionRow,
  end: NodeRow | undefined,
  messages: Messages,
): Promise<void> {
  const fresh = messages.toArray().slice(end?.depth ?? 0)
  const taken = await findNodes(
    rows,
    opened,
    fresh.map(({ id }) => id),
  )
  if (taken.size > 0) throw idTaken()
  await write(rows, scope, opened, section, end, fresh)
}
