import { InterlinguaError } from '../../errors.ts'
import { digestText } from '../../wire/digest.ts'
import type { RowTransaction } from '../rows/row-store.ts'
import type { MessageRow } from '../rows/row-definitions.ts'
import { type SearchDocument, SearchTokens, toSearchDocument } from '../search/search-document.ts'
import type { EncryptionOptions } from '../encryption/keyring.ts'
import { createEncryptedSearchError, createMissingSearchIndexError } from '../storage-errors.ts'
import { MESSAGE_COLUMNS, readMessageRow, readTextColumn } from './row-columns.ts'
import type { MigrationOptions } from './migrations.ts'
import type { SqlDriver, SqlExecutor } from './sql-driver.ts'
import type { InconsistentRows, SqlSearchIndex } from './sql-search-index.ts'
import { checkPageOrder, formatParameterList, qualifyColumns, SqlStatements } from './sql-statements.ts'

/** Table with one row for each message in the index. */
export const SEARCH_TABLE = 'interlingua_search'

/** Number of messages that are added to a new index at once. */
const FILL_SIZE = 250

/** Number of rows of the index that one statement checks. */
const CHECK_SIZE = 2000

/** The largest number that a key can be. */
const MAX_KEY = String(2n ** 63n - 1n)

/** Options of a storage in a database. */
export interface SearchIndexOptions {
  /**
   * True to create an index for `search()`, if the database has none: messages that exist are added to it, then every
   * write keeps it up to date. An existing index is used and kept up to date in any case. Writes take longer with an
   * index. Default: false.
   */
  readonly search?: boolean
}

/** The digest of what an index stores of a message. */
export function computeDocumentDigest({ timeMs, tokens }: SearchDocument): string {
  return digestText(`${timeMs} ${tokens.join(' ')}`).slice(0, 32)
}

/** The index operations of a transaction. */
export type SearchIndexRows = Required<Pick<RowTransaction, 'search' | 'findUnindexed'>> & {
  /** Adds messages to the index; those that are not `isNew` replace their entries. */
  write(rows: readonly MessageRow[], tenant: string, isNew: boolean): Promise<void>
}

/** Creates the index operations of a transaction. */
export function createSearchIndexRows(statements: SqlStatements, index: SqlSearchIndex): SearchIndexRows {
  return {
    search: (query) => index.search(statements, query),
    findUnindexed: async (rows, tenant) =>
      (await findOutdated(statements, toDocuments(rows, tenant))).map(({ key }) => key),
    write: async (rows, tenant, isNew) => {
      const documents = toDocuments(rows, tenant)
      if (isNew) return index.put(statements, documents, true)
      const known = new Set(documents.map(({ key }) => key))
      await removeDocuments(
        statements,
        rows.flatMap(({ key }) => (known.has(key) ? [] : [key])),
      )
      await replaceDocuments(statements, index, documents)
    },
  }
}

/** The operations of a database without an index. */
export const MISSING_SEARCH_INDEX: Pick<RowTransaction, 'search'> = {
  search: async () => {
    throw createMissingSearchIndexError()
  },
}

/** Returns what an index stores of messages. */
export function toDocuments(rows: readonly MessageRow[], tenant: string): readonly SearchDocument[] {
  const names = new SearchTokens(tenant)
  return rows.flatMap((row) => toSearchDocument(row, names) ?? [])
}

/** Replaces the entries of messages that have changed; returns their number. */
async function replaceDocuments(
  statements: SqlStatements,
  index: SqlSearchIndex,
  documents: readonly SearchDocument[],
): Promise<number> {
  const outdated = await findOutdated(statements, documents)
  await index.put(statements, outdated, false)
  return outdated.length
}

async function removeDocuments(statements: SqlStatements, keys: readonly string[]): Promise<void> {
  await statements.inBatches(keys, (batch) =>
    statements.query(`delete from ${SEARCH_TABLE} where message in ${formatParameterList(batch)}`, batch),
  )
}

/** Returns the documents that the index lacks, or of which it contains another version. */
async function findOutdated(
  statements: SqlStatements,
  documents: readonly SearchDocument[],
): Promise<readonly SearchDocument[]> {
  const digests = new Map<string, unknown>()
  const keys = documents.map(({ key }) => key)
  const rows = await statements.inBatches(keys, (batch) =>
    statements.query(
      `select message, digest from ${SEARCH_TABLE} where message in ${formatParameterList(batch)}`,
      batch,
    ),
  )
  for (const row of rows) digests.set(String(row['message']), row['digest'])
  return documents.filter((each) => digests.get(each.key) !== computeDocumentDigest(each))
}

