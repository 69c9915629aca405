import { readOptions } from '../../wire/check-options.ts'
import { omitUndefined } from '../../wire/json.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import type { SearchIndexOptions } from '../sql/search-index-rows.ts'
import { createSqlStorage } from '../sql/sql-storage.ts'
import type { StorageOptions } from '../create-storage.ts'
import { openPostgresDriver, type PostgresConnectionOptions } from './open-postgres-driver.ts'
import type { PostgresClient, PostgresPool, PostgresStatement } from './postgres-pool.ts'

export type { PostgresClient, PostgresConnectionOptions, PostgresPool, PostgresStatement }
export { postgresStreamLog, type PostgresStreamLogOptions } from './postgres-stream-log.ts'

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
  const { search, ...connectionOptions } = readOptions('postgresStorage()', options)
  const { driver, rest } = await openPostgresDriver(urlOrPool, connectionOptions)
  return createSqlStorage(driver, { ...rest, ...omitUndefined({ search, migrate: options.migrate }) })
}
