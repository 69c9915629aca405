import {
  throwInvalid,
  type Shape,
  stringShape,
  listShape,
  jsonObjectShape,
  timestampShape,
  identifierShape,
  readCanonicalValue,
} from '../../canonical/shape/shape.ts'
import {
  objectShape,
  optional as optionalField,
  required as requiredField,
} from '../../canonical/shape/object.ts'
import { fromJson, STORED_VERSION, toJson } from '../../canonical/stored/stored-form.ts'
import { InterlinguaError } from '../../errors.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Session } from '../conversation-storage.ts'
import { checkIdentifier } from '../check-input.ts'
import type { MessageRow } from '../rows/row-store.ts'
import { messageFromRow, toMessageRow } from '../rows/row-hash.ts'
import { countUsageOnce } from './count-usage-once.ts'
import { readLabelsByMessage } from './message-labels.ts'
import { createSectionRow, openSession, type TenantScope, toSession } from './open-session.ts'
import { insertSessionRow } from './sessions.ts'
import { readCompleteMessagePath } from './heads-and-branches.ts'

/** The first line of an export. */
interface ExportHeader {
  readonly interlingua: number
  readonly session: Omit<Session, 'sections'>
  readonly sections: readonly { readonly name: string; readonly head?: string }[]
}

/** Any other line of an export: one message. */
interface ExportedMessage {
  readonly interlingua: number
  readonly section: string
  readonly message: JsonObject
  readonly labels?: readonly string[]
}

const versionShape: Shape<number> = {
  expects: `a version from 1 to ${STORED_VERSION}`,
  read: (value, path) => {
    if (value === STORED_VERSION) return STORED_VERSION
    return throwInvalid('unsupported-version', path, 'another version', versionShape.expects)
  },
  schema: () => ({ const: STORED_VERSION }),
}

const exportHeaderShape: Shape<ExportHeader> = objectShape<ExportHeader>('Export', {
  interlingua: requiredField(versionShape),
  session: requiredField(
    objectShape<ExportHeader['session']>('ExportedSession', {
      id: requiredField(identifierShape),
      title: requiredField(stringShape),
      labels: requiredField(listShape(stringShape)),
      parameters: requiredField(jsonObjectShape),
      createdAt: requiredField(timestampShape),
      updatedAt: requiredField(timestampShape),
    }),
  ),
  sections: requiredField(
    listShape(
      objectShape<ExportHeader['sections'][number]>('ExportedSection', {
        name: requiredField(identifierShape),
        head: optionalField(identifierShape),
      }),
    ),
  ),
})

const exportedMessageShape: Shape<ExportedMessage> = objectShape<ExportedMessage>('ExportedMessage', {
  interlingua: requiredField(versionShape),
  section: requiredField(identifierShape),
  message: requiredField(jsonObjectShape),
  labels: optionalField(listShape(identifierShape)),
})

/** Returns a session as lines of JSON: shared messages first, then its own, parents before children. */
export async function exportSession(scope: TenantScope, id: string): Promise<readonly string[]> {
  const opened = await openSession(scope, id)
  const labels = await readLabelsByMessage(opened)
  // Rows are added one by one: the number of arguments of a call is limited.
  const all: MessageRow[] = []
  for (const { forkPoint } of opened.sections)
    for (const row of await readCompleteMessagePath(scope, forkPoint)) all.push(row)
  for await (const page of scope.rows.ownMessages(opened.row.key)) for (const row of page) all.push(row)
  const ids = new Map(all.map((row) => [row.key, row.id]))
  const { key: _key, tenant: _tenant, fault: _fault, ...session } = opened.row
  const sections = opened.sections.map(({ name, head: key }) => {
    const head = ids.get(key ?? '')
    return { name, ...(head !== undefined && { head }) }
  })
  const header: ExportHeader = { interlingua: STORED_VERSION, session, sections }
  const lines = all.map((row) => {
    const own = labels.get(row.id)
    const line = { section: row.section, ...toJson(messageFromRow(row)), ...(own && { labels: own }) }
    return JSON.stringify(line)
  })
  return [JSON.stringify(header), ...lines]
}

/** Creates a session from exported lines. The transaction is rolled back if any line is invalid. */
export async function importSession(
  scope: TenantScope,
  lines: readonly string[],
  options: { readonly id?: string } = {},
): Promise<Session> {
  const { rows } = scope
  const [first, ...rest] = lines
  const { session, sections } = parseLine(1, first, exportHeaderShape)
  // Timestamps are compared as strings.
  const createdAt = new Date(session.createdAt).toISOString()
  const updatedAt = new Date(session.updatedAt).toISOString()
  const row = { ...(await insertSessionRow(scope, { ...session, ...options })), createdAt, updatedAt }
  const sectionRows = sections.map(({ name }, index) =>
    createSectionRow(row, checkIdentifier(name, 'section'), index),
  )
  const sectionNames = new Set(sectionRows.map(({ name }) => name))
  if (sectionNames.size < sectionRows.length) throw invalidLine(1)
  const messages = new Map<string, MessageRow>()
  for (const [index, text] of rest.entries()) {
    const number = index + 2
    const { section, labels = [], ...stored } = parseLine(number, text, exportedMessageShape)
    const message = readLine(number, () => fromJson(stored, 'message'))
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
    const id = sections[index]?.head
    const head = id === undefined ? undefined : messages.get(id)
    if (id !== undefined && head?.section !== section.name) throw invalidLine(1)
    await rows.putSection({ ...section, head: head?.key ?? null })
  }
  await rows.putSession(row)
  return toSession(row, sectionRows)
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
