import type { ConversationStorage } from '../conversation-storage.ts'
import { createSqlRowStore } from '../sql/sql-rows.ts'
import { migrateDatabase } from '../sql/migrations.ts'
import { createStorage, type StorageOptions } from '../create-storage.ts'
import {
  openPostgresPool,
  type PostgresClient,
  PostgresDriver,
  type PostgresPool,
} from './postgres-driver.ts'

export type { PostgresClient, PostgresPool }

export interface PostgresOptions extends StorageOptions {
  /** Maximum number of connections, if the storage creates the pool. Default: 10. */
  readonly connections?: number
}

/**
 * Opens a storage in PostgreSQL, for many machines. Accepts a URL, or a `pg` pool that the caller closes.
 *
 * @example
 * const storage = await postgresStorage('postgres://localhost/chat')
 */
export async function postgresStorage(
  at: string | PostgresPool,
  { connections = 10, ...options }: PostgresOptions = {},
): Promise<ConversationStorage> {
  const owned = typeof at === 'string'
  const driver = new PostgresDriver(owned ? await openPostgresPool(at, connections) : at, owned)
  try {
    await migrateDatabase(driver)
  } catch (error) {
    await driver.close()
    throw error
  }
  return createStorage(createSqlRowStore(driver), options)
}
