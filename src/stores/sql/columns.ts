import { createDamagedDataError } from '../storage-errors.ts'
import type { JsonObject } from '../../wire/json.ts'
import {
  type LabelRow,
  type MessageBody,
  type MessageRow,
  type NodeRow,
  toSearchText,
  type SectionRow,
  type SessionRow,
  type UsageRow,
} from '../rows/row-store.ts'
import type { SqlRow, SqlValue } from './sql-driver.ts'

export const SESSION_COLUMNS: readonly string[] =
  'key tenant id title search labels parameters created_at updated_at'.split(' ')
export const SECTION_COLUMNS: readonly string[] =
  'session name position fork_point fork_owner lineage head'.split(' ')
export const NODE_COLUMNS: readonly string[] = 'key session section id parent depth hash'.split(' ')
export const BODY_COLUMNS: readonly string[] = 'id depth body'.split(' ')
const TOKEN_COLUMNS = {
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  totalTokens: 'total_tokens',
  cachedInputTokens: 'cached_input_tokens',
  cacheWriteTokens: 'cache_write_tokens',
  reasoningTokens: 'reasoning_tokens',
} as const
export const MESSAGE_COLUMNS: readonly string[] = [
  ...NODE_COLUMNS,
  ...'checksum body provider model day'.split(' '),
  ...Object.values(TOKEN_COLUMNS),
]

export function toSessionValues(row: SessionRow): readonly SqlValue[] {
  const { key, tenant, id, title, createdAt, updatedAt } = row
  const search = toSearchText(row)
  const labels = encodeLabels(row.labels)
  return [key, tenant, id, title, search, labels, JSON.stringify(row.parameters), createdAt, updatedAt]
}

export function readSessionRow(row: SqlRow): SessionRow {
  return {
    key: readTextColumn(row, 'key'),
    tenant: readTextColumn(row, 'tenant'),
    id: readTextColumn(row, 'id'),
    title: readTextColumn(row, 'title'),
    labels: parseText(row, 'labels', (text) => text.split(' ').filter(Boolean).map(decodeURIComponent)),
    parameters: parseText(row, 'parameters', (text) => JSON.parse(text) as JsonObject),
    createdAt: readTextColumn(row, 'created_at'),
    updatedAt: readTextColumn(row, 'updated_at'),
  }
}

/** Encodes labels, separated and enclosed by spaces, so that a complete label can be searched for. */
export function encodeLabels(labels: readonly string[]): string {
  return ` ${labels.map(encodeURIComponent).join(' ')} `
}

export function toSectionValues(row: SectionRow): readonly SqlValue[] {
  const { session, name, position, forkPoint, lineage, head } = row
  // The first session of the lineage owns the fork point.
  return [session, name, position, forkPoint, lineage[0] ?? null, lineage.join(' '), head]
}

export function readSectionRow(row: SqlRow): SectionRow {
  return {
    session: readTextColumn(row, 'session'),
    name: readTextColumn(row, 'name'),
    position: Number(row['position']),
    forkPoint: readOptionalText(row, 'fork_point'),
    lineage: readTextColumn(row, 'lineage').split(' ').filter(Boolean),
    head: readOptionalText(row, 'head'),
  }
}

export function toMessageValues(row: MessageRow): readonly SqlValue[] {
  const { key, session, section, id, parent, depth, hash, checksum, body, usage } = row
  const tokens = Object.keys(TOKEN_COLUMNS).map((name) => usage?.[name as keyof typeof TOKEN_COLUMNS] ?? null)
  const { provider = null, model = null, day = null } = usage ?? {}
  return [key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, ...tokens]
}

export function readNodeRow(row: SqlRow): NodeRow {
  return {
    key: readTextColumn(row, 'key'),
    session: readTextColumn(row, 'session'),
    section: readTextColumn(row, 'section'),
    id: readTextColumn(row, 'id'),
    parent: readOptionalText(row, 'parent'),
    depth: Number(row['depth']),
    hash: readTextColumn(row, 'hash'),
  }
}

export function readBodyRow(row: SqlRow): MessageBody {
  return { id: readTextColumn(row, 'id'), depth: Number(row['depth']), body: readTextColumn(row, 'body') }
}

export function readMessageRow(row: SqlRow): MessageRow {
  return {
    ...readNodeRow(row),
    checksum: readTextColumn(row, 'checksum'),
    body: readTextColumn(row, 'body'),
    usage: row['day'] === null ? null : readUsageRow(row),
  }
}

function readUsageRow(row: SqlRow): UsageRow {
  return {
    provider: readOptionalText(row, 'provider') ?? '',
    model: readOptionalText(row, 'model') ?? '',
    day: readOptionalText(row, 'day') ?? '',
    ...readTokenColumns(row),
  }
}

type TokenCounts = Pick<UsageRow, keyof typeof TOKEN_COLUMNS>

/** Reads the token columns that contain a number. */
export function readTokenColumns(row: SqlRow): TokenCounts {
  const reported = Object.entries(TOKEN_COLUMNS).filter(([, column]) => row[column] !== null)
  return Object.fromEntries(reported.map(([name, column]) => [name, Number(row[column])])) as TokenCounts
}

/** SQL that sums every token column under its own name. */
export const TOKEN_SUMS_SQL: string = Object.values(TOKEN_COLUMNS)
  .map((column) => `sum(m.${column}) as ${column}`)
  .join(', ')

export function readLabelRow(row: SqlRow): LabelRow {
  return {
    session: readTextColumn(row, 'session'),
    message: readTextColumn(row, 'message'),
    label: readTextColumn(row, 'label'),
  }
}

/** Reads a text column; any other type is damage. */
export function readTextColumn(row: SqlRow, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw createDamagedDataError(`The column ${column} does not contain text`)
  return value
}

/** Parses a text column of a session; text that cannot be parsed is damage. */
function parseText<T extends object>(row: SqlRow, column: string, parse: (text: string) => T): Readonly<T> {
  const text = readTextColumn(row, column)
  try {
    return Object.freeze(parse(text))
  } catch (cause) {
    throw createDamagedDataError(`The column ${column} of a session cannot be read`, cause)
  }
}

/** Reads a text column that may be null. */
export function readOptionalText(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : readTextColumn(row, column)
}
