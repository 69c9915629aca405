import type { RowTransaction, RowStore } from '../rows/row-store.ts'
import {
  CLEAR_USAGE_SQL,
  LABEL_COLUMNS,
  readLabelRow,
  toLabelValues,
  MESSAGE_COLUMNS,
  readMessageRow,
  toMessageValues,
  NODE_COLUMNS,
  readNodeRow,
  SECTION_COLUMNS,
  readSectionRow,
  toSectionValues,
  SESSION_COLUMNS,
  readSessionRow,
  toSessionValues,
  readTextColumn,
  TOKEN_SUMS_SQL,
  readTokenColumns,
  encodeLabels,
  LEASE_COLUMNS,
  readLeaseRow,
  toLeaseValues,
} from './columns.ts'
import { findDatabaseIssues } from './database-issues.ts'
import type { SqlExecutor, SqlDriver, SqlRow, SqlValue } from './sql-driver.ts'

/** Maximum number of rows or ids in one statement. */
const BATCH_SIZE = 200
/** Maximum number of messages that are read at once. */
const PAGE_SIZE = 1000
const NO_LIMIT = 2 ** 31 - 1

const SELECT_SESSION = `select ${SESSION_COLUMNS.join()} from interlingua_sessions`
const SELECT_LEASE = `select ${LEASE_COLUMNS.join()} from interlingua_leases`
const SELECT_SECTION = `select ${qualifyColumns(SECTION_COLUMNS, 's')} from interlingua_sections s`
const SELECT_NODE = `select ${qualifyColumns(NODE_COLUMNS, 'm')} from interlingua_messages m`
const SELECT_MESSAGE = `select ${qualifyColumns(MESSAGE_COLUMNS, 'm')} from interlingua_messages m`

/** A message and its ancestors. The depth decreases at each step, so that damaged rows cannot cause a cycle. */
const ANCESTORS_SQL = `with recursive up (key, parent, depth, count) as (
  select key, parent, depth, 1 from interlingua_messages where key = ?
  union all
  select m.key, m.parent, m.depth, up.count + 1 from up
  join interlingua_messages m on m.key = up.parent and m.depth = up.depth - 1
  where up.count < ? and up.depth > ?
)`

/**
 * A message and its descendants in its session. `coalesce` leaves the index on `parent` as the only usable one: SQLite
 * would search all messages of the session with the same depth for each message. The rows are complete, because SQLite
 * would scan the whole table to join them afterwards.
 */
const DESCENDANTS_SQL = `with recursive down (${MESSAGE_COLUMNS.join()}) as (
  ${SELECT_MESSAGE} where m.key = ?
  union all
  select ${qualifyColumns(MESSAGE_COLUMNS, 'm')} from down join interlingua_messages m on m.parent = down.key
  where coalesce(m.session, '') = down.session and coalesce(m.depth, 0) = down.depth + 1
)`

/** Creates a row store on a database. */
export function createSqlRowStore(driver: SqlDriver): RowStore {
  return {
    read: (act) => driver.read((sql) => act(createSqlRows(sql, '', driver.clockExpression))),
    write: (act, session) =>
      driver.write((sql) => act(createSqlRows(sql, driver.rowLockClause, driver.clockExpression)), session),
    integrityIssues: () => driver.read((sql) => findDatabaseIssues(driver, sql)),
    close: () => driver.close(),
  }
}

