import type { SqlRow, SqlValue } from '../../stores/sql/sql-statements.ts'
import { PostgresDriver } from '../../stores/postgres/postgres-driver.ts'
import type { PostgresPool } from '../../stores/postgres/postgres-pool.ts'
import { checkOptions } from '../../wire/check-options.ts'
import type { GatewayState, UsedAmounts } from '../state/gateway-state.ts'
import { UsageQueue } from './usage-queue.ts'

/** Options of {@link postgresGatewayState}. */
export interface PostgresGatewayStateOptions {
  /** The highest number of values; the oldest are deleted first. Default: 200,000. */
  readonly maxValues?: number
  /** Maximum number of connections, if a URL is given. Default: 10. */
  readonly connections?: number
}

const DEFAULT_MAX_VALUES = 200_000

/** How often an instance deletes what has expired. */
const CLEANUP_INTERVAL_MS = 60_000

/** Long queries would delay every answer: state that cannot be reached is treated as an error soon. */
const STATEMENT_TIMEOUT_MS = 5000

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

const TABLES = [
  `create table if not exists interlingua_gateway_values (
    key text primary key,
    value text not null,
    expires_at_ms bigint not null
  )`,
  `create index if not exists interlingua_gateway_values_expiry on interlingua_gateway_values (expires_at_ms)`,
  `create table if not exists interlingua_gateway_usage (
    key text primary key,
    requests double precision not null,
    tokens double precision not null,
    cost double precision not null,
    expires_at_ms bigint not null
  )`,
  `create index if not exists interlingua_gateway_usage_expiry on interlingua_gateway_usage (expires_at_ms)`,
]

const GET = `select key, value from interlingua_gateway_values
  where key in (select json_array_elements_text(?::json)) and expires_at_ms > ${NOW}`

const PUT = `insert into interlingua_gateway_values (key, value, expires_at_ms)
  select ?, ?, ${NOW} + ?::bigint from settings
  on conflict (key) do update set value = excluded.value, expires_at_ms = excluded.expires_at_ms`

const ADD = `insert into interlingua_gateway_usage as used (key, requests, tokens, cost, expires_at_ms)
  select ?, ?::double precision, ?::double precision, ?::double precision, ${NOW} + ?::bigint from settings
  on conflict (key) do update set requests = used.requests + excluded.requests,
    tokens = used.tokens + excluded.tokens, cost = used.cost + excluded.cost
  returning requests, tokens, cost`

const CLEANUP = [
  `delete from interlingua_gateway_usage where expires_at_ms <= ${NOW}`,
  `delete from interlingua_gateway_values where expires_at_ms <= greatest(${NOW}, coalesce(
    (select expires_at_ms from interlingua_gateway_values order by expires_at_ms desc offset ?::bigint limit 1), 0))`,
]

/**
 * Opens the state of a gateway in PostgreSQL, which several instances share. Accepts a URL, or a `pg` pool that the caller closes.
 * The database may be that of conversations. Values are sealed by the gateway before they are stored.
 *
 * @example
 * const state = await postgresGatewayState('postgres://localhost/gateway')
 * const server = await startGateway({ routes, sealKeys, state })
 */
export async function postgresGatewayState(
  urlOrPool: string | PostgresPool,
  options: PostgresGatewayStateOptions = {},
): Promise<GatewayState> {
  checkOptions('`postgresGatewayState`', options, { maxValues: true, connections: true })
  const { maxValues = DEFAULT_MAX_VALUES, connections = 10 } = options
  const driver = await PostgresDriver.open(urlOrPool, {
    connections,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  try {
    await driver.migrate(async (sql) => {
      for (const statement of TABLES) await sql(statement)
    })
    return new PostgresState(driver, maxValues)
  } catch (error) {
    await driver.close()
    throw error
  }
}

class PostgresState implements GatewayState {
  readonly #driver: PostgresDriver
  readonly #maxValues: number
  readonly #usage = new UsageQueue((key, amounts, ttlMs) => this.#addNow(key, amounts, ttlMs))
  #cleanedAt = 0

  constructor(driver: PostgresDriver, maxValues: number) {
    this.#driver = driver
    this.#maxValues = maxValues
  }

  async put(key: string, value: string, ttlMs: number): Promise<void> {
    await this.#write(PUT, [key, value, Math.round(ttlMs)])
    await this.#cleanUp()
  }

  /**
   * Runs a write as one statement. A transaction would hold the lock of its row until this process commits: while it is busy, the
   * other instances would wait, and the server would end the transaction as idle.
   */
  #write(statement: string, values: readonly [key: string, ...SqlValue[]]): Promise<readonly SqlRow[]> {
    const { singleWrite } = this.#driver
    return singleWrite.run(`with settings as (${singleWrite.settingsQuery}) ${statement}`, values, values[0])
  }

  async get(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#driver.read((sql) => sql(GET, [JSON.stringify(keys)]))
    return new Map(rows.map(({ key, value }) => [String(key), String(value)]))
  }

  add(key: string, amounts: UsedAmounts, ttlMs: number): Promise<UsedAmounts> {
    return this.#usage.add(key, amounts, ttlMs)
  }

  async #addNow(key: string, { requests, tokens, cost }: UsedAmounts, ttlMs: number): Promise<UsedAmounts> {
    const [row] = await this.#write(ADD, [key, requests, tokens, cost, Math.round(ttlMs)])
    return {
      requests: Number(row?.['requests']),
      tokens: Number(row?.['tokens']),
      cost: Number(row?.['cost']),
    }
  }

  async #cleanUp(): Promise<void> {
    const now = Date.now()
    if (now - this.#cleanedAt < CLEANUP_INTERVAL_MS) return
    this.#cleanedAt = now
    const [deleteUsage = '', deleteValues = ''] = CLEANUP
    await this.#driver.write(async (sql) => {
      await sql(deleteUsage)
      await sql(deleteValues, [this.#maxValues])
    })
  }

  close(): Promise<void> {
    return this.#driver.close()
  }
}
