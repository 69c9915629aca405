import type { ConversationStorage } from '../conversation-storage.ts'
import { createSqlRowStore } from '../sql/sql-rows.ts'
import { migrate } from '../sql/migrations.ts'
import { createStorage, type StorageOptions } from '../create-storage.ts'
import { openPool, type PostgresClient, PostgresDriver, type PostgresPool } from './postgres-driver.ts'

export type { PostgresClient, PostgresPool }

export interface PostgresOptions extends StorageOptions {
  /** How many connections at most, where the pool is ours. Default: 10. */
  readonly connections?: number
}

/**
 * Conversations in PostgreSQL, for many machines. Takes an address, or a pool of `pg`, which stays the caller's to end.
 *
 * @example
 * const storage = await postgresStorage('postgres://localhost/chat')
 */
export async function postgresStorage(
  at: string | PostgresPool,
  { connections = 10, ...options }: PostgresOptions = {},
): Promise<ConversationStorage> {
  const owned = typeof at === 'string'
  const driver = new PostgresDriver(owned ? await openPool(at, connections) : at, owned)
  try {
    await migrate(driver)
  } catch (error) {
    await driver.close()
    throw error
  }
  return createStorage(createSqlRowStore(driver), options)
}
