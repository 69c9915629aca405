import type { ConversationStorage } from '../conversation-storage.ts'
import { omitUndefined } from '../../wire/json.ts'
import { prepareSearchIndex, type SearchIndexOptions } from '../sql/search-index.ts'
import { createSqlRowStore } from '../sql/sql-rows.ts'
import { finishRemovals, removeLeftovers } from '../sql/session-removal.ts'
import { type MigrationOptions, prepareDatabase } from '../sql/migrations.ts'
import { createStorage, type StorageOptions } from '../create-storage.ts'
import { isNamedFile, openOwnDatabase } from './open-own-database.ts'
import { convertSqliteError, describeSqliteFile, type SqliteDatabase, SqliteDriver } from './sqlite-driver.ts'

export type { SqliteDatabase }

export interface SqliteOptions extends StorageOptions, MigrationOptions, SearchIndexOptions {
  /** Milliseconds to wait for a write of another process. Default: 10,000. */
  readonly busyTimeoutMs?: number
}

/** A storage in a SQLite database. */
export interface SqliteStorage extends ConversationStorage {
  /**
   * Erases deleted conversations from the file and its log, and frees their space. Also completes deletions that a
   * crash interrupted. Rewrites the whole file, in a thread
   * of its own; fails with `conflict` if another process uses the database.
   */
  maintain(): Promise<void>
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
  { busyTimeoutMs = 10_000, migrate, search, ...options }: SqliteOptions = {},
): Promise<SqliteStorage> {
  let database: SqliteDatabase | undefined
  try {
    database = typeof pathOrDatabase === 'string' ? await openOwnDatabase(pathOrDatabase) : pathOrDatabase
    const isNamed = typeof pathOrDatabase === 'string' && isNamedFile(pathOrDatabase)
    const file = isNamed ? describeSqliteFile(pathOrDatabase) : undefined
    const driver = new SqliteDriver(database, busyTimeoutMs, file)
    await prepareDatabase(driver, migrate)
    const hasIndex = await prepareSearchIndex(
      driver,
      omitUndefined({ search, migrate, encryption: options.encryption }),
    )
    const rows = createSqlRowStore(driver, hasIndex)
    const storage = createStorage(rows, options)
    finishRemovals(rows)
    const maintain = async (): Promise<void> => {
      await removeLeftovers(driver)
      await driver.maintain()
    }
    return Object.freeze({ ...storage, maintain })
  } catch (error) {
    database?.close()
    throw convertSqliteError(error, typeof pathOrDatabase === 'string' ? pathOrDatabase : undefined)
  }
}
