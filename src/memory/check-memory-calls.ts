import { checkIdentifier, checkLimit, checkList, throwInvalidType } from '../stores/check-arguments.ts'
import { checkSignal } from '../wire/cancellation.ts'
import { checkOptions } from '../wire/check-options.ts'
import { isObject } from '../wire/json.ts'
import {
  checkFilter,
  checkMemoryText,
  checkResultLimit,
  checkVector,
  createTooManyMemoriesError,
  readCursor,
} from './check-memory.ts'
import type { MemoryPosition, StoredVector } from './memory-rows.ts'
import type {
  MemoryKey,
  MemoryLimits,
  MemoryQuery,
  MemorySearch,
  MemoryStore,
  NewMemory,
  SignalOptions,
  TenantOptions,
} from './memory-store.ts'
import type { CheckedSearch } from './search-memories.ts'

const DEFAULT_PAGE_SIZE = 100
const DEFAULT_HIT_COUNT = 10

/** Characters of the text of a search, whatever the limit of stored texts is. */
const MAX_QUERY_LENGTH = 10_000

/** Separates a memory from the options of the call. */
export function splitPutCall(
  call: Parameters<MemoryStore['put']>[0],
): TenantOptions & SignalOptions & { readonly memories: readonly NewMemory[] } {
  if (!isObject(call)) return throwInvalidType('memory', call, 'an object')
  const { tenant, signal, ...memory } = call
  checkSignal(signal)
  return { tenant, memories: [memory], ...(signal && { signal }) }
}

/** Checks the options of a call that stores several memories, without the memories themselves. */
export function checkPutAllCall(
  call: Parameters<MemoryStore['putAll']>[0],
  { maxMemories }: Required<MemoryLimits>,
): typeof call {
  checkOptions('putAll()', call, { tenant: true, memories: true, signal: true })
  checkIdentifier(call.tenant, 'tenant')
  checkSignal(call.signal)
  if (checkList(call.memories, 'memories').length > maxMemories) throw createTooManyMemoriesError(maxMemories)
  return call
}

export function checkMemoryKey(call: MemoryKey): MemoryKey {
  if (!isObject(call)) return throwInvalidType('key', call, 'an object with `tenant` and `key`')
  return { tenant: checkIdentifier(call.tenant, 'tenant'), key: checkIdentifier(call.key, 'key') }
}

/** Checks a query for a page of memories. */
export function checkQuery(
  query: MemoryQuery,
  now: string,
): Omit<CheckedSearch, 'minScore' | 'signal'> & { readonly after: MemoryPosition | undefined } {
  checkOptions('the list of memories', query, { tenant: true, filter: true, limit: true, cursor: true })
  return {
    tenant: checkIdentifier(query.tenant, 'tenant'),
    limit: checkResultLimit(query.limit ?? DEFAULT_PAGE_SIZE),
    matches: checkFilter(query.filter),
    after: readCursor(query.cursor),
    now,
  }
}

/** Checks a search. The query is a text or a vector. */
export function checkSearch(
  search: MemorySearch,
  { maxDimensions }: Required<MemoryLimits>,
  now: string,
): CheckedSearch & { readonly query: string | StoredVector } {
  checkOptions('the search', search, {
    tenant: true,
    text: true,
    vector: true,
    filter: true,
    limit: true,
    minScore: true,
    signal: true,
  })
  const { text, vector, limit = DEFAULT_HIT_COUNT, minScore = 0, signal } = search
  checkSignal(signal)
  if ((text === undefined) === (vector === undefined))
    throwInvalidType('search', search, 'an object with either `text` or `vector`')
  return {
    tenant: checkIdentifier(search.tenant, 'tenant'),
    query:
      vector === undefined ? checkMemoryText(text, MAX_QUERY_LENGTH) : checkVector(vector, maxDimensions),
    matches: checkFilter(search.filter),
    limit: checkResultLimit(limit),
    minScore: checkLimit(minScore, 'minScore'),
    now,
    signal,
  }
}
