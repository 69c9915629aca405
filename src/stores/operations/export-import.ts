import {
  throwInvalid,
  type Shape,
  stringShape,
  listShape,
  jsonObjectShape,
  timestampShape,
  identifierShape,
} from '../../canonical/shape/shape.ts'
import {
  objectShape,
  optional as optionalField,
  required as requiredField,
} from '../../canonical/shape/object.ts'
import { readStrictly } from '../../canonical/shape/strict-reader.ts'
import type { Message } from '../../canonical/model/message.ts'
import { fromJson, STORED_VERSION, toJson } from '../../canonical/stored/stored-form.ts'
import { InterlinguaError } from '../../errors.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Session } from '../conversation-storage.ts'
import { checkName } from '../check-input.ts'
import type { MessageRow, NodeRow, SectionRow, RowTransaction } from '../rows/row-store.ts'
import { messageFromRow, toMessageRow } from '../rows/row-hash.ts'
import { readLabels } from './message-labels.ts'
import { openSession, placementIn, type TenantScope, toSession } from './open-session.ts'
import { insertSession } from './sessions.ts'
import { readCompletePath } from './heads-and-branches.ts'

/** The first line of an export. */
interface ExportHeader {
  readonly interlingua: number
  readonly session: {
    readonly id: string
    readonly title: string
    readonly labels: readonly string[]
    readonly parameters: JsonObject
    readonly createdAt: string
    readonly updatedAt: string
  }
  readonly sections: readonly { readonly name: string; readonly head?: string }[]
}

/** Any other line of an export: one message. */
interface ExportedMessageLine {
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
  interlingua: requiredField(versionShape, 'Version of the stored form.'),
  session: requiredField(
    objectShape<ExportHeader['session']>('ExportedSession', {
      id: requiredField(identifierShape, 'Id of the session.'),
      title: requiredField(stringShape, 'Title of the session.'),
      labels: requiredField(listShape(stringShape), 'Labels of the session.'),
      parameters: requiredField(jsonObjectShape, 'Parameters of the session.'),
      createdAt: requiredField(timestampShape, 'Creation time.'),
      updatedAt: requiredField(timestampShape, 'Time of the last write.'),
    }),
    'The session.',
  ),
  sections: requiredField(
    listShape(
      objectShape<ExportHeader['sections'][number]>('ExportedSection', {
        name: requiredField(identifierShape, 'Name of the section.'),
        head: optionalField(identifierShape, 'Id of the last message.'),
      }),
    ),
    'The sections in order.',
  ),
})

const exportedMessageLineShape: Shape<ExportedMessageLine> = objectShape<ExportedMessageLine>(
  'ExportedMessage',
  {
    interlingua: requiredField(versionShape, 'Version of the stored form.'),
    section: requiredField(identifierShape, 'Name of the section.'),
    message: requiredField(jsonObjectShape, 'Message in the stored form.'),
    labels: optionalField(listShape(identifierShape), 'Labels of the message.'),
  },
)

/** Returns a session as lines of JSON: shared messages first, then its own, parents before children. */
export async function exportSession(
  rows: RowTransaction,
  scope: TenantScope,
  id: string,
): Promise<readonly string[]> {
  const { row, sections } = await openSession(rows, scope, id)
  const labels = await readLabels(rows, row.key)
  const all: MessageRow[] = []
  for (const { forkPoint } of sections)
    if (forkPoint !== null) all.push(...(await readCompletePath(rows, forkPoint)))
  for await (const page of rows.ownMessages(row.key)) all.push(...page)
  const ids = new Map(all.map((each) => [each.key, each.id]))
  const { key: _key, tenant: _tenant, ...session } = row
  const header: ExportHeader = {
    interlingua: STORED_VERSION,
    session,
    sections: sections.map(({ name, head }) => {
      const last = ids.get(head ?? '')
      return { name, ...(last !== undefined && { head: last }) }
    }),
  }
  const lines = all.map((each) => {
    const own = labels.get(each.id)
    return JSON.stringify({
      section: each.section,
      ...toJson(messageFromRow(each)),
      ...(own && { labels: own }),
    })
  })
  return [JSON.stringify(header), ...lines]
}

/** Creates a session from exported lines. The transaction is rolled back if any line is invalid. */
export async function importSession(
  rows: RowTransaction,
  scope: TenantScope,
  lines: readonly string[],
  options: { readonly id?: string } = {},
): Promise<Session> {
  const [first, ...rest] = lines
  const { session, sections } = parseLine(exportHeaderShape, first, 1)
  const { createdAt, updatedAt, ...wanted } = { ...session, ...normalizeTimes(session) }
  const inserted = await insertSession(rows, scope, { ...wanted, ...options })
  const row = { ...inserted, createdAt, updatedAt }
  const sectionRows = sections.map(({ name }, position): SectionRow => ({
    session: row.key,
    name: checkName(name, 'section'),
    position,
    forkPoint: null,
    lineage: [],
    head: null,
  }))
  if (new Set(sectionRows.map(({ name }) => name)).size < sectionRows.length) throw invalidLine(1)
  const nodes = new Map<string, NodeRow>()
  const messages: MessageRow[] = []
  for (const [index, text] of rest.entries()) {
    const { line, message } = parseMessageLine(text, index + 2)
    const section = sectionRows.find(({ name }) => name === line.section)
    const parent = message.parentId === undefined ? undefined : nodes.get(message.parentId)
    const hasKnownParent =
      parent === undefined ? message.parentId === undefined : parent.section === line.section
    if (section === undefined || !hasKnownParent || nodes.has(message.id)) throw invalidLine(index + 2)
    const messageRow = toMessageRow(
      message,
      placementIn(section, { ...scope, identity: { now: () => Date.parse(updatedAt) } }),
      parent,
    )
    nodes.set(checkName(message.id, 'id'), messageRow)
    messages.push(messageRow)
    for (const label of line.labels ?? []) {
      await rows.putLabel({ session: row.key, message: message.id, label: checkName(label, 'label') })
    }
  }
  await rows.insertMessages(messages)
  for (const [index, section] of sectionRows.entries()) {
    const { head: id } = sections[index] ?? {}
    const head = id === undefined ? undefined : nodes.get(id)
    if (id !== undefined && head?.section !== section.name) throw invalidLine(1)
    await rows.putSection({ ...section, head: head?.key ?? null })
  }
  await rows.putSession(row)
  return toSession({ row, sections: sectionRows })
}

/** Normalizes timestamps, because they are compared as strings. */
function normalizeTimes({
  createdAt,
  updatedAt,
}: ExportHeader['session']): Pick<ExportHeader['session'], 'createdAt' | 'updatedAt'> {
  return {
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

function parseMessageLine(
  text: string,
  number: number,
): { readonly line: ExportedMessageLine; readonly message: Message } {
  const line = parseLine(exportedMessageLineShape, text, number)
  try {
    return { line, message: fromJson({ interlingua: line.interlingua, message: line.message }, 'message') }
  } catch (cause) {
    throw invalidLine(number, cause)
  }
}

function parseLine<T>(shape: Shape<T>, text: string | undefined, number: number): T {
  try {
    return readStrictly(shape, JSON.parse(text ?? ''), child(undefined, number))
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

/**
 * Returns the reason why a line is invalid. A JSON syntax error is not included, since it would quote the
 * line.
 */
function describeCause(cause: unknown): string {
  if (cause === undefined) return 'it contradicts the other lines'
  return cause instanceof InterlinguaError ? cause.message : 'it is not JSON'
}
