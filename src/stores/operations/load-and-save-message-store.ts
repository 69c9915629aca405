import { MessageStore, createMessageStore } from '../../canonical/collections/message-store.ts'
import type { Messages } from '../../canonical/collections/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import { stableStringify, tryParseJson } from '../../wire/json.ts'
import type { MessageRow, NodeRow, SectionRow } from '../rows/row-definitions.ts'
import type { SaveStoreOptions } from '../conversation-storage.ts'
import { isInternalSection } from '../internal-sections.ts'
import { throwInvalidType, throwInvalidValue } from '../check-arguments.ts'
import { yieldIfTurnIsLong } from '../event-loop-turns.ts'
import { createConflictError } from '../storage-errors.ts'
import { toMessageRow } from '../rows/row-hash.ts'
import { writeRestOfHistory } from './append-messages.ts'
import { readInputMessages } from './read-input-messages.ts'
import {
  getSectionOrEmpty,
  findSessionRow,
  type OpenedSession,
  openSession,
  createMessagePlacement,
  type TenantScope,
} from './open-session.ts'
import { removeOrphanLabels } from './message-labels.ts'
import { insertSessionRow, updateSession } from './sessions.ts'
import { detachSubtree, removeSubtree } from './rewrite-subtree.ts'
import { transferOwnMessages } from './transfer-shared-messages.ts'
import { readCompleteMessagePath, readPathMessages } from './heads-and-branches.ts'

export async function loadStore(scope: TenantScope, session: string): Promise<MessageStore> {
  const { row, sections } = await openSession(scope, session)
  const read: { name: string; messages: Messages }[] = []
  for (const { name, head } of sections) {
    if (isInternalSection(name)) continue
    read.push({ name, messages: await readPathMessages(scope, head) })
  }
  return createMessageStore(read, row.parameters)
}

/**
 * Replaces the current branches with the sections of a message store. Unchanged messages stay. Changed ones are removed
 * from all sections before anything is written, because a message may have moved to another section.
 */
export async function saveStore(
  scope: TenantScope,
  session: string,
  store: MessageStore,
  { expectedStore }: SaveStoreOptions = {},
): Promise<void> {
  checkStore(store, 'store')
  if ((await findSessionRow(scope, session)) === undefined) await insertSessionRow(scope, { id: session })
  const before = await openSession(scope, session)
  const expected = expectedStore === null ? MessageStore.of() : expectedStore
  if (expected !== undefined && !(await isStored(before, checkStore(expected, 'expectedStore'))))
    throw storeChanged()
  for (const { name } of before.sections) {
    if (isInternalSection(name) || store.sectionNames.includes(name)) continue
    await transferOwnMessages(scope, before.row.key, name)
    await scope.rows.removeSection(before.row.key, name)
  }
  const kept = new Map<string, NodeRow | undefined>()
  for (const [position, { name, messages }] of store.sections.entries()) {
    const section = { ...getSectionOrEmpty(before, { section: name }), position }
    kept.set(name, await removeChanged(before, section, await readInputMessages(messages, scope)))
  }
  const after = await openSession(scope, session)
  for (const { name, messages } of store.sections) {
    const section = getSectionOrEmpty(after, { section: name })
    await writeRestOfHistory(after, section, kept.get(name), messages.toArray())
  }
  await removeOrphanLabels(await openSession(scope, session))
  await updateSession(scope, session, { parameters: store.parameters.all })
}

/** A store may come from anywhere, so it must not contain the notes that conversations act on. */
function checkStore(value: unknown, argument: string): MessageStore {
  if (!(value instanceof MessageStore)) return throwInvalidType(argument, value, 'a MessageStore')
  if (!value.sectionNames.some(isInternalSection)) return value
  return throwInvalidValue(argument, 'a section with a reserved name', 'other section names')
}

/** Tests whether a session contains exactly the current branches and parameters of a store. */
async function isStored(opened: OpenedSession, store: MessageStore): Promise<boolean> {
  const sections = opened.sections.filter(({ name }) => !isInternalSection(name))
  const names = new Set([...sections.map(({ name }) => name), ...store.sectionNames])
  for (const name of names) {
    const messages = store.section(name).messages.toArray()
    const section = getSectionOrEmpty(opened, { section: name })
    const path = await readCompleteMessagePath(opened, section.head)
    const unchanged = await countUnchanged(opened, section, path, messages)
    if (unchanged < path.length || unchanged < messages.length) return false
  }
  return stableStringify(opened.row.parameters) === stableStringify({ ...store.parameters.all })
}

function storeChanged(): Error {
  return createConflictError(
    'The session is not `expectedStore`: it was changed in the meantime',
    'Load the store again and repeat the change.',
  )
}

/** Removes the messages of a section from the first changed one on; returns the last unchanged one. */
async function removeChanged(
  opened: OpenedSession,
  section: SectionRow,
  messages: readonly Message[],
): Promise<NodeRow | undefined> {
  const path = await readCompleteMessagePath(opened, section.head)
  const unchanged = await countUnchanged(opened, section, path, messages)
  const first = path[unchanged]
  if (first === undefined) {
    await opened.rows.putSection(section)
    return path.at(-1)
  }
  const subtree = await detachSubtree(opened, first)
  await removeSubtree(opened, { ...subtree, section: { ...subtree.section, position: section.position } })
  return path[unchanged - 1]
}

/** Counts the leading stored messages that are unchanged, ids and metadata included. */
async function countUnchanged(
  opened: OpenedSession,
  { name }: SectionRow,
  path: readonly MessageRow[],
  messages: readonly Message[],
): Promise<number> {
  const placement = createMessagePlacement(opened.row, opened.identity, name)
  for (const [index, row] of path.entries()) {
    const message = messages[index]
    if (message === undefined || !isSameRow(row, toMessageRow(message, placement, path[index - 1])))
      return index
    await yieldIfTurnIsLong()
  }
  return path.length
}

/** Compares two rows. Keys in another order are no change: a message that was loaded has those of the model. */
function isSameRow(stored: MessageRow, given: MessageRow): boolean {
  if (stored.checksum === given.checksum) return true
  if (stored.id !== given.id || stored.hash !== given.hash) return false
  const [before, after] = [tryParseJson(stored.body), tryParseJson(given.body)]
  return before !== undefined && after !== undefined && stableStringify(before) === stableStringify(after)
}
