import type { IntegrityIssue } from '../conversation-storage.ts'
import { findSearchIndexIssues } from './search-index.ts'
import type { SqlDriver, SqlExecutor } from './sql-driver.ts'

/** Tables whose rows belong to a session, and how they refer to it. */
const OWNED_TABLES = {
  messages: 's.key = o.session and s.tenant = o.tenant',
  sections: 's.key = o.session',
  labels: 's.key = o.session',
} as const

/** Returns what the database's own check reports, and the number of rows that no session owns. */
export async function findDatabaseIssues(
  driver: SqlDriver,
  sql: SqlExecutor,
): Promise<readonly IntegrityIssue[]> {
  const reasons = [...((await driver.checkDatabase?.(sql)) ?? [])]
  for (const [table, condition] of Object.entries(OWNED_TABLES)) {
    // Reads the whole table: no index finds rows whose session is missing.
    const [row] = await sql(
      `select count(*) as count from interlingua_${table} o
      where not exists (select 1 from interlingua_sessions s where ${condition})`,
    )
    const count = Number(row?.['count'] ?? 0)
    if (count > 0) reasons.push(`${count} rows of interlingua_${table} belong to no session`)
  }
  const indexReasons = await findSearchIndexIssues(driver, sql)
  return [
    ...reasons.map((reason) => ({ kind: 'database', reason }) as const),
    ...indexReasons.map((reason) => ({ kind: 'search', reason }) as const),
  ]
}
