import { readOptions } from '../../wire/check-options.ts'
import type { MigrationOptions } from '../sql/migrations.ts'
import { createSqlStreamLog } from '../sql/sql-storage.ts'
import type { StreamLogOptions } from '../streams/create-stream-log.ts'
import type { StreamLog } from '../streams/stream-log.ts'
import { openSqliteDriver } from './open-sqlite-driver.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

/** Options of {@link sqliteStreamLog}. */
export interface SqliteStreamLogOptions extends StreamLogOptions, MigrationOptions {
  /** Milliseconds to wait for a write of another process. Default: 10,000. */
  readonly busyTimeoutMs?: number
}

/**
 * Opens a stream log in a SQLite file, for several processes on one machine. The file may be that of a storage, or
 * another one, so that writing chunks does not wait for the storage.
 *
 * @example
 * const streams = await sqliteStreamLog('chat-streams.db')
 */
export async function sqliteStreamLog(
  pathOrDatabase: string | SqliteDatabase,
  streamOptions: SqliteStreamLogOptions = {},
): Promise<StreamLog> {
  const { busyTimeoutMs = 10_000, migrate, ...options } = readOptions('sqliteStreamLog()', streamOptions)
  return createSqlStreamLog(await openSqliteDriver(pathOrDatabase, busyTimeoutMs, migrate), options)
}