/** Tests whether a database has an index. */
export async function hasSearchIndex(driver: SqlDriver, sql: SqlExecutor): Promise<boolean> {
  return (await sql(driver.tableQuery, [SEARCH_TABLE])).length > 0
}

/** Creates the index if it is wanted; returns true if the database has one. */
export async function prepareSearchIndex(
  driver: SqlDriver,
  options: SearchIndexOptions & MigrationOptions & { readonly encryption?: EncryptionOptions },
): Promise<boolean> {
  const { search = false, migrate = true, encryption } = options
  if (search && encryption !== undefined) throw createEncryptedSearchError()
  if (await driver.read((sql) => hasSearchIndex(driver, sql))) return true
  if (!search) return false
  if (!migrate)
    throw new InterlinguaError(
      'unsupported-version',
      'The database has no index for searches, and `migrate` is false',
      {
        found: 'no table interlingua_search',
        expected: 'an index for searches',
        hint: 'Open the storage once with `search: true` and a role that may create tables.',
      },
    )
  await rebuildSearchIndex(driver)
  return true
}

/** Returns what is wrong with the index as a whole. */
export async function findSearchIndexIssues(driver: SqlDriver, sql: SqlExecutor): Promise<readonly string[]> {
  const reasons: string[] = []
  if (driver.search === undefined || !(await hasSearchIndex(driver, sql))) return reasons
  for (const rows of driver.search.inconsistentRows) {
    let count = 0
    for await (const keys of readInconsistentKeys(sql, rows)) count += keys.length
    if (count > 0)
      reasons.push(`${count} rows of ${rows.table} are inconsistent; rebuildSearchIndex() repairs them`)
  }
  return reasons
}

/** Yields the keys of inconsistent rows. Each statement visits a limited number of rows: SQLite runs it in one piece. */
async function* readInconsistentKeys(
  sql: SqlExecutor,
  { table, key, condition }: InconsistentRows,
): AsyncGenerator<readonly string[]> {
  // Keys are larger than the numbers of JavaScript, so they are passed as text.
  const select = `select cast(${key} as text) as key from ${table} where ${key} > cast(? as integer)`
  const pageEnd = `${select} order by ${key} limit 1 offset ${CHECK_SIZE - 1}`
  const found = `${select} and ${key} <= cast(? as integer) and ${condition}`
  for (let after: string | undefined = '0'; after !== undefined;) {
    const [end] = await sql(pageEnd, [after])
    const last: string | undefined = end && readTextColumn(end, 'key')
    yield (await sql(found, [after, last ?? MAX_KEY])).map((row) => readTextColumn(row, 'key'))
    after = last
  }
}

/** Removes inconsistent rows. */
async function removeInconsistentRows(sql: SqlExecutor, rows: InconsistentRows): Promise<void> {
  for await (const keys of readInconsistentKeys(sql, rows))
    for (const key of keys)
      await sql(`delete from ${rows.table} where ${rows.key} = cast(? as integer)`, [key])
}

/** Creates a missing index and adds every message that it lacks; returns their number. */
export async function rebuildSearchIndex(driver: SqlDriver): Promise<number> {
  const { search: index } = driver
  if (index === undefined) throw createMissingSearchIndexError()
  return driver.migrate(async (sql) => {
    if (!(await hasSearchIndex(driver, sql)))
      for (const text of index.createStatements) await sql(text.replaceAll('TEXT', driver.textType))
    for (const rows of index.inconsistentRows) await removeInconsistentRows(sql, rows)
    const statements = new SqlStatements(sql, false)
    const select = `select ${qualifyColumns([...MESSAGE_COLUMNS, 'tenant'], 'm')} from interlingua_messages m
      where m.key > ? order by m.key limit ${FILL_SIZE}`
    let count = 0
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = await sql(select, [after])
      const documents = page.flatMap(
        (row) => toSearchDocument(readMessageRow(row), new SearchTokens(readTextColumn(row, 'tenant'))) ?? [],
      )
      count += await replaceDocuments(statements, index, documents)
      const last = page.at(-1)
      after = last && checkPageOrder([after], [readTextColumn(last, 'key')])[0]
    }
    return count
  })
}