/** Creates the rows of one database transaction. */
function createSqlRows(sql: SqlExecutor, lock: string, clock: string): RowTransaction {
  type Values = readonly SqlValue[]

  const run = async (text: string, values: Values): Promise<void> => void (await sql(text, values))

  async function select<T>(read: (row: SqlRow) => T, text: string, values: Values): Promise<readonly T[]> {
    return (await sql(text, values)).map(read)
  }

  async function selectOne<T>(
    read: (row: SqlRow) => T,
    text: string,
    values: Values,
  ): Promise<T | undefined> {
    const [row] = await sql(text, values)
    return row && read(row)
  }

  /** Inserts rows; if `key` names the unique columns, existing rows are overwritten. */
  async function upsert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    key?: string,
  ): Promise<void> {
    const set = columns.map((name) => `${name} = excluded.${name}`).join(', ')
    const end = key === undefined ? '' : ` on conflict (${key}) do update set ${set}`
    await inBatches(rows, (batch) => {
      const values = batch.map(placeholders).join(', ')
      return sql(`insert into ${table} (${columns.join(', ')}) values ${values}${end}`, batch.flat())
    })
  }

  return {
    session: (tenant, id) =>
      selectOne(readSessionRow, `${SELECT_SESSION} where tenant = ? and id = ?${lock}`, [tenant, id]),
    sessionByKey: (key) => selectOne(readSessionRow, `${SELECT_SESSION} where key = ?${lock}`, [key]),
    sessions: ({ tenant, search, label, after, limit }) => {
      const conditions: [string, ...SqlValue[]][] = [['tenant = ?', tenant]]
      // Both sides are in lower case, because databases differ in the case sensitivity of LIKE.
      if (search !== undefined) conditions.push([`search like ? escape '\\'`, toLikePattern(search)])
      if (label !== undefined) conditions.push([`replace(labels, ?, '') <> labels`, encodeLabels([label])])
      if (after !== undefined) conditions.push(['(updated_at, key) < (?, ?)', after.updatedAt, after.key])
      const where = conditions.map(([condition]) => condition).join(' and ')
      const text = `${SELECT_SESSION} where ${where} order by updated_at desc, key desc limit ?`
      return select(readSessionRow, text, [...conditions.flatMap(([, ...values]) => values), limit])
    },
    putSession: (row) => upsert('interlingua_sessions', SESSION_COLUMNS, [toSessionValues(row)], 'key'),
    removeSession: async (key) => {
      for (const table of ['messages', 'sections', 'labels', 'leases'])
        await run(`delete from interlingua_${table} where session = ?`, [key])
      await run('delete from interlingua_sessions where key = ?', [key])
    },

    sections: (sessions) =>
      inBatches(sessions, (batch) => {
        const text = `${SELECT_SECTION} where s.session in ${placeholders(batch)} order by s.position`
        return select(readSectionRow, text, batch)
      }),
    putSection: (row) =>
      upsert('interlingua_sections', SECTION_COLUMNS, [toSectionValues(row)], 'session, name'),
    removeSection: async (session, name) => {
      await run('delete from interlingua_messages where session = ? and section = ?', [session, name])
      await run('delete from interlingua_sections where session = ? and name = ?', [session, name])
    },
    dependentSections: (session) =>
      select(readSectionRow, `${SELECT_SECTION} where s.fork_owner = ? order by s.session`, [session]),

    node: (key) => selectOne(readNodeRow, `${SELECT_NODE} where m.key = ?`, [key]),
    nodesById: (sessions, ids) =>
      inBatches(ids, (batch) => {
        const where = `where m.session in ${placeholders(sessions)} and m.id in ${placeholders(batch)}`
        return select(readNodeRow, `${SELECT_NODE} ${where}`, [...sessions, ...batch])
      }),
    nodesByHash: (sessions, section, hash) =>
      select(
        readNodeRow,
        `${SELECT_NODE}
        where m.session in ${placeholders(sessions)} and m.section = ? and m.hash = ? order by m.key`,
        [...sessions, section, hash],
      ),
    ancestor: (key, depth) => {
      const text = `${ANCESTORS_SQL} ${SELECT_NODE} join up on up.key = m.key where up.depth = ?`
      return selectOne(readNodeRow, text, [key, NO_LIMIT, depth, depth])
    },
    branchHeads: (session, section) =>
      select(
        readNodeRow,
        `${SELECT_NODE} where m.session = ? and m.section = ?
        and not exists (select 1 from interlingua_messages c where c.parent = m.key and c.session = m.session)
        order by m.key`,
        [session, section],
      ),
    nodesWithForeignParent: (session, section) =>
      select(
        readNodeRow,
        `${SELECT_NODE} join interlingua_messages p on p.key = m.parent
        where m.session = ? and m.section = ? and p.session <> m.session`,
        [session, section],
      ),

    message: (key) => selectOne(readMessageRow, `${SELECT_MESSAGE} where m.key = ?`, [key]),
    pathTo: (key, last = NO_LIMIT) => {
      const text = `${ANCESTORS_SQL} ${SELECT_MESSAGE} join up on up.key = m.key order by m.depth`
      return select(readMessageRow, text, [key, Math.min(last, NO_LIMIT), 0])
    },
    descendants: (key) => {
      const text = `${DESCENDANTS_SQL} select ${MESSAGE_COLUMNS.join()} from down where key <> ? order by depth`
      return select(readMessageRow, text, [key, key])
    },
    ownMessages: async function* (session) {
      const text = `${SELECT_MESSAGE}
        where m.session = ? and (m.depth, m.key) > (?, ?) order by m.depth, m.key limit ?`
      let after = { depth: 0, key: '' }
      for (;;) {
        const page = await select(readMessageRow, text, [session, after.depth, after.key, PAGE_SIZE])
        const last = page.at(-1)
        if (last === undefined) return
        yield page
        after = last
      }
    },
    insertMessages: (rows) => upsert('interlingua_messages', MESSAGE_COLUMNS, rows.map(toMessageValues)),
    updateMessages: (rows) =>
      upsert('interlingua_messages', MESSAGE_COLUMNS, rows.map(toMessageValues), 'key'),
    removeMessages: async (keys) => {
      await inBatches(keys, (batch) =>
        sql(`delete from interlingua_messages where key in ${placeholders(batch)}`, batch),
      )
    },
    transferMessages: async (keys, session) => {
      await inBatches(keys, (batch) => {
        const text = `update interlingua_messages set session = ?, ${CLEAR_USAGE_SQL} where key in`
        return sql(`${text} ${placeholders(batch)}`, [session, ...batch])
      })
    },

    labels: (session) =>
      select(
        readLabelRow,
        `select ${LABEL_COLUMNS.join()} from interlingua_labels where session = ? order by message, label`,
        [session],
      ),
    putLabel: (row) =>
      upsert('interlingua_labels', LABEL_COLUMNS, [toLabelValues(row)], 'session, message, label'),
    removeLabel: ({ session, message, label }) =>
      run('delete from interlingua_labels where session = ? and message = ? and label = ?', [
        session,
        message,
        label,
      ]),

    lease: (session) => selectOne(readLeaseRow, `${SELECT_LEASE} where session = ?`, [session]),
    putLease: (row) => upsert('interlingua_leases', LEASE_COLUMNS, [toLeaseValues(row)], 'session'),
    removeLease: (session) => run('delete from interlingua_leases where session = ?', [session]),
    now: async () => Number((await sql(`select ${clock} as now`))[0]?.['now']),

    usage: async ({ tenant, session, from = '', to = '9', by }) => {
      const named = by.map((kind) => (kind === 'session' ? 's.id as session' : `m.${kind}`))
      const grouped = by.map((kind) => (kind === 'session' ? 's.id' : `m.${kind}`))
      const rows = await sql(
        `select ${[...named, 'count(*) as answers', TOKEN_SUMS_SQL].join(', ')}
        from interlingua_messages m join interlingua_sessions s on s.key = m.session
        where s.tenant = ? and m.day >= ? and m.day <= ?${session === undefined ? '' : ' and s.id = ?'}
        ${grouped.length === 0 ? 'having count(*) > 0' : `group by ${grouped.join(', ')}`}`,
        [tenant, from, to, ...(session === undefined ? [] : [session])],
      )
      return rows.map((row) => ({
        ...Object.fromEntries(by.map((kind) => [kind, readTextColumn(row, kind)])),
        answers: Number(row['answers']),
        usage: readTokenColumns(row),
      }))
    },
  }
}

/** Prefixes columns with a table alias. */
function qualifyColumns(names: readonly string[], table: string): string {
  return names.map((name) => `${table}.${name}`).join(', ')
}

/** Runs a statement in batches, because the number of its parameters is limited. */
async function inBatches<V, T>(
  values: readonly V[],
  run: (batch: readonly V[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found: T[] = []
  for (let start = 0; start < values.length; start += BATCH_SIZE)
    for (const row of await run(values.slice(start, start + BATCH_SIZE))) found.push(row)
  return found
}

function placeholders(values: readonly unknown[]): string {
  return `(${values.map(() => '?').join(', ')})`
}

/** Returns a LIKE pattern for texts that contain `text`, with wildcards escaped. */
function toLikePattern(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`
}
