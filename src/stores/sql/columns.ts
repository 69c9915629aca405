import { damaged } from '../failures.ts'
import type { JsonObject } from '../../wire/json.ts'
import {
  type LabelRow,
  type MessageRow,
  type NodeRow,
  searchText,
  type SectionRow,
  type SessionRow,
  type UsageRow,
} from '../rows/row.ts'
import type { SqlRow, SqlValue } from './driver.ts'

export const SESSION: readonly string[] =
  'key tenant id title search labels parameters created_at updated_at'.split(' ')
export const SECTION: readonly string[] = 'session name position fork_point lineage head'.split(' ')
export const NODE: readonly string[] = 'key session section id parent depth hash'.split(' ')
const TOKENS = {
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  totalTokens: 'total_tokens',
  cachedInputTokens: 'cached_input_tokens',
  cacheWriteTokens: 'cache_write_tokens',
  reasoningTokens: 'reasoning_tokens',
} as const
export const MESSAGE: readonly string[] = [
  ...NODE,
  'checksum',
  'body',
  'provider',
  'model',
  'day',
  ...Object.values(TOKENS),
]

export function sessionValues(row: SessionRow): readonly SqlValue[] {
  const { key, tenant, id, title, createdAt, updatedAt } = row
  const search = searchText(row)
  const labels = words(row.labels)
  return [key, tenant, id, title, search, labels, JSON.stringify(row.parameters), createdAt, updatedAt]
}

export function sessionRow(row: SqlRow): SessionRow {
  return {
    key: text(row, 'key'),
    tenant: text(row, 'tenant'),
    id: text(row, 'id'),
    title: text(row, 'title'),
    labels: read(row, 'labels', (value) => value.split(' ').filter(Boolean).map(decodeURIComponent)),
    parameters: read(row, 'parameters', (value) => JSON.parse(value) as JsonObject),
    createdAt: text(row, 'created_at'),
    updatedAt: text(row, 'updated_at'),
  }
}

/** Words set off by spaces, none of them within a word, so that a whole word can be searched for. */
export function words(labels: readonly string[]): string {
  return ` ${labels.map(encodeURIComponent).join(' ')} `
}

export function sectionValues({
  session,
  name,
  position,
  forkPoint,
  lineage,
  head,
}: SectionRow): readonly SqlValue[] {
  return [session, name, position, forkPoint, lineage.join(' '), head]
}

export function sectionRow(row: SqlRow): SectionRow {
  return {
    session: text(row, 'session'),
    name: text(row, 'name'),
    position: Number(row['position']),
    forkPoint: optional(row, 'fork_point'),
    lineage: text(row, 'lineage').split(' ').filter(Boolean),
    head: optional(row, 'head'),
  }
}

export function messageValues(row: MessageRow): readonly SqlValue[] {
  const { key, session, section, id, parent, depth, hash, checksum, body, usage } = row
  const tokens = Object.keys(TOKENS).map((name) => usage?.[name as keyof typeof TOKENS] ?? null)
  const { provider = null, model = null, day = null } = usage ?? {}
  return [key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, ...tokens]
}

export function nodeRow(row: SqlRow): NodeRow {
  return {
    key: text(row, 'key'),
    session: text(row, 'session'),
    section: text(row, 'section'),
    id: text(row, 'id'),
    parent: optional(row, 'parent'),
    depth: Number(row['depth']),
    hash: text(row, 'hash'),
  }
}

export function messageRow(row: SqlRow): MessageRow {
  const usage = {
    provider: optional(row, 'provider') ?? '',
    model: optional(row, 'model') ?? '',
    day: optional(row, 'day') ?? '',
    ...tokensOf(row),
  }
  return {
    ...nodeRow(row),
    checksum: text(row, 'checksum'),
    body: text(row, 'body'),
    usage: row['day'] === null ? null : usage,
  }
}

/** The columns of tokens that hold a number. */
export function tokensOf(row: SqlRow): Pick<UsageRow, keyof typeof TOKENS> {
  const stated = Object.entries(TOKENS).filter(([, column]) => row[column] !== null)
  return Object.fromEntries(stated.map(([name, column]) => [name, Number(row[column])])) as Pick<
    UsageRow,
    keyof typeof TOKENS
  >
}

/** The sums of all columns of tokens, under their own names. */
export const TOKEN_SUMS: string = Object.values(TOKENS)
  .map((column) => `sum(m.${column}) as ${column}`)
  .join(', ')

export function labelRow(row: SqlRow): LabelRow {
  return { session: text(row, 'session'), message: text(row, 'message'), label: text(row, 'label') }
}

/** A text column; anything else in it was not written by us. */
export function text(row: SqlRow, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw damaged(`The column ${column} holds no text`)
  return value
}

/** What a text column says; one that cannot be read was not written by us. */
function read<T extends object>(row: SqlRow, column: string, reader: (value: string) => T): Readonly<T> {
  const value = text(row, column)
  try {
    return Object.freeze(reader(value))
  } catch (cause) {
    throw damaged(`The ${column} of a session cannot be read`, cause)
  }
}

function optional(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : text(row, column)
}
