import { createDamagedDataError } from '../storage-errors.ts'
import type { JsonObject } from '../../wire/json.ts'
import {
  type MessageBody,
  type MessageTreePosition,
  type MessageRow,
  type NodeRow,
  toSessionSearchText,
  type SectionRow,
  type SessionRow,
  type UsageRow,
} from '../rows/row-definitions.ts'
import { readCheckedRow, withChecksum } from './row-checksum.ts'
import type { SqlRow, SqlValue } from './sql-driver.ts'

export const SESSION_COLUMNS: readonly string[] =
  'key tenant id title search labels parameters created_at updated_at expires_at checksum'.split(' ')
export const SECTION_COLUMNS: readonly string[] =
  'session name position fork_point fork_owner lineage head checksum'.split(' ')
export const NODE_COLUMNS: readonly string[] = 'key session section id parent depth hash'.split(' ')
export const BODY_COLUMNS: readonly string[] = 'key parent body'.split(' ')
export const POSITION_COLUMNS: readonly string[] = 'key section parent depth'.split(' ')
/** Parent of the first message of a section; not null, so that messages can be compared by their parents. */
const NO_PARENT = ''
const TOKEN_COLUMNS = {
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  totalTokens: 'total_tokens',
  cachedInputTokens: 'cached_input_tokens',
  cacheWriteTokens: 'cache_write_tokens',
  reasoningTokens: 'reasoning_tokens',
} as const
/** Columns that are null for a message without counted usage. */
const USAGE_COLUMNS: readonly string[] = ['provider', 'model', 'day', ...Object.values(TOKEN_COLUMNS)]
export const MESSAGE_COLUMNS: readonly string[] = [...NODE_COLUMNS, 'checksum', 'body', ...USAGE_COLUMNS]
/** Columns of a message whose values are numbers. */
export const NUMBER_COLUMNS: ReadonlySet<string> = new Set(['depth', ...Object.values(TOKEN_COLUMNS)])
/** SQL that sets all usage columns to null. */
export const CLEAR_USAGE_SQL: string = USAGE_COLUMNS.map((column) => `${column} = null`).join(', ')

export function toSessionValues(row: SessionRow): readonly SqlValue[] {
  const { key, tenant, id, title, createdAt, updatedAt } = row
  const search = toSessionSearchText(row)
  const labels = encodeLabels(row.labels)
  const parameters = JSON.stringify(row.parameters)
  const times = [createdAt, updatedAt, row.expiresAt ?? null]
  return withChecksum([key, tenant, id, title, search, labels, parameters, ...times])
}

export function readSessionRow(row: SqlRow): SessionRow {
  return readCheckedRow(SESSION_COLUMNS, row, (text, parse) => ({
    key: text('key'),
    tenant: text('tenant'),
    id: text('id'),
    title: text('title'),
    labels: parse('labels', [], (labels) => labels.split(' ').filter(Boolean).map(decodeURIComponent)),
    parameters: parse('parameters', {}, (parameters) => JSON.parse(parameters) as JsonObject),
    createdAt: text('created_at'),
    updatedAt: text('updated_at'),
    ...(row['expires_at'] !== null && { expiresAt: text('expires_at') }),
  }))
}

/** Encodes labels, separated and enclosed by spaces, so that a complete label can be searched for. */
export function encodeLabels(labels: readonly string[]): string {
  return ` ${labels.map(encodeURIComponent).join(' ')} `
}

export function toSectionValues(row: SectionRow): readonly SqlValue[] {
  const { session, name, position, forkPoint, lineage, head } = row
  return withChecksum([session, name, position, forkPoint, lineage[0] ?? null, lineage.join(' '), head])
}

export function readSectionRow(row: SqlRow): SectionRow {
  return readCheckedRow(SECTION_COLUMNS, row, (text) => ({
    session: text('session'),
    name: text('name'),
    position: Number(row['position']),
    forkPoint: row['fork_point'] === null ? null : text('fork_point'),
    lineage: text('lineage').split(' ').filter(Boolean),
    head: row['head'] === null ? null : text('head'),
  }))
}

/** The values of {@link USAGE_COLUMNS} for most messages. */
const NO_USAGE: readonly SqlValue[] = USAGE_COLUMNS.map(() => null)

export function toMessageValues(row: MessageRow): readonly SqlValue[] {
  const { key, session, section, id, parent, depth, hash, checksum, body, usage } = row
  const position = [key, session, section, id, parent ?? NO_PARENT, depth]
  return [...position, hash, checksum, body, ...(usage === null ? NO_USAGE : toUsageValues(usage))]
}

function toUsageValues(usage: UsageRow): readonly SqlValue[] {
  const names = Object.keys(TOKEN_COLUMNS) as (keyof typeof TOKEN_COLUMNS)[]
  return [usage.provider, usage.model, usage.day, ...names.map((name) => usage[name] ?? null)]
}

/** Reads the parent of a message; null if it has none. */
function readParent(row: SqlRow): string | null {
  const parent = readTextOrEmpty(row, 'parent')
  return parent === NO_PARENT ? null : parent
}

/** Reads a node. What is not text is read as empty text, which contradicts the checksum and the hash. */
export function readNodeRow(row: SqlRow): NodeRow {
  return {
    key: readTextOrEmpty(row, 'key'),
    session: readTextOrEmpty(row, 'session'),
    section: readTextOrEmpty(row, 'section'),
    id: readTextOrEmpty(row, 'id'),
    parent: readParent(row),
    depth: Number(row['depth']),
    hash: readTextOrEmpty(row, 'hash'),
  }
}

export function readPositionRow(row: SqlRow): MessageTreePosition {
  return {
    key: readTextOrEmpty(row, 'key'),
    section: readTextOrEmpty(row, 'section'),
    parent: readParent(row),
    depth: Number(row['depth']),
  }
}

export function readBodyRow(row: SqlRow, depth: number): MessageBody {
  return { depth, body: readTextOrEmpty(row, 'body') }
}

export function readMessageRow(row: SqlRow): MessageRow {
  return {
    ...readNodeRow(row),
    checksum: readTextOrEmpty(row, 'checksum'),
    body: readTextOrEmpty(row, 'body'),
    usage: USAGE_COLUMNS.every((column) => row[column] === null) ? null : readUsageRow(row),
  }
}

function readUsageRow(row: SqlRow): UsageRow {
  return {
    provider: readTextOrEmpty(row, 'provider'),
    model: readTextOrEmpty(row, 'model'),
    day: readTextOrEmpty(row, 'day'),
    ...readTokenColumns(row),
  }
}

type TokenCounts = Pick<UsageRow, keyof typeof TOKEN_COLUMNS>

/** Reads the token columns that contain a number. */
export function readTokenColumns(row: SqlRow): TokenCounts {
  const reported = Object.entries(TOKEN_COLUMNS).filter(([, column]) => row[column] !== null)
  return Object.fromEntries(reported.map(([name, column]) => [name, Number(row[column])])) as TokenCounts
}

/** SQL that sums every token column under its own name. An integer sum could overflow, which fails the query. */
export const TOKEN_SUMS_SQL: string = Object.values(TOKEN_COLUMNS)
  .map((column) => `sum(cast(m.${column} as double precision)) as ${column}`)
  .join(', ')

/** Reads a text column; any other type is damage. */
export function readTextColumn(row: SqlRow, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw createDamagedDataError(`The column ${column} does not contain text`)
  return value
}

function readTextOrEmpty(row: SqlRow, column: string): string {
  const value = row[column]
  return typeof value === 'string' ? value : ''
}
