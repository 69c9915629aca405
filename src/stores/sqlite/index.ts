import type { ConversationStorage } from '../contract.ts'
import { sqlStore } from '../sql/rows.ts'
import { migrate } from '../sql/schema.ts'
import { storageOver, type StorageOptions } from '../storage.ts'
import { explained, openDatabase, type SqliteDatabase, SqliteDriver } from './driver.ts'

export type { SqliteDatabase }

export interface SqliteOptions extends StorageOptions {
  /** How long to wait for another process that writes, in milliseconds. Default: 10,000. */
  readonly busyTimeout?: number
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
  { busyTimeout = 10_000, ...options }: SqliteOptions = {},
): Promise<ConversationStorage> {
  let database: SqliteDatabase | undefined
  try {
    database = typeof at === 'string' ? await openDatabase(at) : at
    const driver = new SqliteDriver(database, busyTimeout)
    await migrate(driver)
    return storageOver(sqlStore(driver), options)
  } catch (error) {
    database?.close()
    throw explained(error)
  }
}
