import type { ConversationStorage } from '../conversation-storage.ts'
import { createSqlRowStore } from '../sql/sql-rows.ts'
import { finishRemovals } from '../sql/session-removal.ts'
import { createStorage, type StorageOptions } from '../create-storage.ts'
import { openPostgresDriver, type PostgresConnectionOptions } from './open-postgres-driver.ts'
import type { PostgresClient, PostgresPool, PostgresStatement } from './postgres-pool.ts'

export type { PostgresClient, PostgresConnectionOptions, PostgresPool, PostgresStatement }
export { postgresStreamLog, type PostgresStreamLogOptions } from './postgres-stream-log.ts'

/** Options of {@link postgresStorage}. */
export interface PostgresOptions extends StorageOptions, PostgresConnectionOptions {}

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
  const { driver, rest } = await openPostgresDriver(urlOrPool, options)
  try {
    const rows = createSqlRowStore(driver)
    const storage = createStorage(rows, rest)
    finishRemovals(rows)
    return storage
  } catch (error) {
    await driver.close()
    throw error
  }
}
