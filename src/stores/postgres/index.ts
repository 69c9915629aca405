import { omitUndefined } from '../../wire/json.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import { prepareSearchIndex, type SearchIndexOptions } from '../sql/search-index.ts'
import { createSqlRowStore } from '../sql/sql-rows.ts'
import { finishRemovals } from '../sql/session-removal.ts'
import { type MigrationOptions, prepareDatabase } from '../sql/migrations.ts'
import { createStorage, type StorageOptions } from '../create-storage.ts'
import { PostgresDriver } from './postgres-driver.ts'
import type { PostgresClient, PostgresPool, PostgresStatement } from './postgres-pool.ts'

export type { PostgresClient, PostgresPool, PostgresStatement }

/** Options of {@link postgresStorage}. `Infinity` disables a time-out. */
export interface PostgresOptions extends StorageOptions, MigrationOptions, SearchIndexOptions {
  /** Maximum number of connections, if the storage creates the pool. Default: 10. */
  readonly connections?: number
  /**
   * Milliseconds to wait for a connection, new or from the pool, if the storage creates the pool. Default: 10,000.
   */
  readonly connectTimeoutMs?: number
  /** Milliseconds that one statement may take. Default: 60,000. */
  readonly statementTimeoutMs?: number
  /** Milliseconds to wait for another writer of the same session. Default: 10,000. */
  readonly lockTimeoutMs?: number
  /**
   * False to send every statement anew, for a connection pooler that does not support prepared statements, such as
   * PgBouncer before version 1.21 in transaction mode. Default: true.
   */
  readonly preparedStatements?: boolean
}

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
  const { migrate, search, tenant, encryption, newId, now, ...driverOptions } = options
  const driver = await PostgresDriver.open(urlOrPool, omitUndefined(driverOptions))
  try {
    await prepareDatabase(driver, migrate)
    const hasIndex = await prepareSearchIndex(driver, omitUndefined({ search, migrate, encryption }))
    const storageOptions = omitUndefined({ tenant, encryption, newId, now })
    const rows = createSqlRowStore(driver, hasIndex)
    finishRemovals(rows)
    return createStorage(rows, storageOptions)
  } catch (error) {
    await driver.close()
    throw error
  }
}
