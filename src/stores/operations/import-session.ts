import { readCanonicalValue, type Shape } from '../../canonical/shape/shape.ts'
import { fromJson } from '../../canonical/stored/stored-form.ts'
import { InterlinguaError } from '../../errors.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Message } from '../../canonical/model/message.ts'
import { type ImportedSession, type ImportOptions, TOOL_CALL_LOG_SECTION } from '../conversation-storage.ts'
import { toUntrustedLogId } from '../untrusted-log-id.ts'
import { checkIdentifier } from '../check-input.ts'
import type { MessageRow } from '../rows/row-store.ts'
import { toMessageRow } from '../rows/row-hash.ts'
import { countUsageOnce } from './count-usage-once.ts'
import { exportedMessageShape, exportHeaderShape } from './export-format.ts'
import { createSectionRow, type TenantScope, toSession } from './open-session.ts'
import { insertSessionRow } from './sessions.ts'

/** Creates a session from exported lines. The transaction is rolled back if any line is invalid. */
export async function importSession(
  scope: TenantScope,
  lines: readonly string[],
  { id: newId, trustToolCallLog = false }: ImportOptions = {},
): Promise<ImportedSession> {
  const { rows } = scope
  const isTrusted = (section: string): boolean => trustToolCallLog || section !== TOOL_CALL_LOG_SECTION
  const [first, ...rest] = lines
  const { session, sections } = parseLine(1, first, exportHeaderShape)
  // Timestamps are compared as strings.
  const createdAt = new Date(session.createdAt).toISOString()
  const updatedAt = new Date(session.updatedAt).toISOString()
  const row = {
    ...(await insertSessionRow(scope, { ...session, ...(newId !== undefined && { id: newId }) })),
    createdAt,
    updatedAt,
  }
  const sectionRows = sections.map(({ name }, index) =>
    createSectionRow(row, checkIdentifier(name, 'section'), index),
  )
  const sectionNames = new Set(sectionRows.map(({ name }) => name))
  if (sectionNames.size < sectionRows.length) throw invalidLine(1)
  const messages = new Map<string, MessageRow>()
  for (const [index, text] of rest.entries()) {
    const number = index + 2
    const { section, labels = [], ...stored } = parseLine(number, text, exportedMessageShape)
    const exported = readLine(number, () => fromJson(stored, 'message'))
    const message = isTrusted(section) ? exported : toUntrustedEntry(exported)
    const { id, parentId } = message
    const parent = parentId === undefined ? undefined : messages.get(parentId)
    const hasKnownParent = parent === undefined ? parentId === undefined : parent.section === section
    if (!sectionNames.has(section) || !hasKnownParent || messages.has(id)) throw invalidLine(number)
    const placement = { session: row.key, section, writtenAt: updatedAt }
    messages.set(checkIdentifier(id, 'id'), toMessageRow(message, placement, parent))
    for (const label of labels)
      await rows.putLabel({ session: row.key, message: id, label: checkIdentifier(label, 'label') })
  }
  await rows.insertMessages(countUsageOnce([...messages.values()], []))
  for (const [index, section] of sectionRows.entries()) {
    const exportedId = sections[index]?.head
    const isKnown = exportedId === undefined || isTrusted(section.name)
    const id = isKnown ? exportedId : toUntrustedLogId(exportedId)
    const head = id === undefined ? undefined : messages.get(id)
    if (id !== undefined && head?.section !== section.name) throw invalidLine(1)
    await rows.putSection({ ...section, head: head?.key ?? null })
  }
  await rows.putSession(row)
  const untrustedLogEntries = [...messages.values()].filter(({ section }) => !isTrusted(section)).length
  return Object.freeze({ ...toSession(row, sectionRows), untrustedLogEntries })
}

/** Changes the ids of an entry, so that it does not count as one that this storage has written. */
function toUntrustedEntry(entry: Message): Message {
  const { parentId } = entry
  return {
    ...entry,
    id: toUntrustedLogId(entry.id),
    ...(parentId !== undefined && { parentId: toUntrustedLogId(parentId) }),
  }
}

function parseLine<T>(number: number, text: string | undefined, shape: Shape<T>): T {
  return readLine(number, () => readCanonicalValue(shape, JSON.parse(text ?? ''), child(undefined, number)))
}

function readLine<T>(number: number, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw invalidLine(number, cause)
  }
}

function invalidLine(number: number, cause?: unknown): InterlinguaError {
  const code = cause instanceof InterlinguaError ? cause.code : 'invalid-value'
  return new InterlinguaError(code, `Line ${number} of the export is invalid: ${describeCause(cause)}`, {
    path: `/${number}`,
    hint: 'Pass all lines of exportSession() unchanged and in order.',
    ...(cause !== undefined && { cause }),
  })
}

/** Describes why a line is invalid. A JSON syntax error is not included, since it would quote the line. */
function describeCause(cause: unknown): string {
  if (cause === undefined) return 'it contradicts the other lines'
  return cause instanceof InterlinguaError ? cause.message : 'it is not JSON'
}
