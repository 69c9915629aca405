import type { SqlExecutor } from '../sql/sql-driver.ts'
import { type SqliteFile, SqliteThread } from './sqlite-worker.ts'

/**
 * Milliseconds that the statements of a write transaction may take in this thread. A longer one is rolled back and
 * repeated in a thread of its own: a commit cannot be divided, and takes the longer the more pages were changed.
 */
export const MAX_WRITE_MS = 400

/** Statements that configure a connection like that of the driver. It has no extensions: no write uses one. */
const CONFIGURE: readonly string[] = [
  'pragma wal_autocheckpoint = 0',
  'pragma synchronous = full',
  'pragma secure_delete = on',
]

/** Starts a thread with a connection; returns undefined if the process cannot start threads. */
export async function openWriteThread(
  file: SqliteFile,
  busyTimeoutMs: number,
): Promise<SqliteThread | undefined> {
  const thread = new SqliteThread()
  // Only this thread waits for other processes, so SQLite may block it.
  const wait = `pragma busy_timeout = ${Math.min(busyTimeoutMs, 2 ** 31 - 1)}`
  try {
    await thread.open(file, [wait, ...CONFIGURE])
    return thread
  } catch {
    await thread.close()
    return undefined
  }
}

/**
 * Runs a write transaction in a thread and ends the thread. The process does other work in the meantime. If a statement
 * fails, the transaction is rolled back with the end of its connection.
 */
export async function writeInThread<T>(
  thread: SqliteThread,
  act: (sql: SqlExecutor) => Promise<T>,
): Promise<T> {
  let failure: { readonly error: unknown } | undefined
  try {
    await thread.query('begin immediate')
    const result = await act((text, values) => {
      const rows = thread.query(text, values)
      rows.catch((error: unknown) => {
        failure ??= { error }
      })
      return rows
    })
    // Results arrive in the order of the statements: those that were not awaited are known after this one.
    await thread.query('select 1')
    if (failure !== undefined) throw failure.error
    await thread.query('commit')
    return result
  } catch (error) {
    throw failure?.error ?? error
  } finally {
    await thread.close()
  }
}
