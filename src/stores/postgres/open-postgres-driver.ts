import type { OptionNames } from '../../wire/check-options.ts'
import { omitUndefined } from '../../wire/json.ts'
import { type MigrationOptions, prepareDatabase } from '../sql/migrations.ts'
import { PostgresDriver } from './postgres-driver.ts'
import type { PostgresPool } from './postgres-pool.ts'

/** Options for opening a PostgreSQL database. `Infinity` disables a time-out. */
export interface PostgresConnectionOptions extends MigrationOptions {
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

/** The names of the options of a connection. */
export const POSTGRES_OPTION_NAMES: OptionNames<PostgresConnectionOptions> = {
  migrate: Boolean,
  connections: true,
  connectTimeoutMs: true,
  statementTimeoutMs: true,
  lockTimeoutMs: true,
  preparedStatements: Boolean,
}

/**
 * Opens a PostgreSQL database and migrates it; returns its driver and the options that are not about the connection.
 */
export async function openPostgresDriver<T extends PostgresConnectionOptions>(
  urlOrPool: string | PostgresPool,
  options: T,
): Promise<{
  readonly driver: PostgresDriver
  readonly rest: Omit<T, keyof PostgresConnectionOptions>
}> {
  const {
    migrate,
    connections,
    connectTimeoutMs,
    statementTimeoutMs,
    lockTimeoutMs,
    preparedStatements,
    ...rest
  } = options
  const limits = { connections, connectTimeoutMs, statementTimeoutMs, lockTimeoutMs, preparedStatements }
  const driver = await PostgresDriver.open(urlOrPool, omitUndefined(limits))
  try {
    await prepareDatabase(driver, migrate)
    return { driver, rest }
  } catch (error) {
    await driver.close()
    throw error
  }
}
