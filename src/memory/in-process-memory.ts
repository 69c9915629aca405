import { createStorageClosedError } from '../stores/storage-errors.ts'
import { createMemoryStore, type MemoryStoreOptions } from './create-memory-store.ts'
import {
  type ComparedRows,
  isExpired,
  type MemoryPosition,
  type MemoryRow,
  type MemoryRows,
  type MemoryRowTransaction,
  type NewMemoryRow,
  type ScoredRow,
  type VectorKind,
  type VectorQuery,
} from './memory-rows.ts'
import type { MemoryStore } from './memory-store.ts'
import { createSimilarity } from './vectors.ts'

/**
 * Creates a memory store in the memory of this process, for tests and short-lived programs.
 *
 * @example
 * const memory = inProcessMemory()
 * await memory.put({ tenant: 'ada', text: 'Prefers metric units' })
 */
export function inProcessMemory(options: MemoryStoreOptions = {}): MemoryStore {
  return createMemoryStore(new InProcessRows(), options)
}

/** The rows of one tenant. The order is computed when it is needed, and again after a write. */
interface TenantRows {
  readonly rows: Map<string, NewMemoryRow>
  ordered: readonly NewMemoryRow[] | undefined
}

/** Number of vectors that are compared before other work of the process has its turn. */
const SLICE_SIZE = 256

function comparePositions(a: MemoryPosition, b: MemoryPosition): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1
  return compareCodePoints(a.key, b.key)
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** Compares texts as databases do: by code point. JavaScript orders surrogates before U+E000 to U+FFFF. */
function compareCodePoints(a: string, b: string): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1
  }
  return a.length - b.length
}

const hasVector = (row: MemoryRow, { model, dimensions }: VectorKind): boolean =>
  row.vectorModel === model && row.dimensions === dimensions

const pickRows = ({ rows }: Pick<TenantRows, 'rows'>, keys: readonly string[]): readonly NewMemoryRow[] =>
  [...new Set(keys)].flatMap((key) => rows.get(key) ?? [])

class InProcessRows implements MemoryRows {
  readonly #tenants = new Map<string, TenantRows>()
  /** The last write of each tenant that is not finished. */
  readonly #writes = new Map<string, Promise<unknown>>()
  #closed = false

  maxScoreError(): number {
    return 0
  }

  #rows(tenant: string): TenantRows {
    if (this.#closed) throw createStorageClosedError()
    return this.#tenants.get(tenant) ?? { rows: new Map(), ordered: undefined }
  }

  /** Yields the rows after a position in order. */
  *#after(tenant: string, after: MemoryPosition | undefined): Generator<NewMemoryRow> {
    const table = this.#rows(tenant)
    const ordered = table.ordered ?? [...table.rows.values()].toSorted(comparePositions)
    table.ordered = ordered
    let [low, high] = [0, after === undefined ? 0 : ordered.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const row = ordered[middle]
      if (row !== undefined && after !== undefined && comparePositions(row, after) <= 0) low = middle + 1
      else high = middle
    }
    for (let index = low; index < ordered.length; index++) yield ordered[index] as NewMemoryRow
  }

  async get(tenant: string, keys: readonly string[]): Promise<readonly MemoryRow[]> {
    return pickRows(this.#rows(tenant), keys)
  }

  async list(
    tenant: string,
    after: MemoryPosition | undefined,
    limit: number,
  ): Promise<readonly MemoryRow[]> {
    const found: MemoryRow[] = []
    for (const row of this.#after(tenant, after)) {
      found.push(row)
      if (found.length === limit) break
    }
    return found
  }

  async compare(tenant: string, query: VectorQuery): Promise<ComparedRows> {
    const similarity = createSimilarity(query.vector.bytes)
    const rows: ScoredRow[] = []
    let count = 0
    for (const row of this.#after(tenant, query.after)) {
      if (row.vector === null || !hasVector(row, query.vector)) continue
      const score = similarity(row.vector)
      if (score >= query.minScore) rows.push({ ...row, score })
      count += 1
      if (count === SLICE_SIZE) return { rows, end: row }
    }
    return { rows, end: undefined }
  }

  async vectors(
    tenant: string,
    kind: VectorKind,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const rows = pickRows(this.#rows(tenant), keys).filter((row) => hasVector(row, kind))
    return new Map(rows.flatMap(({ key, vector }) => (vector === null ? [] : [[key, vector]])))
  }

  async count(tenant: string, kind?: VectorKind): Promise<number> {
    const { rows } = this.#rows(tenant)
    if (kind === undefined) return rows.size
    return [...rows.values()].filter((row) => hasVector(row, kind)).length
  }

  async write<T>(tenant: string, act: (rows: MemoryRowTransaction) => Promise<T>): Promise<T> {
    const previous = this.#writes.get(tenant) ?? Promise.resolve()
    const result = previous.then(async () => {
      const table = this.#rows(tenant)
      const changes = new Map<string, NewMemoryRow | undefined>()
      const value = await act(createTransaction(table.rows, changes))
      for (const [key, row] of changes) {
        if (row === undefined) table.rows.delete(key)
        else table.rows.set(key, row)
      }
      table.ordered = undefined
      if (table.rows.size === 0) this.#tenants.delete(tenant)
      else this.#tenants.set(tenant, table)
      return value
    })
    const settled = result.catch(() => undefined)
    this.#writes.set(tenant, settled)
    try {
      return await result
    } finally {
      if (this.#writes.get(tenant) === settled) this.#writes.delete(tenant)
    }
  }

  async listExpiredTenants(time: string): Promise<readonly string[]> {
    if (this.#closed) throw createStorageClosedError()
    const hasExpired = ({ rows }: TenantRows): boolean =>
      [...rows.values()].some((row) => isExpired(row, time))
    return [...this.#tenants].flatMap(([tenant, table]) => (hasExpired(table) ? [tenant] : []))
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#tenants.clear()
  }
}

/** Creates a transaction whose changes take effect when it has succeeded; a change to `undefined` deletes a row. */
function createTransaction(
  rows: ReadonlyMap<string, NewMemoryRow>,
  changes: Map<string, NewMemoryRow | undefined>,
): MemoryRowTransaction {
  const find = (key: string): NewMemoryRow | undefined =>
    changes.has(key) ? changes.get(key) : rows.get(key)
  const listKeys = (): readonly string[] =>
    [...new Set([...rows.keys(), ...changes.keys()])].filter((key) => find(key) !== undefined)
  const deleteKeys = (keys: readonly string[]): readonly string[] => {
    for (const key of keys) changes.set(key, undefined)
    return keys
  }
  return {
    get: async (keys) => [...new Set(keys)].flatMap((key) => find(key) ?? []),
    put: async (changed) => {
      for (const row of changed) changes.set(row.key, row)
    },
    delete: async (keys) => void deleteKeys(keys),
    count: async () => (changes.size === 0 ? rows.size : listKeys().length),
    deleteSome: async (limit) => {
      const keys: string[] = []
      for (const key of rows.keys()) {
        if (keys.length === limit) break
        if (find(key) !== undefined) keys.push(key)
      }
      return deleteKeys(keys)
    },
    deleteExpired: async (time, limit) => {
      const keys = listKeys().filter((key) => isExpired(find(key) ?? { expiresAt: null }, time))
      return deleteKeys(keys.slice(0, limit)).length
    },
  }
}
