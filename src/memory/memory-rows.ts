import { createDamagedDataError } from '../stores/storage-errors.ts'
import { freezeOwned } from '../wire/frozen-json.ts'
import { isObject, type Json, tryParseJson } from '../wire/json.ts'
import type { Memory, MemoryMetadata } from './memory-store.ts'

/** The model and the number of dimensions of vectors. Only vectors that agree in both are compared. */
export interface VectorKind {
  readonly model: string
  readonly dimensions: number
}

/** A vector as it is stored: of length 1, as 32-bit numbers. */
export interface StoredVector extends VectorKind {
  readonly bytes: Uint8Array
}

/** A stored memory. `body` contains text, value and metadata as JSON, which every database can store. */
export interface MemoryRow {
  readonly key: string
  readonly body: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly expiresAt: string | null
  readonly vectorModel: string | null
  readonly dimensions: number | null
}

/** A row to write. */
export interface NewMemoryRow extends MemoryRow {
  readonly vector: Uint8Array | null
}

/** A position in the list of a tenant's memories, which is ordered by time of creation, then by key. */
export type MemoryPosition = Pick<MemoryRow, 'createdAt' | 'key'>

/** A memory with a vector that can be compared, and its similarity to the query. */
export interface ScoredRow extends Pick<MemoryRow, 'key' | 'updatedAt' | 'expiresAt'> {
  /** Undefined unless requested. */
  readonly body?: string
  readonly score: number
}

/** Compares a vector with those of the next rows of the same kind. */
export interface VectorQuery {
  readonly vector: StoredVector
  /** Compares only rows after this position. */
  readonly after: MemoryPosition | undefined
  /** Omits rows with a lower score. */
  readonly minScore: number
  /** True to return the bodies, which filters read. */
  readonly withBody: boolean
}

/** The result of a {@link VectorQuery}: as many rows are compared as take a few milliseconds. */
export interface ComparedRows {
  readonly rows: readonly ScoredRow[]
  /** Position of the last row that was compared; undefined if there are no further rows. */
  readonly end: MemoryPosition | undefined
}

/** A write transaction on the memories of one tenant. No other writer of the tenant runs at the same time. */
export interface MemoryRowTransaction {
  get(keys: readonly string[]): Promise<readonly NewMemoryRow[]>
  /** Inserts rows, or replaces those with the same keys. */
  put(rows: readonly NewMemoryRow[]): Promise<void>
  delete(keys: readonly string[]): Promise<void>
  /** Returns the number of rows of the tenant. */
  count(): Promise<number>
  /** Deletes some rows, and with the last one everything else about the tenant; returns the keys. */
  deleteSome(limit: number): Promise<readonly string[]>
  /** Deletes rows that expire at this time or earlier; returns how many. */
  deleteExpired(time: string, limit: number): Promise<number>
}

/** A backend of {@link createMemoryStore}. Reads need no transaction: each one returns committed rows. */
export interface MemoryRows {
  /** Returns the maximum error of a score that {@link compare} returns; 0 if the scores are exact. */
  maxScoreError(dimensions: number): number
  get(tenant: string, keys: readonly string[]): Promise<readonly MemoryRow[]>
  /** Returns rows after a position. */
  list(tenant: string, after: MemoryPosition | undefined, limit: number): Promise<readonly MemoryRow[]>
  /** Returns the scores of the next rows with a vector of the same kind. */
  compare(tenant: string, query: VectorQuery): Promise<ComparedRows>
  /** Returns the vectors of a model and number of dimensions by key. */
  vectors(tenant: string, kind: VectorKind, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  /** Returns the number of rows, or of those with such a vector. */
  count(tenant: string, kind?: VectorKind): Promise<number>
  /** Runs a transaction. It is durable once this resolves, and has no effect if `act` rejects. */
  write<T>(tenant: string, act: (rows: MemoryRowTransaction) => Promise<T>): Promise<T>
  /** Returns some tenants with rows that expire at this time or earlier; none if there are no such rows. */
  listExpiredTenants(time: string): Promise<readonly string[]>
  close(): Promise<void>
}

/** The content of a memory, as `body` contains it. */
export interface MemoryContent {
  readonly text: string
  readonly value?: Json
  readonly metadata: MemoryMetadata
}

/** Reads the body of a row. */
export function readMemoryBody(body: string): MemoryContent {
  const content = tryParseJson(body)
  if (isObject(content) && typeof content['text'] === 'string' && isObject(content['metadata']))
    return content as unknown as MemoryContent
  throw createDamagedDataError('A stored memory is damaged: its content is no valid JSON')
}

/** Converts a row to a memory. */
export function toMemory(row: MemoryRow): Memory {
  const { key, createdAt, updatedAt, expiresAt, vectorModel, dimensions } = row
  const { text, value, metadata } = readMemoryBody(row.body)
  return freezeOwned({
    key,
    text,
    ...(value !== undefined && { value }),
    metadata,
    createdAt,
    updatedAt,
    ...(expiresAt !== null && { expiresAt }),
    ...(vectorModel !== null && dimensions !== null && { embedding: { model: vectorModel, dimensions } }),
  })
}

/** Tests whether a memory is expired at a time. */
export function isExpired({ expiresAt }: Pick<MemoryRow, 'expiresAt'>, time: string): boolean {
  return expiresAt !== null && expiresAt <= time
}
