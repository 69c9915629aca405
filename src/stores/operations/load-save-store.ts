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
    const path = head === null ? [] : await readCompletePath(rows, head)
    read.push({ name, messages: Messages.from(path.map(messageFromRow)) })
  }
  return createMessageStore(read, row.parameters)
}

/**
 * Replaces the current branches with the sections of a message store. Unchanged messages stay. Changed ones
 * are removed from all sections before anything is written, because a message may have moved to another
 * section.
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

/** Removes the messages of a section from the first changed one on; returns the last unchanged one. */
async function removeChanged(
  rows: RowTransaction,
  scope: TenantScope,
  section: SectionRow,
  messages: readonly Message[],
): Promise<NodeRow | undefined> {
  const path = section.head === null ? [] : await readCompletePath(rows, section.head)
  const unchanged = countUnchanged(path, section, messages, scope)
  const first = path[unchanged]
  if (first === undefined) {
    await rows.putSection(section)
    return path.at(-1)
  }
  const own = first.session === section.session ? section : await unshare(rows, section)
  await unshareDependents(rows, own.session, first)
  const ownPath = own === section ? path : await readCompletePath(rows, own.head ?? '')
  const firstChanged = ownPath[unchanged] ?? first
  const keys = [firstChanged, ...(await rows.descendants(firstChanged.key))].map(({ key }) => key)
  await rows.putSection({ ...own, head: ownPath[unchanged - 1]?.key ?? null })
  await rows.removeMessages(keys)
  return ownPath[unchanged - 1]
}

/** Counts the leading stored messages that are unchanged, ids and metadata included. */
function countUnchanged(
  path: readonly MessageRow[],
  section: SectionRow,
  messages: readonly Message[],
  scope: TenantScope,
): number {
  const placement = placementIn(section, scope)
  const differs = path.findIndex((row, index) => {
    const message = messages[index]
    return (
      message === undefined || toMessageRow(message, placement, path[index - 1]).checksum !== row.checksum
    )
  })
  return differs === -1 ? path.length : differs
}

async function appendRest(
  rows: RowTransaction,
  scope: TenantScope,
  opened: OpenedSession,
  section: SectionRow,
  end: NodeRow | undefined,
  messages: Messages,
): Promise<void> {
  const newMessages = messages.toArray().slice(end?.depth ?? 0)
  const existing = await findNodes(
    rows,
    opened,
    newMessages.map(({ id }) => id),
  )
  if (existing.size > 0) throw idConflict()
  await writeMessages(rows, scope, opened, section, end, newMessages)
}
