import type { SqlDriver, SqlExecutor, SqlValue } from './sql-driver.ts'

/**
 * Maximum number of rows that one statement and one transaction remove. SQLite runs a statement in one piece, and a
 * commit takes as long as its changes are many; the process does nothing else meanwhile.
 */
const REMOVAL_SIZE = 100

/** Tables with the rows of a session whose number is not limited, and their keys. */
const LARGE_TABLES = {
  messages: ['key'],
  labels: ['session', 'message', 'label'],
} as const

/** Condition for rows of a session that was removed, or that is being imported: its messages have no session row. */
export const isOfRemovedSession = (alias: string): string =>
  `exists (select 1 from interlingua_removals r where r.session = ${alias}.session)`

/** Removes up to {@link REMOVAL_SIZE} messages or labels of a session; returns true if none is left. */
async function removeSomeRows(sql: SqlExecutor, session: string): Promise<boolean> {
  for (const [table, columns] of Object.entries(LARGE_TABLES)) {
    const key = columns.length === 1 ? columns[0] : `(${columns.join(', ')})`
    const text = `delete from interlingua_${table} where ${key} in
      (select ${columns.join(', ')} from interlingua_${table} where session = ? limit ${REMOVAL_SIZE}) returning session`
    if ((await sql(text, [session])).length === REMOVAL_SIZE) return false
  }
  return true
}

/**
 * Removes a session within a transaction. Of a long one, messages and labels are left: they belong to no session any
 * more, and {@link removeLeftovers} removes them. Returns true if some are left.
 */
export async function removeSessionRows(sql: SqlExecutor, session: string): Promise<boolean> {
  const isComplete = await removeSomeRows(sql, session)
  if (!isComplete) await markForRemoval(sql, session, 0)
  for (const table of ['sections', 'leases'])
    await sql(`delete from interlingua_${table} where session = ?`, [session])
  await sql('delete from interlingua_sessions where key = ?', [session])
  return !isComplete
}

/** Marks the rows of a session key for removal from a time on. */
export async function markForRemoval(
  sql: SqlExecutor,
  session: string,
  removableAtMs: number,
): Promise<void> {
  const values: readonly SqlValue[] = [session, removableAtMs]
  await sql(
    `insert into interlingua_removals (session, removable_at_ms) values (?, ?)
    on conflict (session) do update set removable_at_ms = excluded.removable_at_ms`,
    values,
  )
}

/** Removes what removed sessions have left, in small transactions. A crash in between leaves the rest to the next call. */
export async function removeLeftovers(driver: SqlDriver): Promise<void> {
  const findNext = async (sql: SqlExecutor): Promise<string | undefined> => {
    const text = `select session from interlingua_removals where removable_at_ms <= ${driver.clockExpression}
      order by removable_at_ms limit 1`
    const [row] = await sql(text)
    return row && String(row['session'])
  }
  // What a crash brings back is still marked for removal, so no step has to wait for the disk.
  const write = (act: (sql: SqlExecutor) => Promise<boolean>): Promise<boolean> =>
    driver.writeWithoutSync?.(act) ?? driver.write(act)
  let removed: string | undefined
  for (;;) {
    const next = await driver.read(findNext)
    // In a damaged database, a row may stay: the next call tries again.
    if (next === undefined || next === removed) return
    let isComplete = false
    while (!isComplete) {
      isComplete = await write(async (sql) => {
        const session = await findNext(sql)
        if (session === undefined) return true
        const isLast = await removeSomeRows(sql, session)
        if (!isLast) return false
        await sql('delete from interlingua_removals where session = ?', [session])
        removed = session
        return true
      })
    }
  }
}
