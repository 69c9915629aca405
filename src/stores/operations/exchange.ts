import { fail, type Shape, string, list, jsonObject, time, identifier } from '../../canonical/shape/shape.ts'
import { objectShape, optional, required } from '../../canonical/shape/object.ts'
import { readStrictly } from '../../canonical/shape/strict.ts'
import type { Message } from '../../canonical/model/message.ts'
import { fromJson, STORED_VERSION, toJson } from '../../canonical/stored/stored.ts'
import { InterlinguaError } from '../../errors.ts'
import type { JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Session } from '../contract.ts'
import { checkName } from '../names.ts'
import type { MessageRow, NodeRow, SectionRow } from '../rows/row.ts'
import type { Rows } from '../rows/rows.ts'
import { messageOf, rowOf } from '../rows/seal.ts'
import { labelsOf } from './labels.ts'
import { openSession, placeIn, type Scope, sessionOf } from './scope.ts'
import { addSession } from './sessions.ts'
import { wholePath } from './tree.ts'

/** The first line of an export. */
interface Head {
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

/** Every other line: a message behind its parent. */
interface Line {
  readonly interlingua: number
  readonly section: string
  readonly message: JsonObject
  readonly labels?: readonly string[]
}

const version: Shape<number> = {
  expects: `a version from 1 to ${STORED_VERSION}`,
  read: (value, at) => {
    if (value === STORED_VERSION) return STORED_VERSION
    return fail('unsupported-version', at, 'another version', version.expects)
  },
  schema: () => ({ const: STORED_VERSION }),
}

const headShape: Shape<Head> = objectShape<Head>('Export', {
  interlingua: required(version, 'The version.'),
  session: required(
    objectShape<Head['session']>('ExportedSession', {
      id: required(identifier, 'Its id.'),
      title: required(string, 'Its title.'),
      labels: required(list(string), 'Its labels.'),
      parameters: required(jsonObject, 'Its parameters.'),
      createdAt: required(time, 'When it was made.'),
      updatedAt: required(time, 'When it was last written to.'),
    }),
    'The session.',
  ),
  sections: required(
    list(
      objectShape<Head['sections'][number]>('ExportedSection', {
        name: required(identifier, 'Its name.'),
        head: optional(identifier, 'The id of its last message.'),
      }),
    ),
    'The sections in order.',
  ),
})

const lineShape: Shape<Line> = objectShape<Line>('ExportedMessage', {
  interlingua: required(version, 'The version.'),
  section: required(identifier, 'The section.'),
  message: required(jsonObject, 'The message in stored form.'),
  labels: optional(list(identifier), 'Its labels.'),
})

/** A session as lines of JSON: what it shares comes first, then what it wrote, parents before children. */
export async function exportSession(rows: Rows, scope: Scope, id: string): Promise<readonly string[]> {
  const { row, sections } = await openSession(rows, scope, id)
  const labels = await labelsOf(rows, row.key)
  const all: MessageRow[] = []
  for (const { forkPoint } of sections)
    if (forkPoint !== null) all.push(...(await wholePath(rows, forkPoint)))
  for await (const page of rows.written(row.key)) all.push(...page)
  const ids = new Map(all.map((each) => [each.key, each.id]))
  const { key: _key, tenant: _tenant, ...session } = row
  const head: Head = {
    interlingua: STORED_VERSION,
    session,
    sections: sections.map(({ name, head }) => {
      const last = ids.get(head ?? '')
      return { name, ...(last !== undefined && { head: last }) }
    }),
  }
  const lines = all.map((each) => {
    const own = labels.get(each.id)
    return JSON.stringify({ section: each.section, ...toJson(messageOf(each)), ...(own && { labels: own }) })
  })
  return [JSON.stringify(head), ...lines]
}

/** Makes a session of exported lines; all of it is checked before anything is written. */
export async function importSession(
  rows: Rows,
  scope: Scope,
  lines: readonly string[],
  options: { readonly id?: string } = {},
): Promise<Session> {
  const [first, ...rest] = lines
  const { session, sections } = readLine(headShape, first, 1)
  const { createdAt, updatedAt, ...wanted } = { ...session, ...timesOf(session) }
  const made = await addSession(rows, scope, { ...wanted, ...options })
  const row = { ...made, createdAt, updatedAt }
  const named = sections.map(({ name }, position): SectionRow => ({
    session: row.key,
    name: checkName(name, 'section'),
    position,
    forkPoint: null,
    lineage: [],
    head: null,
  }))
  if (new Set(named.map(({ name }) => name)).size < named.length) throw wrongLine(1)
  const nodes = new Map<string, NodeRow>()
  const messages: MessageRow[] = []
  for (const [index, text] of rest.entries()) {
    const { line, message } = readMessageLine(text, index + 2)
    const section = named.find(({ name }) => name === line.section)
    const parent = message.parentId === undefined ? undefined : nodes.get(message.parentId)
    const known = parent === undefined ? message.parentId === undefined : parent.section === line.section
    if (section === undefined || !known || nodes.has(message.id)) throw wrongLine(index + 2)
    const placed = rowOf(
      message,
      placeIn(section, { ...scope, identity: { now: () => Date.parse(updatedAt) } }),
      parent,
    )
    nodes.set(checkName(message.id, 'id'), placed)
    messages.push(placed)
    for (const label of line.labels ?? []) {
      await rows.putLabel({ session: row.key, message: message.id, label: checkName(label, 'label') })
    }
  }
  await rows.insert(messages)
  for (const [index, section] of named.entries()) {
    const { head: id } = sections[index] ?? {}
    const head = id === undefined ? undefined : nodes.get(id)
    if (id !== undefined && head?.section !== section.name) throw wrongLine(1)
    await rows.putSection({ ...section, head: head?.key ?? null })
  }
  await rows.putSession(row)
  return sessionOf({ row, sections: named })
}

/** Times as we write them: they are compared as texts. */
function timesOf({
  createdAt,
  updatedAt,
}: Head['session']): Pick<Head['session'], 'createdAt' | 'updatedAt'> {
  return {
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

function readMessageLine(text: string, number: number): { readonly line: Line; readonly message: Message } {
  const line = readLine(lineShape, text, number)
  try {
    return { line, message: fromJson({ interlingua: line.interlingua, message: line.message }, 'message') }
  } catch (cause) {
    throw wrongLine(number, cause)
  }
}

function readLine<T>(shape: Shape<T>, text: string | undefined, number: number): T {
  try {
    return readStrictly(shape, JSON.parse(text ?? ''), below(undefined, number))
  } catch (cause) {
    throw wrongLine(number, cause)
  }
}

function wrongLine(number: number, cause?: unknown): InterlinguaError {
  const code = cause instanceof InterlinguaError ? cause.code : 'invalid-value'
  return new InterlinguaError(code, `Line ${number} of the export cannot be read: ${whyNot(cause)}`, {
    path: `/${number}`,
    hint: 'Give the lines as exportSession wrote them, all of them and in their order.',
    ...(cause !== undefined && { cause }),
  })
}

/** Why a line cannot be read. An error of JSON would quote it. */
function whyNot(cause: unknown): string {
  if (cause === undefined) return 'it does not fit the other lines'
  return cause instanceof InterlinguaError ? cause.message : 'it is not JSON'
}
