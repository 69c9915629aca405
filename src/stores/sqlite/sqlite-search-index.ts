import { InterlinguaError } from '../../errors.ts'
import { throwInvalidCursor } from '../check-arguments.ts'
import type { SearchCandidatePage, SearchPosition, TokenConditions } from '../rows/row-queries.ts'
import type { SearchDocument } from '../search/search-document.ts'
import { MESSAGE_COLUMNS, readMessageRow } from '../sql/row-columns.ts'
import { computeDocumentDigest } from '../sql/search-index-rows.ts'
import type { SqlSearchIndex } from '../sql/sql-search-index.ts'
import { qualifyColumns, type SqlStatements } from '../sql/sql-statements.ts'

/**
 * A position orders messages by time, because FTS5 returns rows in the order of their ids: the seconds since 1970, then
 * the number of the message within this second.
 */
const SECOND_BITS = 34n
const NUMBER_BITS = 29n
const MAX_SECOND = (1n << SECOND_BITS) - 1n
const LAST_POSITION = (1n << (SECOND_BITS + NUMBER_BITS)) - 1n

/** Number of documents that are written before others have their turn. */
const BATCH_SIZE = 100

const INSERT_ROW = `insert into interlingua_search (position, message, tenant, time_ms, digest)
  select coalesce(max(position) + 1, cast(? as integer)), ?, ?, ?, ? from interlingua_search
  where position >= cast(? as integer) and position < cast(? as integer)
  on conflict (message) do update set time_ms = excluded.time_ms, digest = excluded.digest`
/** Removes the entry of a message that is now in another second. Otherwise it keeps its position. */
const REMOVE_MOVED = `delete from interlingua_search
  where message = ? and (position < cast(? as integer) or position >= cast(? as integer))`
const REMOVE_TOKENS = `delete from interlingua_search_tokens
  where rowid = (select position from interlingua_search where message = ?)`
const INSERT_TOKENS = `insert into interlingua_search_tokens (rowid, tokens)
  select position, ? from interlingua_search where message = ?`

const SELECT = `select ${qualifyColumns(MESSAGE_COLUMNS, 'm')}, s.time_ms, cast(f.position as text) as position from (
    select t.rowid as position from interlingua_search_tokens t
    where interlingua_search_tokens match ? and t.rowid >= cast(? as integer) and t.rowid < cast(? as integer)
    order by t.rowid desc limit ?
  ) f
  cross join interlingua_search s on s.position = f.position and s.tenant = ?
  cross join interlingua_messages m on m.key = s.message
  order by f.position desc`

/** Statement that removes the words of removed messages: FTS5 only marks them, until it rewrites their part of the index. */
export const OPTIMIZE_SEARCH_INDEX = `insert into interlingua_search_tokens (interlingua_search_tokens) values ('optimize')`

/** The SQLite of the caller was built without full-text search. */
export function createMissingFts5Error(cause: unknown): InterlinguaError {
  return new InterlinguaError(
    'unsupported',
    'The database cannot be searched: its SQLite was built without FTS5',
    {
      hint: 'Open the storage by its path, or without `search`.',
      cause,
    },
  )
}

/**
 * An index with FTS5. It contains tokens only, in any order: they are made by this library, and phrases are checked
 * afterwards. Triggers remove the entries of removed messages.
 */
