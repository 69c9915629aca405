import { createTimestamp, type IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import { InterlinguaError } from '../errors.ts'
import { checkIdentifier, throwInvalidType } from '../stores/check-arguments.ts'
import { createDamagedDataError } from '../stores/storage-errors.ts'
import { throwIfAborted } from '../wire/cancellation.ts'
import { checkOptions, type OptionNames } from '../wire/check-options.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import {
  checkMemoryKey,
  checkPutAllCall,
  checkQuery,
  checkSearch,
  splitPutCall,
} from './check-memory-calls.ts'
import { checkNewMemory, resolveLimits, writeCursor } from './check-memory.ts'
import { isExpired, type MemoryRows, toMemory } from './memory-rows.ts'
import type { MemoryLimits, MemoryStore } from './memory-store.ts'
import { embedMissing, putMemories, type WriteContext } from './put-memories.ts'
import { listMemories, searchByKeywords, searchByVector } from './search-memories.ts'
import { embedTexts, type MemoryEmbeddingOptions } from './vectors.ts'

/** Options of every memory store. */
export interface MemoryStoreOptions extends Pick<IdentityOptions, 'now'> {
  /** Computes the vectors of texts. Default: none; then searches compare words. */
  readonly embedding?: MemoryEmbeddingOptions
  readonly limits?: MemoryLimits
}

/** Number of memories that one transaction of `forget` or `prune` deletes: a large one would block SQLite for long. */
const DELETED_AT_ONCE = 256

/**
 * Creates a memory store on a backend of your own. Contains the checks, limits and searches, which all backends share.
 *
 * @example
 * const memory = createMemoryStore(myRows, { embedding: { model: openai.embedding('text-embedding-3-small') } })
 */
export function createMemoryStore(rows: MemoryRows, options: MemoryStoreOptions = {}): MemoryStore {
  const context = withTypedErrors(() => resolveOptions(rows, options), [rows, options])
  const { limits, embedding } = context
  const readClock = (): string => createTimestamp(context.identity)

  const store: MemoryStore = {
    async put(call) {
      const [result] = await store.putAll(withTypedErrors(() => splitPutCall(call)))
      if (result === undefined) throw new InterlinguaError('internal', 'The memory was not stored')
      return result
    },

    async putAll(call) {
      const now = readClock()
      const { tenant, signal, checked } = withTypedErrors(() => {
        const { memories, ...rest } = checkPutAllCall(call, limits)
        return { ...rest, checked: memories.map((memory) => checkNewMemory(memory, limits, now)) }
      })
      throwIfAborted(signal)
      return checked.length === 0 ? [] : putMemories(context, tenant, checked, now, signal)
    },

    async get(call) {
      const { tenant, key } = withTypedErrors(() => checkMemoryKey(call))
      const [row] = await rows.get(tenant, [key])
      return row === undefined || isExpired(row, readClock()) ? undefined : toMemory(row)
    },

    async list(query) {
      const { after, ...checked } = withTypedErrors(() => checkQuery(query, readClock()))
      const { limit } = checked
      // One more tells whether there is another page.
      const found = await listMemories(rows, { ...checked, limit: limit + 1 }, after)
      const last = found.length > limit ? found[limit - 1] : undefined
      return {
        memories: found.slice(0, limit).map(toMemory),
        ...(last && { cursor: writeCursor(last) }),
      }
    },

    async delete(call) {
      const { tenant, key } = withTypedErrors(() => checkMemoryKey(call))
      return rows.write(tenant, async (transaction) => {
        const [row] = await transaction.get([key])
        if (row === undefined) return false
        await transaction.delete([key])
        return !isExpired(row, readClock())
      })
    },

    async search(call) {
      const { query, ...search } = withTypedErrors(() => checkSearch(call, limits, readClock()))
      const { tenant, signal } = search
      throwIfAborted(signal)
      if (typeof query === 'string' && embedding === undefined)
        return { hits: await searchByKeywords(rows, search, query), method: 'keywords', notCompared: 0 }
      const [vector] =
        typeof query === 'string' && embedding !== undefined
          ? await embedTexts(embedding, [query], 'query', limits.maxDimensions, signal)
          : [query]
      if (vector === undefined || typeof vector === 'string')
        throw new InterlinguaError('internal', 'The query has no vector')
      const hits = await searchByVector(rows, search, vector)
      const notCompared = (await rows.count(tenant)) - (await rows.count(tenant, vector))
      return { hits, method: 'vector', notCompared: Math.max(notCompared, 0) }
    },

    async embedMissing(call) {
      const { tenant, signal } = withTypedErrors(() => {
        checkOptions('embedMissing()', call, { tenant: true, signal: true })
        return { tenant: checkIdentifier(call.tenant, 'tenant'), signal: call.signal }
      })
      return embedMissing(context, tenant, signal)
    },

    async forget(tenant) {
      checkIdentifier(tenant, 'tenant')
      const keys: string[] = []
      for (;;) {
        const deleted = await rows.write(tenant, (transaction) => transaction.deleteSome(DELETED_AT_ONCE))
        for (const key of deleted) keys.push(key)
        if (deleted.length < DELETED_AT_ONCE) break
      }
      return { tenant, deletedAt: readClock(), memoryCount: keys.length, keys: keys.toSorted() }
    },

    async prune() {
      const now = readClock()
      let count = 0
      let fruitlessRounds = 0
      for (;;) {
        const tenants = await rows.listExpiredTenants(now)
        if (tenants.length === 0) return count
        const before = count
        for (const tenant of tenants)
          count += await rows.write(tenant, (transaction) => transaction.deleteExpired(now, DELETED_AT_ONCE))
        // Another process may have deleted them first, but then they are not listed again.
        fruitlessRounds = count > before ? 0 : fruitlessRounds + 1
        if (fruitlessRounds > 1)
          throw createDamagedDataError('Expired memories are listed, but their tenants do not have them')
      }
    },

    close: () => rows.close(),
  }
  return Object.freeze(store)
}

/** The names of the options of every memory store. */
export const MEMORY_STORE_OPTION_NAMES: OptionNames<MemoryStoreOptions> = {
  embedding: { model: true, dimensions: true, batchSize: true, concurrency: true },
  limits: true,
  now: Function,
}

function resolveOptions(rows: MemoryRows, options: MemoryStoreOptions): WriteContext {
  checkOptions('the memory store', options, MEMORY_STORE_OPTION_NAMES)
  const { embedding, limits, now } = options
  if (embedding !== undefined && typeof embedding.model?.embed !== 'function')
    throwInvalidType('embedding', embedding.model, '`model`: a model with the function `embed`')
  return { rows, embedding, limits: resolveLimits(limits), identity: now === undefined ? {} : { now } }
}
