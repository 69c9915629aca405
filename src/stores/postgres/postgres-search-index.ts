import type { SearchCandidatePage, TokenConditions } from '../rows/row-queries.ts'
import type { SearchDocument } from '../search/search-document.ts'
import { MESSAGE_COLUMNS, readMessageRow } from '../sql/row-columns.ts'
import { computeDocumentDigest } from '../sql/search-index-rows.ts'
import type { SqlRow, SqlValue } from '../sql/sql-driver.ts'
import type { SqlSearchIndex } from '../sql/sql-search-index.ts'
import { qualifyColumns } from '../sql/sql-statements.ts'

/** Number of recent messages that are read before the index: a frequent word is found among them. */
const RECENT_COUNT = 200

const COLUMNS = `${qualifyColumns(MESSAGE_COLUMNS, 'm')}, f.time_ms`
const RANGE = '(s.time_ms, s.message) < (?, ?) and s.time_ms >= ?'
const ORDER = 'order by s.time_ms desc, s.message desc'

/**
 * The most recent messages. An inverted index returns all messages with a word, in no order: for a frequent one, that
 * would take longer than to look through these.
 */
const SELECT_RECENT = `with recent as materialized (
    select s.message, s.time_ms, s.tokens from interlingua_search s where s.tenant = ? and ${RANGE} ${ORDER} limit ${RECENT_COUNT}
  ), s as materialized (
    select message, time_ms from recent where tokens @@ ?::tsquery
  )
  select ${COLUMNS} from (select s.message, s.time_ms from s ${ORDER} limit ?) f
  join interlingua_messages m on m.key = f.message order by f.time_ms desc, f.message desc`

const SELECT_ALL = `with s as materialized (
    select message, time_ms, tenant from interlingua_search where tokens @@ ?::tsquery
  )
  select ${COLUMNS} from (select s.message, s.time_ms from s where s.tenant = ? and ${RANGE} ${ORDER} limit ?) f
  join interlingua_messages m on m.key = f.message order by f.time_ms desc, f.message desc`

const INSERT_COLUMNS = 'message, tenant, time_ms, digest, tokens'
const REPLACE = `on conflict (message) do update
  set time_ms = excluded.time_ms, digest = excluded.digest, tokens = excluded.tokens`
const TYPED_VALUES = `(?, ?, cast(? as bigint), ?, array_to_tsvector(string_to_array(?, ' ')))`
const INSERT_VALUES = `(?, ?, ?, ?, array_to_tsvector(string_to_array(?, ' ')))`

/**
 * An index with `tsvector`. It contains tokens only, without positions: they are made by this library, and phrases are
 * checked afterwards. A foreign key removes the entries of removed messages.
 */
export const POSTGRES_SEARCH_INDEX: SqlSearchIndex = {
  isNoticedLate: false,
  createStatements: [
    `create table interlingua_search (
      message TEXT primary key references interlingua_messages (key) on delete cascade,
      tenant TEXT not null,
      time_ms bigint not null,
      digest TEXT not null,
      tokens tsvector not null
    )`,
    'create index interlingua_search_recent on interlingua_search (tenant, time_ms, message)',
    'create index interlingua_search_tokens on interlingua_search using gin (tokens)',
  ],
  inconsistentRows: [], // the tokens are in the row of the message, and a foreign key refers to it
  async put(statements, documents) {
    await statements.inBatches(documents, async (batch) => {
      const values = batch.flatMap(toInsertValues)
      const rows = batch.map(() => INSERT_VALUES).join(', ')
      const text = `insert into interlingua_search (${INSERT_COLUMNS}) values ${rows} ${REPLACE}`
      if (batch.length < documents.length) return statements.query(text, values)
      statements.send('search', text, values)
      return []
    })
  },
  toInsertFrom: (source, documents) => ({
    text: `insert into interlingua_search (${INSERT_COLUMNS})
      select d.* from ${source}, (values ${documents.map(() => TYPED_VALUES).join(', ')}) d`,
    values: documents.flatMap(toInsertValues),
  }),
  async search(statements, query): Promise<SearchCandidatePage> {
    const { tenant, tokens, fromMs = 0, toMs = MAX_TIME_MS, after, limit } = query
    const start = after === undefined || after.time >= toMs ? { time: toMs, key: '' } : after
    const range = [start.time, start.key, fromMs]
    const expression = toTsquery(tokens)
    const recent = await statements.query(SELECT_RECENT, [tenant, ...range, expression, limit])
    const rows =
      recent.length >= limit
        ? recent
        : await statements.query(SELECT_ALL, [expression, tenant, ...range, limit])
    const candidates = rows.map(readCandidate)
    const last = candidates.at(-1)
    return { candidates, ...(last !== undefined && rows.length >= limit && { end: last.position }) }
  },
}

function toInsertValues(document: SearchDocument): readonly SqlValue[] {
  const { key, tenant, timeMs, tokens } = document
  return [key, tenant, timeMs, computeDocumentDigest(document), tokens.join(' ')]
}

/** After the last time that a `Date` can have. */
const MAX_TIME_MS = 8.64e15 + 1

function readCandidate(row: SqlRow): SearchCandidatePage['candidates'][number] {
  const message = readMessageRow(row)
  const timeMs = Number(row['time_ms'])
  return { row: message, timeMs, position: { time: timeMs, key: message.key } }
}

/** Returns a `tsquery`. Tokens contain letters and digits only, so nothing needs to be escaped. */
function toTsquery({ required, prefixes, excluded, anyOf }: TokenConditions): string {
  const quote = (token: string): string => `'${token}'`
  return [
    ...required.map(quote),
    ...prefixes.map((prefix) => `${quote(prefix)}:*`),
    ...(anyOf.length === 0 ? [] : [`(${anyOf.map(quote).join(' | ')})`]),
    ...excluded.map((token) => `!${quote(token)}`),
  ].join(' & ')
}
