import type { RowStore, RowTransaction } from '../rows/row-store.ts'
import type { MessageRow, SessionRow } from '../rows/row-definitions.ts'
import { appendIfUnchanged } from './append-if-unchanged.ts'
import {
  CLEAR_USAGE_SQL,
  encodeLabels,
  MESSAGE_COLUMNS,
  readSectionRow,
  readSessionRow,
  readTextColumn,
  SECTION_COLUMNS,
  SESSION_COLUMNS,
  toMessageValues,
  toSectionValues,
  toSessionValues,
} from './row-columns.ts'
import { findDatabaseIssues } from './find-database-issues.ts'
import { type OpenedRows, readOpenedRows, SELECT_SECTIONS, SELECT_SESSIONS } from './opened-rows.ts'
import { createLabelRows, createLeaseRows } from './label-lease-rows.ts'
import { createMessageTreeQueries } from './message-tree-queries.ts'
import {
  createSearchIndexRows,
  hasSearchIndex,
  MISSING_SEARCH_INDEX,
  rebuildSearchIndex,
  type SearchIndexRows,
} from './search-index-rows.ts'
import { markForRemoval, removeLeftovers, removeSessionRows } from './session-removal.ts'
import type { SqlDriver, SqlExecutor, SqlValue } from './sql-driver.ts'
import { checkPageOrder, formatParameterList, SqlStatements, toLikePattern } from './sql-statements.ts'
import { queryUsageTotals } from './query-usage-totals.ts'

/** Maximum number of messages that one statement removes: SQLite runs a statement in one piece. */
const REMOVE_SIZE = 100

/** Creates a row store on a database. */
export function createSqlRowStore(driver: SqlDriver, hasIndex = false): RowStore {
  const { search } = driver
  let isIndexed = hasIndex
  /** Returns the index operations of a transaction; undefined if the database has no index. */
  async function openSearchIndex(
    statements: SqlStatements,
    sql: SqlExecutor,
  ): Promise<SearchIndexRows | undefined> {
    if (search === undefined) return undefined
    if (!isIndexed && search.isNoticedLate) isIndexed = await hasSearchIndex(driver, sql)
    return isIndexed ? createSearchIndexRows(statements, search) : undefined
  }
  /** True if removed sessions may have left rows; at first, those of a process that crashed. */
  let hasLeftovers = true
  const onLeftovers = (): void => {
    hasLeftovers = true
  }
  return {
    ...(driver.backend !== undefined && { backend: driver.backend }),
    read: (act) =>
      driver.read(async (sql) => {
        const statements = new SqlStatements(sql, false)
        const index = await openSearchIndex(statements, sql)
        return act(createSqlRows(statements, '', driver, index, onLeftovers))
      }),
    write: (act, { tenant, session }) =>
      driver.write(
        async (sql) => {
          const statements = new SqlStatements(sql, driver.combinesWrites)
          const index = await openSearchIndex(statements, sql)
          const result = await act(
            createSqlRows(statements, driver.rowLockClause, driver, index, onLeftovers),
          )
          statements.flush()
          return result
        },
        session && toLockName(tenant, session),
      ),
    appendIfUnchanged: (append, { tenant, session = '' }) =>
      appendIfUnchanged(driver, append, toLockName(tenant, session), isIndexed ? search : undefined),
    ...(hasIndex && { rebuildSearchIndex: () => rebuildSearchIndex(driver) }),
    supportsReservations: true,
    removeLeftovers: async () => {
      if (!hasLeftovers) return
      hasLeftovers = false
      await removeLeftovers(driver).catch((error: unknown) => {
        onLeftovers()
        throw error
      })
    },
    integrityIssues: () => driver.read((sql) => findDatabaseIssues(driver, sql)),
    close: () => driver.close(),
  }
}

/** Returns a name of a session that is unique across tenants. */
function toLockName(tenant: string, session: string): string {
  return JSON.stringify([tenant, session])
}

