import type { ConversationStorage } from '../conversation-storage.ts'
import { createSqlRowStore } from '../sql/sql-rows.ts'
import { type MigrationOptions, prepareDatabase } from '../sql/migrations.ts'
import { createStorage, type StorageOptions } from '../create-storage.ts'
import { openOwnDatabase } from './open-own-database.ts'
import { convertSqliteError, type SqliteDatabase, SqliteDriver } from './sqlite-driver.ts'

export type { SqliteDatabase }

export interface SqliteOptions extends StorageOptions, MigrationOptions {
  /** Milliseconds to wait for a write of another process. Default: 10,000. */
  readonly busyTimeoutMs?: number
}

/**
 * Opens a storage in a SQLite file, for several processes on one machine. Accepts a path, or an open database
 * with the interface of `node:sqlite`. Not suitable for network file systems. A file that is not a database, or the
 * database of another program, is refused with `foreign-file` and not changed.
 *
 * @example
 * const storage = await sqliteStorage('chat.db')
 */
export async function sqliteStorage(
  pathOrDatabase: string | SqliteDatabase,
  { busyTimeoutMs = 10_000, migrate, ...options }: SqliteOptions = {},
): Promise<ConversationStorage> {
  let database: SqliteDatabase | undefined
  try {
    database = typeof pathOrDatabase === 'string' ? await openOwnDatabase(pathOrDatabase) : pathOrDatabase
    const driver = new SqliteDriver(database, busyTimeoutMs)
    await prepareDatabase(driver, migrate)
    return createStorage(createSqlRowStore(driver), options)
  } catch (error) {
    database?.close()
    throw convertSqliteError(error, typeof pathOrDatabase === 'string' ? pathOrDatabase : undefined)
  }
}
