import type { UnchangedAppend } from '../rows/row-store.ts'
import {
  MESSAGE_COLUMNS,
  NUMBER_COLUMNS,
  toMessageValues,
  toSectionValues,
  toSessionValues,
} from './row-columns.ts'
import { createSearchIndexRows, SEARCH_TABLE, toDocuments } from './search-index-rows.ts'
import type { SqlDriver, SqlValue } from './sql-driver.ts'
import type { SqlSearchIndex } from './sql-search-index.ts'
import { formatParameterList, SqlStatements } from './sql-statements.ts'

/** Largest numbers of messages and of owners in one statement; both are 1 for most appends. */
const MAX_MESSAGES = 50
const MAX_OWNERS = 20

const INSERTED_COLUMNS: readonly string[] = [...MESSAGE_COLUMNS, 'tenant']
const TOUCH_SESSION = 'update interlingua_sessions set updated_at = ?, checksum = ?'
const MOVE_HEAD = 'update interlingua_sections set head = ?, checksum = ?'
const INSERT = `insert into interlingua_messages (${INSERTED_COLUMNS.join(', ')})`

/** The statements of an append with certain numbers of messages and owners. */
interface AppendTexts {
  /** Selects a row if the rows are unchanged and the lease is in effect. */
  readonly check: string
  readonly insert: string
  /** Check and write at once; the second part returns a row for each message that was inserted. */
  readonly combined: string
  readonly combinedInsert: string
}

const knownTexts = new WeakMap<SqlDriver, Map<string, AppendTexts>>()

function getTexts(driver: SqlDriver, { messages, owners, lease }: UnchangedAppend): AppendTexts {
  const name = [messages.length, owners.length, lease !== undefined].join()
  const ofDriver = knownTexts.get(driver) ?? new Map<string, AppendTexts>()
  knownTexts.set(driver, ofDriver)
  const known = ofDriver.get(name)
  if (known !== undefined) return known
  const leaseTable = 'join interlingua_leases l on l.session = s.key'
  const leaseCondition = `and l.token = ? and l.expires_at_ms > ${driver.clockExpression}`
  const { singleWrite, rowLockClause } = driver
  const lock = `${rowLockClause} of s, c${lease === undefined ? '' : ', l'}`
  // The checksum of a row covers all its columns. All rows are locked, so they stay as they are until the commit.
  const isIndexed = singleWrite === undefined ? `exists (${driver.tableQuery})` : '1'
  const check = `select ${isIndexed} as is_indexed from ${singleWrite === undefined ? '' : 'settings cross join'} interlingua_sessions s
    join interlingua_sections c on c.session = s.key ${lease === undefined ? '' : leaseTable}
    where s.key = ? and s.checksum = ? and c.name = ? and c.checksum = ? ${lease === undefined ? '' : leaseCondition}
    and not exists (select 1 from interlingua_messages m
      where m.session in ${formatParameterList(owners)} and m.id in ${formatParameterList(messages)})${rowLockClause === '' ? '' : lock}`
  const types = INSERTED_COLUMNS.map((name) => (NUMBER_COLUMNS.has(name) ? 'cast(? as bigint)' : '?'))
  const typedRow = `(${types.join(', ')})`
  const texts: AppendTexts = {
    check,
    insert: `${INSERT} values ${messages.map(() => formatParameterList(INSERTED_COLUMNS)).join(', ')}`,
    combined: `with settings as (${singleWrite?.settingsQuery ?? ''}), unchanged as (${check}),
      touched as (${TOUCH_SESSION} from unchanged where key = ?),
      moved as (${MOVE_HEAD} from unchanged where session = ? and name = ?)`,
    combinedInsert: `${INSERT} select added.* from unchanged, (values ${messages.map(() => typedRow).join(', ')}) added returning key`,
  }
  ofDriver.set(name, texts)
  return texts
}

/**
 * Appends messages after a known head, if nothing has changed since it was read; otherwise writes nothing and returns
 * false. What other appends read first is only compared, which takes one statement instead of several. An append in one
 * statement writes the given index of searches; others write the index that the database has.
 */
export async function appendIfUnchanged(
  driver: SqlDriver,
  append: UnchangedAppend,
  lockName: string,
  index: SqlSearchIndex | undefined,
): Promise<boolean> {
  const { session, section, updatedAt, messages, owners, lease } = append
  const last = messages.at(-1)
  if (last === undefined || messages.length > MAX_MESSAGES || owners.length > MAX_OWNERS) return false
  const texts = getTexts(driver, append)
  const checksumOf = (values: readonly SqlValue[]): SqlValue => values.at(-1) ?? null
  const check: readonly SqlValue[] = [
    session.key,
    checksumOf(toSessionValues(session)),
    section.name,
    checksumOf(toSectionValues(section)),
    ...(lease === undefined ? [] : [lease]),
    ...owners,
    ...messages.map(({ id }) => id),
  ]
  const touch = [updatedAt, checksumOf(toSessionValues({ ...session, updatedAt })), session.key]
  const head = last.key
  const move = [head, checksumOf(toSectionValues({ ...section, head })), section.session, section.name]
  const rows = messages.flatMap((row) => [...toMessageValues(row), session.tenant])
  const { singleWrite } = driver
  if (singleWrite !== undefined) {
    const documents = index === undefined ? [] : toDocuments(messages, session.tenant)
    const insert = documents.length === 0 ? undefined : index?.toInsertFrom?.('unchanged', documents)
    const indexed = insert === undefined ? '' : `, indexed as (${insert.text})`
    const text = `${texts.combined}${indexed} ${texts.combinedInsert}`
    const values = [...check, ...touch, ...move, ...(insert?.values ?? []), ...rows]
    return (await singleWrite.run(text, values, lockName)).length > 0
  }
  return driver.write(async (sql) => {
    const [found] = await sql(texts.check, [SEARCH_TABLE, ...check])
    if (found === undefined) return false
    void sql(`${TOUCH_SESSION} where key = ?`, touch)
    void sql(`${MOVE_HEAD} where session = ? and name = ?`, move)
    void sql(texts.insert, rows)
    if (driver.search !== undefined && Number(found['is_indexed']) === 1)
      await createSearchIndexRows(new SqlStatements(sql, false), driver.search).write(
        messages,
        session.tenant,
        true,
      )
    return true
  }, lockName)
}