/** Creates the rows of one database transaction. */
function createSqlRows(
  statements: SqlStatements,
  lock: string,
  { clockExpression: clock }: SqlDriver,
  index: SearchIndexRows | undefined,
  onLeftovers: () => void,
): RowTransaction {
  const tree = createMessageTreeQueries(statements)
  const executor: SqlExecutor = (text, values = []) => statements.query(text, values)

  /** Tenants of the sessions that this transaction has read or written. */
  const tenants = new Map<string, string>()
  /** What was read together with a session, unless it was changed since. */
  let opened: OpenedRows | undefined

  function rememberTenant(row: SessionRow | undefined): SessionRow | undefined {
    if (row !== undefined) tenants.set(row.key, row.tenant)
    return row
  }

  async function findTenant(session: string): Promise<string> {
    const known = tenants.get(session)
    if (known !== undefined) return known
    const text = 'select tenant from interlingua_sessions where key = ?'
    const tenant = (await statements.selectOne((row) => readTextColumn(row, 'tenant'), text, [session])) ?? ''
    tenants.set(session, tenant)
    return tenant
  }

  async function openSession(
    tenant: string,
    id: string,
    messageIds: readonly string[] = [],
  ): Promise<SessionRow | undefined> {
    const { row, ...rest } = await readOpenedRows(statements, lock, { tenant, id, messageIds })
    opened = row && { ...rest, session: row.key }
    return rememberTenant(row)
  }

  async function writeMessages(rows: readonly MessageRow[], key?: string): Promise<void> {
    opened = undefined
    await statements.inBatches(rows, async (batch) => {
      const values: SqlValue[][] = []
      for (const row of batch) values.push([...toMessageValues(row), await findTenant(row.session)])
      await statements.upsert('messages', [...MESSAGE_COLUMNS, 'tenant'], values, {
        ...(key !== undefined && { key }),
        isAwaited: batch.length < rows.length,
      })
      await indexMessages(batch, key === undefined)
      return []
    })
  }

  /** Adds messages of one session to the index. */
  async function indexMessages(rows: readonly MessageRow[], isNew: boolean): Promise<void> {
    const [first] = rows
    if (index !== undefined && first !== undefined)
      await index.write(rows, await findTenant(first.session), isNew)
  }

  return {
    // Listed one by one: spreading them for each transaction takes longer than the statements of a short read.
    ancestor: tree.ancestor,
    branchHeads: tree.branchHeads,
    nodesWithForeignParent: tree.nodesWithForeignParent,
    nodesByHash: tree.nodesByHash,
    message: tree.message,
    messages: tree.messages,
    bodiesTo: tree.bodiesTo,
    pathTo: tree.pathTo,
    pathMatches: tree.pathMatches,
    newestChildren: tree.newestChildren,
    descendants: tree.descendants,
    countMessages: tree.countMessages,
    ownPositions: tree.ownPositions,
    ownMessages: tree.ownMessages,
    node: async (key) => opened?.heads.get(key) ?? tree.node(key),
    nodesById: async (sessions, ids) => {
      if (opened === undefined || !ids.every((id) => opened?.messageIds.has(id)))
        return tree.nodesById(sessions, ids)
      const { session, nodes } = opened
      const others = sessions.filter((each) => each !== session)
      const shared = others.length === 0 ? [] : await tree.nodesById(others, ids)
      const own = sessions.includes(session) ? nodes.filter(({ id }) => ids.includes(id)) : []
      return [...own, ...shared]
    },
    session: openSession,
    sessionByKey: async (key) =>
      rememberTenant(
        await statements.selectOne(readSessionRow, `${SELECT_SESSIONS} where key = ?${lock}`, [key]),
      ),
    sessions: async ({ tenant, search, label, after, limit }) => {
      const conditions: [string, ...SqlValue[]][] = [['tenant = ?', tenant]]
      // Both sides are in lower case, because databases differ in the case sensitivity of LIKE.
      if (search !== undefined) conditions.push([`search like ? escape '\\'`, toLikePattern(search)])
      if (label !== undefined) conditions.push([`replace(labels, ?, '') <> labels`, encodeLabels([label])])
      if (after !== undefined) conditions.push(['(updated_at, key) < (?, ?)', after.updatedAt, after.key])
      const where = conditions.map(([condition]) => condition).join(' and ')
      const text = `${SELECT_SESSIONS} where ${where} order by updated_at desc, key desc limit ?`
      const values = conditions.flatMap(([, ...bound]) => bound)
      const found = await statements.select(readSessionRow, text, [...values, limit])
      const last = found.at(-1)
      if (last !== undefined && after !== undefined)
        checkPageOrder([last.updatedAt, last.key], [after.updatedAt, after.key])
      return found
    },
    putSession: (row) => {
      rememberTenant(row)
      return statements.upsert('sessions', SESSION_COLUMNS, [toSessionValues(row)], { key: 'key' })
    },
    removeSession: async (key) => {
      opened = undefined
      if (await removeSessionRows(executor, key)) onLeftovers()
    },

    sections: async (sessions) => {
      if (opened !== undefined && sessions.length === 1 && sessions[0] === opened.session)
        return opened.sections
      return statements.inBatches(sessions, (batch) => {
        const text = `${SELECT_SECTIONS} where s.session in ${formatParameterList(batch)} order by s.position`
        return statements.select(readSectionRow, text, batch)
      })
    },
    putSection: (row) => {
      opened = undefined
      return statements.upsert('sections', SECTION_COLUMNS, [toSectionValues(row)], { key: 'session, name' })
    },
    removeSection: async (session, name) => {
      opened = undefined
      const values = [session, name]
      const text = `delete from interlingua_messages where key in (select m.key from interlingua_messages m
        where m.session = ? and m.section = ? limit ${REMOVE_SIZE}) returning key`
      while ((await statements.query(text, values)).length === REMOVE_SIZE);
      statements.send('sections', 'delete from interlingua_sections where session = ? and name = ?', values)
    },
    dependentSections: (session) =>
      statements.select(readSectionRow, `${SELECT_SECTIONS} where s.fork_owner = ? order by s.session`, [
        session,
      ]),

    insertMessages: (rows) => writeMessages(rows),
    updateMessages: (rows) => writeMessages(rows, 'key'),
    removeMessages: async (keys) => {
      opened = undefined
      await statements.inBatches(keys, (batch) =>
        statements.query(
          `delete from interlingua_messages where key in ${formatParameterList(batch)}`,
          batch,
        ),
      )
    },

    transferMessages: async (keys, session) => {
      opened = undefined
      await statements.inBatches(keys, (batch) => {
        const text = `update interlingua_messages set session = ?, ${CLEAR_USAGE_SQL} where key in`
        return statements.query(`${text} ${formatParameterList(batch)}`, [session, ...batch])
      })
      if (index === undefined) return
      await statements.inBatches(keys, async (batch) => {
        await indexMessages(await tree.messages(batch), false)
        return []
      })
    },

    reserveSession: async ({ key, tenant }, durationMs) => {
      tenants.set(key, tenant)
      const [row] = await statements.query(`select ${clock} as now`, [])
      await markForRemoval(executor, key, Math.trunc(Number(row?.['now'])) + durationMs)
    },
    endReservation: async (session, keepsMessages) => {
      if (keepsMessages)
        await statements.query('delete from interlingua_removals where session = ?', [session])
      else {
        await markForRemoval(executor, session, 0)
        onLeftovers()
      }
    },

    ...createLabelRows(statements),
    ...createLeaseRows(statements),
    now: async () => Number((await statements.query(`select ${clock} as now`, []))[0]?.['now']),

    usage: (query) => queryUsageTotals(statements, query),
    ...(index ?? MISSING_SEARCH_INDEX),
  }
}
