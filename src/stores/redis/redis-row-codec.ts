import { digestText } from '../../wire/digest.ts'
import type {
  LabelRow,
  LeaseRow,
  MessageRow,
  NodeRow,
  RowFault,
  SectionRow,
  SessionRow,
  UsageRow,
} from '../rows/row-definitions.ts'
import { isRowChange } from '../in-memory/row-change-shape.ts'
import type { RowTypesByKind } from '../in-memory/in-memory-tables.ts'
import { isObject } from '../../wire/json.ts'
import { escapeId } from './redis-keys.ts'
import { NODE_FIELDS } from './lua-scripts.ts'

/** Fields of a complete message, in the order in which they are read. */
export const MESSAGE_ROW_FIELDS: readonly string[] = [...NODE_FIELDS, 'checksum', 'usage', 'body']
export const BODY_ROW_FIELDS: readonly string[] = ['depth', 'body']

/** Kinds of rows that have no checksum of their own. */
type CheckedKind = 'session' | 'section' | 'label'

/** Returns a row as JSON text after its checksum. */
function encodeRow(row: RowTypesByKind[CheckedKind]): string {
  const { fault: _fault, ...stored } = row
  const text = JSON.stringify(stored)
  return `${digestText(text)} ${text}`
}

/** Reads a row. One that cannot be read has the fields of `empty` and a `fault`; one with a wrong checksum, too. */
function decodeRow<K extends CheckedKind>(
  kind: K,
  value: string,
  empty: RowTypesByKind[K],
): RowTypesByKind[K] {
  const start = value.indexOf(' ') + 1
  const text = value.slice(start)
  const row = parseJson(text)
  if (!isRowChange([kind, '', row]) || row === null) {
    const fault: RowFault = { isUnreadable: true, reason: `The row of the ${kind} cannot be read` }
    return { ...empty, fault }
  }
  const stored = row as RowTypesByKind[K]
  if (value.slice(0, start) === `${digestText(text)} `) return stored
  return { ...stored, fault: { isUnreadable: false, reason: 'The checksum of the row does not match' } }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the arguments of the change that stores a session. */
export function encodeSessionRow(row: SessionRow): readonly string[] {
  return ['session', row.key, escapeId(row.id), row.updatedAt, encodeRow(row)]
}

/** The fields of a session that the lists use; they are stored apart from its row. */
export interface SessionFields {
  readonly tenant: string
  readonly key: string
  readonly escapedId: string
  readonly updatedAt: string
}

export function decodeSessionRow(value: string, fields: SessionFields): SessionRow {
  const { tenant, key, escapedId, updatedAt } = fields
  const times = { createdAt: updatedAt, updatedAt }
  const row = { key, tenant, id: unescapeId(escapedId), title: '', labels: [], parameters: {}, ...times }
  return decodeRow('session', value, row)
}

function unescapeId(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the arguments of the change that stores a section. The first two lines are read by the scripts. */
export function encodeSectionRow(row: SectionRow): readonly string[] {
  const { session, name, lineage, head } = row
  const owner = lineage[0] ?? ''
  return ['section', session, name, owner, `${owner}\n${head ?? ''}\n${encodeRow(row)}`]
}

export function decodeSectionRow(session: string, name: string, value: string): SectionRow {
  const row = value.slice(value.indexOf('\n', value.indexOf('\n') + 1) + 1)
  return decodeRow('section', row, { session, name, position: 0, forkPoint: null, lineage: [], head: null })
}

/** Returns the field of a label. */
export function toLabelField({ message, label }: Pick<LabelRow, 'message' | 'label'>): string {
  return JSON.stringify([message, label])
}

export function encodeLabelRow(row: LabelRow): readonly string[] {
  return ['label', row.session, toLabelField(row), encodeRow(row)]
}

export function decodeLabelRow(session: string, value: string): LabelRow {
  return decodeRow('label', value, { session, message: '', label: '' })
}

export function encodeMessageRow(row: MessageRow): readonly string[] {
  const { key, session, section, id, parent, depth, hash, checksum, usage, body } = row
  const node = [key, session, section, id, parent ?? '', String(depth), hash]
  return ['message', ...node, checksum, usage?.day ?? '', usage === null ? '' : JSON.stringify(usage), body]
}

/** Reads a node; a missing field is empty text, which contradicts the checksum and the hash. */
export function decodeNodeRow(key: string, fields: readonly unknown[]): NodeRow {
  const [session = '', section = '', id = '', parent = '', depth = '', hash = ''] = fields.map(toText)
  return { key, session, section, id, parent: parent === '' ? null : parent, depth: Number(depth), hash }
}

export function decodeMessageRow(key: string, fields: readonly unknown[]): MessageRow {
  const [checksum = '', usage = '', body = ''] = fields.slice(NODE_FIELDS.length).map(toText)
  return { ...decodeNodeRow(key, fields), checksum, body, usage: usage === '' ? null : decodeUsageRow(usage) }
}

/** Usage that no message has, so that `verify()` reports it. */
const UNREADABLE_USAGE: UsageRow = {
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  provider: '',
  model: '',
  day: '',
}

export function decodeUsageRow(text: string): UsageRow {
  const usage = parseJson(text)
  return isObject(usage) ? (usage as unknown as UsageRow) : UNREADABLE_USAGE
}

/** Reads a lease; one that cannot be read does not exist, and its holder loses it. */
export function decodeLeaseRow(text: string): LeaseRow | undefined {
  const lease = parseJson(text)
  return isObject(lease) ? (lease as unknown as LeaseRow) : undefined
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
