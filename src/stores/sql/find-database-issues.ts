import type { IntegrityIssue } from '../conversation-storage.ts'
import { findSearchIndexIssues } from './search-index-rows.ts'
import { isOfRemovedSession } from './session-removal.ts'
import type { SqlDriver, SqlExecutor } from './sql-driver.ts'
import { checkPageOrder, formatParameterList } from './sql-statements.ts'

/** Tables whose rows belong to a session: their keys, and how they refer to it. */
const OWNED_TABLES = {
  messages: { key: ['key'], condition: 's.key = o.session and s.tenant = o.tenant' },
  sections: { key: ['session', 'name'], condition: 's.key = o.session' },
  labels: { key: ['session', 'message', 'label'], condition: 's.key = o.session' },
} as const

/** Number of rows that one statement checks: SQLite runs a statement in one piece. */
const PAGE_SIZE = 2000

/** Returns what the database's own check reports, and the number of rows that no session owns. */
export async function findDatabaseIssues(
  driver: SqlDriver,
  sql: SqlExecutor,
): Promise<readonly IntegrityIssue[]> {
  const reasons = [...((await driver.checkDatabase?.(sql)) ?? [])]
  for (const table of Object.keys(OWNED_TABLES) as (keyof typeof OWNED_TABLES)[]) {
    const count = await countOrphans(sql, table)
    if (count > 0) reasons.push(`${count} rows of interlingua_${table} belong to no session`)
  }
  const indexReasons = await findSearchIndexIssues(driver, sql)
  return [
    ...reasons.map((reason) => ({ kind: 'database', reason }) as const),
    ...indexReasons.map((reason) => ({ kind: 'search', reason }) as const),
  ]
}

/** Counts the rows of a table whose session is missing. Reads the whole table: no index finds them. */
async function countOrphans(sql: SqlExecutor, table: keyof typeof OWNED_TABLES): Promise<number> {
  const { key, condition } = OWNED_TABLES[table]
  const columns = key.join(', ')
  const text = `select ${columns}, case when ${isOfRemovedSession('o')} or
      exists (select 1 from interlingua_sessions s where ${condition}) then 0 else 1 end as is_orphan
    from interlingua_${table} o where (${columns}) > ${formatParameterList(key)}
    order by ${columns} limit ${PAGE_SIZE}`
  let count = 0
  let after: readonly string[] = key.map(() => '')
  for (;;) {
    const page = await sql(text, after)
    count += page.filter((row) => Number(row['is_orphan']) === 1).length
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_SIZE) return count
    after = checkPageOrder(
      after,
      key.map((column) => String(last[column])),
    )
  }
}
