import { type MessageStore, createMessageStore } from '../../canonical/collections/message-store.ts'
import { Messages } from '../../canonical/collections/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { MessageRow, NodeRow, SectionRow, RowTransaction } from '../rows/row-store.ts'
import { isInternalSection } from '../conversation-storage.ts'
import { checkName } from '../check-input.ts'
import { messageFromRow, toMessageRow } from '../rows/row-hash.ts'
import { idConflict, readInputMessages, writeMessages } from './append-messages.ts'
import {
  findNodes,
  type OpenedSession,
  openSession,
  placementIn,
  type TenantScope,
  findSection,
} from './open-session.ts'
import { removeOrphanLabels } from './message-labels.ts'
import { insertSession, updateSession } from './sessions.ts'
import { unshare, unshareDependents } from './unshare.ts'
import { readCompletePath } from './heads-and-branches.ts'

export async function loadStore(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
): Promise<MessageStore> {
  const { row, sections } = await openSession(rows, scope, session)
  const read: { name: string; messages: Messages }[] = []
  for (const { name, head } of sections) {
    if (isInternalSection(name)) continue
    const line = head === null ? [] : await readCompletePath(rows, head)
    read.push({ name, messages: Messages.from(line.map(messageFromRow)) })
  }
  return createMessageStore(read, row.parameters)
}

/**
 * Makes the current lines those of a store. What has not changed stays as it is; the rest is cut off in all sections before
 * anything is written, because a message may have moved from one to another.
 */
export async function saveStore(
  rows: RowTransaction,
  scope: TenantScope,
  session: string,
  store: MessageStore,
): Promise<void> {
  if ((await rows.session(scope.tenant, checkName(session, 'session'))) === undefined) {
    await insertSession(rows, scope, { id: session })
  }
  const before = await openSession(rows, scope, session)
  for (const section of before.sections) {
    if (isInternalSection(section.name) || store.sectionNames.includes(section.name)) continue
    await unshareDependents(rows, before.row.key, { section: section.name, depth: 1 })
    await rows.removeSection(before.row.key, section.name)
  }
  const kept = new Map<string, NodeRow | undefined>()
  for (const [position, { name, messages }] of store.sections.entries()) {
    const section = { ...findSection(before, { section: name }), position }
    kept.set(name, await removeChanged(rows, scope, section, readInputMessages(messages, scope)))
  }
  const after = await openSession(rows, scope, session)
  for (const { name, messages } of store.sections) {
    await appendRest(rows, scope, after, findSection(after, { section: name }), kept.get(name), messages)
  }
  await removeOrphanLabels(rows, await openSession(rows, scope, session))
  await updateSession(rows, scope, session, { parameters: store.parameters.all })
}

/** Removes what of a section's line is not the same any more; gives the last message that is. */
async function removeChanged(
  rows: RowTransaction,
  scope: TenantScope,
  section: SectionRow,
  messages: readonly Message[],
): Promise<NodeRow | undefined> {
  const line = section.head === null ? [] : await readCompletePath(rows, section.head)
  const same = countUnchanged(line, section, messages, scope)
  const first = line[same]
  if (first === undefined) {
    await rows.putSection(section)
    return line.at(-1)
  }
  const own = first.session === section.session ? section : await unshare(rows, section)
  await unshareDependents(rows, own.session, first)
  const mine = own === section ? line : await readCompletePath(rows, own.head ?? '')
  const doomed = mine[same] ?? first
  const keys = [doomed, ...(await rows.descendants(doomed.key))].map(({ key }) => key)
  await rows.putSection({ ...own, head: mine[same - 1]?.key ?? null })
  await rows.removeMessages(keys)
  return mine[same - 1]
}

/** How many of the stored messages are what they should be, ids and metadata included. */
function countUnchanged(
  line: readonly MessageRow[],
  section: SectionRow,
  messages: readonly Message[],
  scope: TenantScope,
): number {
  const place = placementIn(section, scope)
  const differs = line.findIndex((row, index) => {
    const message = messages[index]
    return message === undefined || toMessageRow(message, place, line[index - 1]).checksum !== row.checksum
  })
  return differs === -1 ? line.length : differs
}

async function appendRest(
  rows: RowTransaction,
  scope: TenantScope,
  opened: OpenedSession,
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
  if (taken.size > 0) throw idConflict()
  await writeMessages(rows, scope, opened, section, end, fresh)
}
