import { damagedError } from '../storage-errors.ts'
import type { JsonObject } from '../../wire/json.ts'
import {
  type LabelRow,
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
export const SECTION_COLUMNS: readonly string[] = 'session name position fork_point lineage head'.split(' ')
export const NODE_COLUMNS: readonly string[] = 'key session section id parent depth hash'.split(' ')
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
  'checksum',
  'body',
  'provider',
  'model',
  'day',
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
    labels: parseTextColumn(row, 'labels', (value) =>
      value.split(' ').filter(Boolean).map(decodeURIComponent),
    ),
    parameters: parseTextColumn(row, 'parameters', (value) => JSON.parse(value) as JsonObject),
    createdAt: readTextColumn(row, 'created_at'),
    updatedAt: readTextColumn(row, 'updated_at'),
  }
}

/**
 * Encodes labels separated by spaces, with spaces inside a label escaped, so that a complete label can be
 * searched for.
 */
export function encodeLabels(labels: readonly string[]): string {
  return ` ${labels.map(encodeURIComponent).join(' ')} `
}

export function toSectionValues({
  session,
  name,
  position,
  forkPoint,
  lineage,
  head,
}: SectionRow): readonly SqlValue[] {
  return [session, name, position, forkPoint, lineage.join(' '), head]
}

export function readSectionRow(row: SqlRow): SectionRow {
  return {
    session: readTextColumn(row, 'session'),
    name: readTextColumn(row, 'name'),
    position: Number(row['position']),
    forkPoint: readOptionalColumn(row, 'fork_point'),
    lineage: readTextColumn(row, 'lineage').split(' ').filter(Boolean),
    head: readOptionalColumn(row, 'head'),
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
    parent: readOptionalColumn(row, 'parent'),
    depth: Number(row['depth']),
    hash: readTextColumn(row, 'hash'),
  }
}

export function readMessageRow(row: SqlRow): MessageRow {
  const usage = {
    provider: readOptionalColumn(row, 'provider') ?? '',
    model: readOptionalColumn(row, 'model') ?? '',
    day: readOptionalColumn(row, 'day') ?? '',
    ...readTokens(row),
  }
  return {
    ...readNodeRow(row),
    checksum: readTextColumn(row, 'checksum'),
    body: readTextColumn(row, 'body'),
    usage: row['day'] === null ? null : usage,
  }
}

/** Token columns that contain a number. */
export function readTokens(row: SqlRow): Pick<UsageRow, keyof typeof TOKEN_COLUMNS> {
  const stated = Object.entries(TOKEN_COLUMNS).filter(([, column]) => row[column] !== null)
  return Object.fromEntries(stated.map(([name, column]) => [name, Number(row[column])])) as Pick<
    UsageRow,
    keyof typeof TOKEN_COLUMNS
  >
}

/** SQL that sums every token column under its own name. */
export const TOKEN_SUM_COLUMNS: string = Object.values(TOKEN_COLUMNS)
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
  if (typeof value !== 'string') throw damagedError(`The column ${column} does not contain text`)
  return value
}

/** Parses a JSON text column; invalid JSON is damage. */
function parseTextColumn<T extends object>(
  row: SqlRow,
  column: string,
  reader: (value: string) => T,
): Readonly<T> {
  const value = readTextColumn(row, column)
  try {
    return Object.freeze(reader(value))
  } catch (cause) {
    throw damagedError(`The column ${column} of a session cannot be read`, cause)
  }
}

function readOptionalColumn(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : readTextColumn(row, column)
}
