import type { SqlDriver, SqlExecutor, SqlRow, SqlValue } from '../../stores/sql/sql-driver.ts'
import { checkPageOrder, formatParameterList } from '../../stores/sql/sql-statements.ts'
import { createDamagedDataError } from '../../stores/storage-errors.ts'
import type {
  ComparedRows,
  MemoryPosition,
  MemoryRow,
  MemoryRows,
  MemoryRowTransaction,
  NewMemoryRow,
  VectorKind,
  VectorQuery,
} from '../memory-rows.ts'
import {
  AFTER_POSITION_SQL,
  compareInDatabase,
  compareInProcess,
  VECTOR_KIND_SQL,
  MEMORY_ORDER_SQL,
  readBytesValue,
  readTextValue,
  type SqlSimilarity,
} from './compare-vectors.ts'

/** Maximum number of rows or keys in one statement. */
const BATCH_SIZE = 200

const COLUMNS = 'key, body, created_at, updated_at, expires_at, vector_model, dimensions'
const SELECT = `select ${COLUMNS} from interlingua_memories where tenant = ?`

const UPSERT_END = `on conflict (tenant, key) do update set body = excluded.body, created_at = excluded.created_at,
  updated_at = excluded.updated_at, expires_at = excluded.expires_at, vector_model = excluded.vector_model,
  dimensions = excluded.dimensions, vector = excluded.vector`

/**
 * Locks a tenant until the end of the transaction, and returns the number of its memories. The row is written, because
 * one that is missing cannot be locked.
 */
const LOCK_TENANT = `insert into interlingua_memory_tenants (tenant, memory_count) values (?, 0)
  on conflict (tenant) do update set tenant = excluded.tenant returning memory_count`

/** Number of tenants that are searched for expired memories at once. */
const EXPIRED_COUNT = 100

function readRow(row: SqlRow): MemoryRow {
  return {
    key: String(row['key']),
    body: String(row['body']),
    createdAt: String(row['created_at']),
    updatedAt: String(row['updated_at']),
    expiresAt: readTextValue(row['expires_at']),
    vectorModel: readTextValue(row['vector_model']),
    dimensions: row['dimensions'] === null ? null : Number(row['dimensions']),
  }
}

/** Runs a statement for some keys at a time, because the number of its parameters is limited. */
async function queryByKeys(
  sql: SqlExecutor,
  text: string,
  values: readonly SqlValue[],
  keys: readonly string[],
  end = '',
): Promise<readonly SqlRow[]> {
  const unique = [...new Set(keys)]
  const found: SqlRow[] = []
  for (let start = 0; start < unique.length; start += BATCH_SIZE) {
    const batch = unique.slice(start, start + BATCH_SIZE)
    const rows = await sql(`${text} and key in ${formatParameterList(batch)} ${end}`, [...values, ...batch])
    for (const row of rows) found.push(row)
  }
  return found
}

/** Returns a position; throws if it is not after the one before it: in a damaged database, slices would repeat forever. */
function checkPosition(before: MemoryPosition | undefined, position: MemoryPosition): MemoryPosition {
  if (before !== undefined) checkPageOrder([before.createdAt, before.key], [position.createdAt, position.key])
  return position
}

/** The memories in the tables of a SQL database. */
export class SqlMemoryRows implements MemoryRows {
  readonly #driver: SqlDriver
  readonly #similarity: SqlSimilarity | undefined

  /** Creates the rows. Without `similarity`, vectors are read and compared in this process. */
  constructor(driver: SqlDriver, similarity?: SqlSimilarity) {
    this.#driver = driver
    this.#similarity = similarity
  }

  maxScoreError(dimensions: number): number {
    return this.#similarity?.maxError(dimensions) ?? 0
  }

  async get(tenant: string, keys: readonly string[]): Promise<readonly MemoryRow[]> {
    if (keys.length === 0) return []
    return (await this.#driver.read((sql) => queryByKeys(sql, SELECT, [tenant], keys))).map(readRow)
  }

  async list(
    tenant: string,
    after: MemoryPosition | undefined,
    limit: number,
  ): Promise<readonly MemoryRow[]> {
    const rows = await this.#driver.read((sql) =>
      after === undefined
        ? sql(`${SELECT} ${MEMORY_ORDER_SQL}`, [tenant, limit])
        : sql(`${SELECT} ${AFTER_POSITION_SQL} ${MEMORY_ORDER_SQL}`, [
            tenant,
            after.createdAt,
            after.key,
            limit,
          ]),
    )
    const found = rows.map(readRow)
    let before = after
    for (const row of found) before = checkPosition(before, row)
    return found
  }

  /** Compares a slice. With a similarity of the database, only rows that may be hits leave it. */
  async compare(tenant: string, query: VectorQuery): Promise<ComparedRows> {
    const compared = await this.#driver.read((sql) =>
      this.#similarity === undefined
        ? compareInProcess(sql, tenant, query)
        : compareInDatabase(sql, tenant, query, this.#similarity),
    )
    if (compared.end !== undefined) checkPosition(query.after, compared.end)
    return compared
  }