export const SQLITE_SEARCH_INDEX: SqlSearchIndex = {
  isNoticedLate: true,
  createStatements: [
    `create table interlingua_search (
      position integer primary key,
      message TEXT not null unique,
      tenant TEXT not null,
      time_ms integer not null,
      digest TEXT not null
    )`,
    `create virtual table interlingua_search_tokens using fts5 (
      tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
    )`,
    `create trigger interlingua_search_removed after delete on interlingua_search begin
      delete from interlingua_search_tokens where rowid = old.position;
    end`,
    `create trigger interlingua_messages_removed after delete on interlingua_messages begin
      delete from interlingua_search where message = old.key;
    end`,
  ],
  inconsistentRows: [
    {
      table: 'interlingua_search',
      key: 'position',
      condition: 'not exists (select 1 from interlingua_messages m where m.key = interlingua_search.message)',
    },
    {
      table: 'interlingua_search',
      key: 'position',
      condition:
        'not exists (select 1 from interlingua_search_tokens_docsize d where d.id = interlingua_search.position)',
    },
    {
      table: 'interlingua_search_tokens',
      key: 'rowid',
      condition:
        'not exists (select 1 from interlingua_search s where s.position = interlingua_search_tokens.rowid)',
    },
  ],
  async put(statements, documents, isNew) {
    for (const [index, document] of documents.entries()) {
      putDocument(statements, document, isNew)
      if (index % BATCH_SIZE === BATCH_SIZE - 1) await statements.query('select 1', [])
    }
  },
  async search(statements, query): Promise<SearchCandidatePage> {
    const { tenant, tokens, fromMs, toMs, after, limit } = query
    const first = fromMs === undefined ? 0n : toFirstPosition(fromMs)
    const ends = [LAST_POSITION, ...(after ? [toPosition(after)] : [])]
    if (toMs !== undefined) ends.push(toFirstPosition(toMs + 999))
    const end = ends.reduce((a, b) => (a < b ? a : b))
    const rows = await statements.query(SELECT, [
      toMatchExpression(tokens),
      String(first),
      String(end),
      limit,
      tenant,
    ])
    const candidates = rows.map((row) => ({
      row: readMessageRow(row),
      timeMs: Number(row['time_ms']),
      position: fromPosition(BigInt(String(row['position']))),
    }))
    const last = candidates.at(-1)
    return { candidates, ...(last !== undefined && rows.length === limit && { end: last.position }) }
  },
}

function putDocument(statements: SqlStatements, document: SearchDocument, isNew: boolean): void {
  const { key, tenant, timeMs, tokens } = document
  const first = toFirstPosition(timeMs)
  const [start, end] = [String(first), String(first + (1n << NUMBER_BITS))]
  if (!isNew) {
    statements.send('search', REMOVE_MOVED, [key, start, end])
    statements.send('search_tokens', REMOVE_TOKENS, [key])
  }
  const digest = computeDocumentDigest(document)
  statements.send('search', INSERT_ROW, [start, key, tenant, timeMs, digest, start, end])
  statements.send('search_tokens', INSERT_TOKENS, [tokens.join(' '), key])
}

/** Returns the position of the first message in the second of a time. */
function toFirstPosition(timeMs: number): bigint {
  const second = BigInt(Math.max(0, Math.floor(timeMs / 1000)))
  return (second > MAX_SECOND ? MAX_SECOND : second) << NUMBER_BITS
}

function fromPosition(position: bigint): SearchPosition {
  const number = position & ((1n << NUMBER_BITS) - 1n)
  return { time: Number(position >> NUMBER_BITS), key: String(number) }
}

function toPosition({ time, key }: SearchPosition): bigint {
  if (!/^\d{1,9}$/.test(key) || BigInt(time) > MAX_SECOND) return throwInvalidCursor()
  return (BigInt(time) << NUMBER_BITS) + BigInt(key)
}

/** Returns an expression of FTS5. Tokens contain letters and digits only, so nothing needs to be escaped. */
function toMatchExpression({ required, prefixes, excluded, anyOf }: TokenConditions): string {
  const quote = (token: string): string => `"${token}"`
  const any = anyOf.length === 0 ? [] : [`(${anyOf.map(quote).join(' OR ')})`]
  const all = [...required.map(quote), ...prefixes.map((prefix) => `${quote(prefix)} *`), ...any].join(
    ' AND ',
  )
  return excluded.length === 0 ? all : `(${all}) NOT (${excluded.map(quote).join(' OR ')})`
}
