import { readOptions } from '../../wire/check-options.ts'
import { omitUndefined } from '../../wire/json.ts'
import {
  POSTGRES_OPTION_NAMES,
  type PostgresConnectionOptions,
} from '../../stores/postgres/open-postgres-driver.ts'
import { PostgresDriver } from '../../stores/postgres/postgres-driver.ts'
import type { PostgresClient, PostgresPool, PostgresStatement } from '../../stores/postgres/postgres-pool.ts'
import { prepareDatabase } from '../../stores/sql/migrations.ts'
import {
  createMemoryStore,
  MEMORY_STORE_OPTION_NAMES,
  type MemoryStoreOptions,
} from '../create-memory-store.ts'
import type { MemoryStore } from '../memory-store.ts'
import { SqlMemoryRows } from '../sql/sql-memory-rows.ts'

export type { PostgresClient, PostgresPool, PostgresStatement }

/** Options of {@link postgresMemory}: those of the connection are the same as for conversations. */
export interface PostgresMemoryOptions extends MemoryStoreOptions, PostgresConnectionOptions {}

/**
 * Opens a memory store in PostgreSQL, in the database of the conversations or another one. Accepts a URL, or a `pg` pool
 * that the caller closes. A search reads the vectors of the tenant and compares them in this process.
 *
 * @example
 * const memory = await postgresMemory('postgres://localhost/chat')
 */
export async function postgresMemory(
  urlOrPool: string | PostgresPool,
  options: PostgresMemoryOptions = {},
): Promise<MemoryStore> {
  const { migrate, embedding, limits, now, ...driverOptions } = readOptions('postgresMemory()', options, {
    ...MEMORY_STORE_OPTION_NAMES,
    ...POSTGRES_OPTION_NAMES,
  })
  const driver = await PostgresDriver.open(urlOrPool, omitUndefined(driverOptions))
  try {
    await prepareDatabase(driver, migrate)
    return createMemoryStore(new SqlMemoryRows(driver), omitUndefined({ embedding, limits, now }))
  } catch (error) {
    await driver.close()
    throw error
  }
}
