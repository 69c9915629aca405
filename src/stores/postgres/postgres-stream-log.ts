import { createSqlStreamLog } from '../sql/sql-storage.ts'
import type { StreamLogOptions } from '../streams/create-stream-log.ts'
import type { StreamLog } from '../streams/stream-log.ts'
import { openPostgresDriver, type PostgresConnectionOptions } from './open-postgres-driver.ts'
import type { PostgresPool } from './postgres-pool.ts'

/** Options of {@link postgresStreamLog}. */
export interface PostgresStreamLogOptions extends StreamLogOptions, PostgresConnectionOptions {}

/**
 * Opens a stream log in PostgreSQL, for many machines. Accepts a URL, or a `pg` pool that the caller closes; the
 * database may be that of a storage.
 *
 * @example
 * const streams = await postgresStreamLog('postgres://localhost/chat')
 */
export async function postgresStreamLog(
  urlOrPool: string | PostgresPool,
  options: PostgresStreamLogOptions = {},
): Promise<StreamLog> {
  const { driver, rest } = await openPostgresDriver(urlOrPool, options)
  return createSqlStreamLog(driver, rest)
}
