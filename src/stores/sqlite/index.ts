import type { ConversationStorage } from '../conversation-storage.ts'
import { createSqlRowStore } from '../sql/sql-rows.ts'
import { migrate } from '../sql/migrations.ts'
import { createStorage, type StorageOptions } from '../create-storage.ts'
import { toStorageError, openDatabase, type SqliteDatabase, SqliteDriver } from './sqlite-driver.ts'

export type { SqliteDatabase }

export interface SqliteOptions extends StorageOptions {
  /** How long to wait for another process that writes, in milliseconds. Default: 10,000. */
  readonly busyTimeoutMs?: number
}

/**
 * Conversations in a SQLite file, for one machine: several processes may use it at once. Takes a path, or an open database
 * with the interface of `node:sqlite`. Not for network file systems.
 *
 * @example
 * const storage = await sqliteStorage('chat.db')
 */
export async function sqliteStorage(
  at: string | SqliteDatabase,
  { busyTimeoutMs = 10_000, ...options }: SqliteOptions = {},
): Promise<ConversationStorage> {
  let database: SqliteDatabase | undefined
  try {
    database = typeof at === 'string' ? await openDatabase(at) : at
    const driver = new SqliteDriver(database, busyTimeoutMs)
    await migrate(driver)
    return createStorage(createSqlRowStore(driver), options)
  } catch (error) {
    database?.close()
    throw toStorageError(error)
  }
}
