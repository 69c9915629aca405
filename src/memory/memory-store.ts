import type { Json } from '../wire/json.ts'

/** Data of the application about a memory, by which searches are filtered. */
export type MemoryMetadata = { readonly [name: string]: string | number | boolean }

/** A vector and the model that computed it. Vectors of different models are never compared. */
export interface MemoryVector {
  /** Name of the model, such as `openai/text-embedding-3-small`. */
  readonly model: string
  readonly values: readonly number[]
}

/** A stored memory. Its text is untrusted: a user, a model or a tool wrote it. */
export interface Memory {
  /** Unique within the tenant. */
  readonly key: string
  readonly text: string
  readonly value?: Json
  readonly metadata: MemoryMetadata
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601 time of the last change. */
  readonly updatedAt: string
  /** ISO 8601. The memory is invisible from this time on. */
  readonly expiresAt?: string
  /** The model and the number of dimensions of its vector, if it has one. */
  readonly embedding?: { readonly model: string; readonly dimensions: number }
}

/** A memory to store. */
export interface NewMemory {
  /** Replaces the memory with this key. Default: a digest of the content, so the same content is stored once. */
  readonly key?: string
  /** The text that searches find. */
  readonly text: string
  /** Structured data that belongs to the text. */
  readonly value?: Json
  readonly metadata?: MemoryMetadata
  /** Default: computed by the embedding model of the store, if it has one. */
  readonly vector?: MemoryVector
  /** ISO 8601, or a `Date`. Default: never. */
  readonly expiresAt?: string | Date
}

/** Limits a call to the memories of one tenant. Memories of other tenants are invisible. */
export interface TenantOptions {
  readonly tenant: string
}

/** Identifies one memory. */
export interface MemoryKey extends TenantOptions {
  readonly key: string
}

/** Cancels the requests to the embedding model and the search. */
export interface SignalOptions {
  readonly signal?: AbortSignal
}

/** The result of storing a memory. */
export interface PutResult {
  readonly memory: Memory
  /** `unchanged` if the same content was stored before: the call can be repeated. */
  readonly status: 'created' | 'updated' | 'unchanged'
}

/** Metadata that a memory must have: each name with this value, or with one of these values. */
export type MemoryFilter = {
  readonly [name: string]: string | number | boolean | readonly (string | number | boolean)[]
}

export interface MemoryQuery extends TenantOptions {
  readonly filter?: MemoryFilter
  /** Maximum number of memories. Default: 100; at most 1,000. */
  readonly limit?: number
  /** The `cursor` of the previous page. */
  readonly cursor?: string
}

/** Memories in the order of their creation. */
export interface MemoryPage {
  readonly memories: readonly Memory[]
  /** Present if there are more. */
  readonly cursor?: string
}

/** Searches by `text` or by `vector`. */
export interface MemorySearch extends TenantOptions, SignalOptions {
  /** Compared by its vector if the store has an embedding model, otherwise by its words. At most 10,000 characters. */
  readonly text?: string
  readonly vector?: MemoryVector
  readonly filter?: MemoryFilter
  /** Maximum number of hits. Default: 10; at most 1,000. */
  readonly limit?: number
  /** Omits hits with a lower score. Default: 0, which omits hits that have nothing in common with the query. */
  readonly minScore?: number
}

/** A memory that matches a search. */
export interface MemoryHit {
  readonly memory: Memory
  /** Cosine similarity (-1 to 1), or the share of the words that match, rare ones counting more (0 to 1). */
  readonly score: number
}

/** The result of a search, the best hit first. */
export interface MemorySearchResult {
  readonly hits: readonly MemoryHit[]
  readonly method: 'vector' | 'keywords'
  /**
   * Number of memories of the tenant that were not compared, because they have no vector, or one of another model or
   * number of dimensions. {@link MemoryStore.embedMissing} computes new vectors.
   */
  readonly notCompared: number
}

/** A record of what was deleted. */
export interface ForgetReceipt {
  readonly tenant: string
  /** ISO 8601. */
  readonly deletedAt: string
  readonly memoryCount: number
  /** In alphabetical order. */
  readonly keys: readonly string[]
}

/** Limits of a memory store. Exceeding one is an error, and nothing is stored. */
export interface MemoryLimits {
  /** Number of memories per tenant. Default: 10,000. A search without an index reads all of them. */
  readonly maxMemories?: number
  /** Characters of a text. Default: 10,000. */
  readonly maxTextLength?: number
  /** Characters of `value` as JSON. Default: 100,000. */
  readonly maxValueLength?: number
  /** Characters of `metadata` as JSON. Default: 10,000. */
  readonly maxMetadataLength?: number
  /** Numbers of a vector. Default: 4,096. */
  readonly maxDimensions?: number
}

/**
 * Stores what should be remembered across sessions: texts with data, found by meaning or by words. Every call is limited
 * to one tenant.
 *
 * @example
 * const memory = inProcessMemory()
 * await memory.put({ tenant: 'ada', text: 'Prefers metric units' })
 * const { hits } = await memory.search({ tenant: 'ada', text: 'Which units?' })
 */
export interface MemoryStore {
  /** Stores a memory, or replaces the one with the same key. A call with the same content changes nothing. */
  put(memory: NewMemory & TenantOptions & SignalOptions): Promise<PutResult>
  /** Stores several memories: all or none. Their vectors are computed in batches, several at the same time. */
  putAll(
    memories: TenantOptions & SignalOptions & { readonly memories: readonly NewMemory[] },
  ): Promise<readonly PutResult[]>
  /** Returns a memory, or `undefined` if the key is unknown or the memory is expired. */
  get(key: MemoryKey): Promise<Memory | undefined>
  /** Returns a page of memories, the oldest first. */
  list(query: MemoryQuery): Promise<MemoryPage>
  /** Deletes a memory and returns true if it existed. */
  delete(key: MemoryKey): Promise<boolean>
  /** Returns the memories that match best. */
  search(search: MemorySearch): Promise<MemorySearchResult>
  /** Computes the vectors of memories that have none of the store's embedding model, and returns how many. */
  embedMissing(options: TenantOptions & SignalOptions): Promise<number>
  /** Deletes all memories of a tenant and returns a receipt. If it fails, call it again: some may be deleted. */
  forget(tenant: string): Promise<ForgetReceipt>
  /** Deletes the expired memories of all tenants and returns how many. */
  prune(): Promise<number>
  close(): Promise<void>
}
