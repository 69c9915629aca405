import { readOptions } from '../../wire/check-options.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import type { SearchIndexOptions } from '../sql/search-index-rows.ts'
import { createSqlStorage, createSqlStreamLog } from '../sql/sql-storage.ts'
import { removeLeftovers } from '../sql/session-removal.ts'
import type { MigrationOptions } from '../sql/migrations.ts'
import { checkStorageOptions, STORAGE_OPTION_NAMES, type StorageOptions } from '../create-storage.ts'
import { openSqliteDriver } from './open-sqlite-driver.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import { STREAM_LOG_OPTION_NAMES, type StreamLogOptions } from '../streams/create-stream-log.ts'
import type { StreamLog } from '../streams/stream-log.ts'

export type { SqliteDatabase }

export interface SqliteOptions extends StorageOptions, MigrationOptions, SearchIndexOptions {
  /** Milliseconds to wait for a write of another process. Default: 10,000. */
  readonly busyTimeoutMs?: number
}

/** A storage in a SQLite database. */
export interface SqliteStorage extends ConversationStorage {
  /**
   * Erases deleted conversations from the file and its log, and frees their space. Also completes deletions that a
   * crash interrupted. Rewrites the whole file, in a thread of its own; fails with `conflict` if another process uses it.
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
  sqliteOptions: SqliteOptions = {},
): Promise<SqliteStorage> {
  const { busyTimeoutMs = 10_000, ...options } = readOptions('sqliteStorage()', sqliteOptions, {
    ...STORAGE_OPTION_NAMES,
    migrate: Boolean,
    search: Boolean,
    busyTimeoutMs: true,
  })
  const { search: _search, migrate, ...storageOptions } = options
  checkStorageOptions('sqliteStorage()', storageOptions)
  const driver = await openSqliteDriver(pathOrDatabase, busyTimeoutMs, migrate)
  const storage = await createSqlStorage(driver, options)
  const maintain = async (): Promise<void> => {
    await removeLeftovers(driver)
    await driver.maintain()
  }
  return Object.freeze({ ...storage, maintain })
}

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
  const {
    busyTimeoutMs = 10_000,
    migrate,
    ...options
  } = readOptions('sqliteStreamLog()', streamOptions, {
    ...STREAM_LOG_OPTION_NAMES,
    migrate: Boolean,
    busyTimeoutMs: true,
  })
  return createSqlStreamLog(await openSqliteDriver(pathOrDatabase, busyTimeoutMs, migrate), options)
}
