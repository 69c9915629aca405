import type { SqlExecutor, SqlRow, SqlValue } from '../../stores/sql/sql-driver.ts'
import type { ComparedRows, MemoryPosition, ScoredRow, VectorQuery } from '../memory-rows.ts'
import { createSimilarity } from '../vectors.ts'

/** Computes similarities inside of the database. */
export interface SqlSimilarity {
  /** Expression for the cosine similarity of the column `vector` to a bound vector; `null` if it has none. */
  readonly expression: string
  /** Returns the maximum error of a similarity. */
  maxError(dimensions: number): number
}

/** Order of the list of memories. */
export const MEMORY_ORDER_SQL = 'order by created_at, key limit ?'
/** Condition on the position in the list. */
export const AFTER_POSITION_SQL = 'and (created_at, key) > (?, ?)'
/** Condition on the model and dimensions of the vector. */
export const VECTOR_KIND_SQL = 'and vector_model = ? and dimensions = ?'

/** Reads a column that contains text or null. */
export const readTextValue = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Reads a column that contains bytes or null. */
export const readBytesValue = (value: unknown): Uint8Array | null =>
  value instanceof Uint8Array ? value : null

/** Number of vectors that are compared in this process, or by the database, before other work has its turn. */
const PROCESS_SLICE_SIZE = 256
const DATABASE_SLICE_SIZE = 1_024

const selectScored = ({ withBody }: VectorQuery, column: string): string =>
  `select key, created_at, updated_at, expires_at${withBody ? ', body' : ''}, ${column}
  from interlingua_memories where tenant = ? ${VECTOR_KIND_SQL}`

/** Returns the values of the conditions on tenant, kind and position. */
const toConditionValues = (tenant: string, { vector, after }: VectorQuery): readonly SqlValue[] => [
  tenant,
  vector.model,
  vector.dimensions,
  ...(after === undefined ? [] : [after.createdAt, after.key]),
]

function readScoredRow(row: SqlRow, score: number): ScoredRow {
  const body = readTextValue(row['body'] ?? null)
  return {
    key: String(row['key']),
    updatedAt: String(row['updated_at']),
    expiresAt: readTextValue(row['expires_at']),
    ...(body !== null && { body }),
    score,
  }
}

const readPosition = (row: SqlRow | undefined): MemoryPosition | undefined =>
  row && { createdAt: String(row['created_at']), key: String(row['key']) }

export async function compareInProcess(
  sql: SqlExecutor,
  tenant: string,
  query: VectorQuery,
): Promise<ComparedRows> {
  const text = `${selectScored(query, 'vector')} ${query.after === undefined ? '' : AFTER_POSITION_SQL} ${MEMORY_ORDER_SQL}`
  const rows = await sql(text, [...toConditionValues(tenant, query), PROCESS_SLICE_SIZE])
  const similarity = createSimilarity(query.vector.bytes)
  const scored = rows.map((row) =>
    readScoredRow(row, similarity(readBytesValue(row['vector']) ?? new Uint8Array())),
  )
  return {
    rows: scored.filter(({ score }) => score >= query.minScore),
    end: rows.length < PROCESS_SLICE_SIZE ? undefined : readPosition(rows.at(-1)),
  }
}

export async function compareInDatabase(
  sql: SqlExecutor,
  tenant: string,
  query: VectorQuery,
  { expression }: SqlSimilarity,
): Promise<ComparedRows> {
  const after = query.after === undefined ? '' : AFTER_POSITION_SQL
  const conditions = toConditionValues(tenant, query)
  const [last] = await sql(
    `select created_at, key from interlingua_memories where tenant = ? ${VECTOR_KIND_SQL} ${after} ${MEMORY_ORDER_SQL} offset ?`,
    [...conditions, 1, DATABASE_SLICE_SIZE - 1],
  )
  const end = readPosition(last)
  // A vector of length 0 has no direction: the database returns null, and its similarity is 0.
  const score = `coalesce(${expression}, 0)`
  const until = end === undefined ? '' : 'and (created_at, key) <= (?, ?)'
  const rows = await sql(`${selectScored(query, `${score} as score`)} ${after} ${until} and ${score} >= ?`, [
    query.vector.bytes,
    ...conditions,
    ...(end === undefined ? [] : [end.createdAt, end.key]),
    query.vector.bytes,
    query.minScore,
  ])
  return { rows: rows.map((row) => readScoredRow(row, Number(row['score']))), end }
}