  async vectors(
    tenant: string,
    { model, dimensions }: VectorKind,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const text = `select key, vector from interlingua_memories where tenant = ? ${VECTOR_KIND_SQL}`
    const rows = await this.#driver.read((sql) => queryByKeys(sql, text, [tenant, model, dimensions], keys))
    return new Map(
      rows.flatMap((row) => {
        const bytes = readBytesValue(row['vector'])
        return bytes === null ? [] : [[String(row['key']), bytes]]
      }),
    )
  }

  async count(tenant: string, kind?: VectorKind): Promise<number> {
    const [row] = await this.#driver.read((sql) =>
      kind === undefined
        ? sql('select memory_count as count from interlingua_memory_tenants where tenant = ?', [tenant])
        : sql(`select count(*) as count from interlingua_memories where tenant = ? ${VECTOR_KIND_SQL}`, [
            tenant,
            kind.model,
            kind.dimensions,
          ]),
    )
    return Number(row?.['count'] ?? 0)
  }

  /** Runs a transaction, and stores the number of memories afterwards: counting them would take longer with each. */
  write<T>(tenant: string, act: (rows: MemoryRowTransaction) => Promise<T>): Promise<T> {
    return this.#driver.write(
      async (sql) => {
        const [locked] = await sql(LOCK_TENANT, [tenant])
        const transaction = new SqlMemoryRowTransaction(sql, tenant, Number(locked?.['memory_count']))
        const result = await act(transaction)
        const count = await transaction.count()
        await (count === 0
          ? sql('delete from interlingua_memory_tenants where tenant = ?', [tenant])
          : sql('update interlingua_memory_tenants set memory_count = ? where tenant = ?', [count, tenant]))
        return result
      },
      JSON.stringify(['memory', tenant]),
    )
  }

  async listExpiredTenants(time: string): Promise<readonly string[]> {
    const text = 'select tenant from interlingua_memories where expires_at <= ? limit ?'
    const rows = await this.#driver.read((sql) => sql(text, [time, EXPIRED_COUNT]))
    return [...new Set(rows.map(({ tenant }) => String(tenant)))]
  }

  close(): Promise<void> {
    return this.#driver.close()
  }
}

class SqlMemoryRowTransaction implements MemoryRowTransaction {
  readonly #sql: SqlExecutor
  readonly #tenant: string
  #count: number

  constructor(sql: SqlExecutor, tenant: string, count: number) {
    this.#sql = sql
    this.#tenant = tenant
    this.#count = count
  }

  async get(keys: readonly string[]): Promise<readonly NewMemoryRow[]> {
    const text = `select ${COLUMNS}, vector from interlingua_memories where tenant = ?`
    const rows = await queryByKeys(this.#sql, text, [this.#tenant], keys)
    return rows.map((row) => ({ ...readRow(row), vector: readBytesValue(row['vector']) }))
  }

  async put(rows: readonly NewMemoryRow[]): Promise<void> {
    const columns = `tenant, ${COLUMNS}, vector`
    const keys = rows.map(({ key }) => key)
    const text = 'select key from interlingua_memories where tenant = ?'
    this.#count += rows.length - (await queryByKeys(this.#sql, text, [this.#tenant], keys)).length
    for (const [index, row] of rows.entries()) {
      const values = toValues(this.#tenant, row)
      const insert = `insert into interlingua_memories (${columns}) values ${formatParameterList(values)} ${UPSERT_END}`
      const sent = this.#sql(insert, values)
      // Statements are sent without waiting, but not so many that they fill the memory.
      if (index % BATCH_SIZE === BATCH_SIZE - 1) await sent
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    await this.#deleteKeys(keys)
  }

  async #deleteKeys(keys: readonly string[]): Promise<number> {
    const text = 'delete from interlingua_memories where tenant = ?'
    const { length } = await queryByKeys(this.#sql, text, [this.#tenant], keys, 'returning key')
    this.#count -= length
    return length
  }

  async count(): Promise<number> {
    return this.#count
  }

  async deleteSome(limit: number): Promise<readonly string[]> {
    const text = 'select key from interlingua_memories where tenant = ? limit ?'
    return this.#deleteSelected(text, [this.#tenant, limit])
  }

  async deleteExpired(time: string, limit: number): Promise<number> {
    const text = 'select key from interlingua_memories where tenant = ? and expires_at <= ? limit ?'
    return (await this.#deleteSelected(text, [this.#tenant, time, limit])).length
  }

  async #deleteSelected(text: string, values: readonly SqlValue[]): Promise<readonly string[]> {
    const keys = (await this.#sql(text, values)).map(({ key }) => String(key))
    // The tenant is locked: a row that was found and cannot be deleted would be found again and again.
    if ((await this.#deleteKeys(keys)) < keys.length)
      throw createDamagedDataError('An index of the memories does not match its table')
    return keys
  }
}

function toValues(tenant: string, row: NewMemoryRow): readonly SqlValue[] {
  const { key, body, createdAt, updatedAt, expiresAt, vectorModel, dimensions, vector } = row
  return [tenant, key, body, createdAt, updatedAt, expiresAt, vectorModel, dimensions, vector]
}
