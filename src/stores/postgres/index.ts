import { readOptions } from '../../wire/check-options.ts'
import { omitUndefined } from '../../wire/json.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import type { SearchIndexOptions } from '../sql/search-index-rows.ts'
import { createSqlStorage, createSqlStreamLog } from '../sql/sql-storage.ts'
import { STORAGE_OPTION_NAMES, type StorageOptions } from '../create-storage.ts'
import {
  openPostgresDriver,
  POSTGRES_OPTION_NAMES,
  type PostgresConnectionOptions,
} from './open-postgres-driver.ts'
import type { PostgresClient, PostgresPool, PostgresStatement } from './postgres-pool.ts'
import { STREAM_LOG_OPTION_NAMES, type StreamLogOptions } from '../streams/create-stream-log.ts'
import type { StreamLog } from '../streams/stream-log.ts'

export type { PostgresClient, PostgresConnectionOptions, PostgresPool, PostgresStatement }

/** Options of {@link postgresStorage}. */
export interface PostgresOptions extends StorageOptions, PostgresConnectionOptions, SearchIndexOptions {}

/**
 * Opens a storage in PostgreSQL, for many machines. Accepts a URL, or a `pg` pool that the caller closes.
 *
 * @example
 * const storage = await postgresStorage('postgres://localhost/chat')
 */
export async function postgresStorage(
  urlOrPool: string | PostgresPool,
  options: PostgresOptions = {},
): Promise<ConversationStorage> {
  const { search, ...connectionOptions } = readOptions('postgresStorage()', options, {
    ...STORAGE_OPTION_NAMES,
    ...POSTGRES_OPTION_NAMES,
    search: Boolean,
  })
  const { driver, rest } = await openPostgresDriver(urlOrPool, connectionOptions)
  return createSqlStorage(driver, { ...rest, ...omitUndefined({ search, migrate: options.migrate }) })
}

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
  const names = { ...STREAM_LOG_OPTION_NAMES, ...POSTGRES_OPTION_NAMES }
  const { driver, rest } = await openPostgresDriver(
    urlOrPool,
    readOptions('postgresStreamLog()', options, names),
  )
  return createSqlStreamLog(driver, rest)
}
