import { setImmediate } from 'node:timers/promises'
import { throwIfAborted } from '../wire/cancellation.ts'
import { KeywordScores } from './keyword-scores.ts'
import {
  isExpired,
  type MemoryPosition,
  type MemoryRow,
  type MemoryRows,
  readBody,
  type StoredVector,
  toMemory,
} from './memory-rows.ts'
import type { MemoryHit, MemoryMetadata } from './memory-store.ts'
import { createSimilarity } from './vectors.ts'

/** Number of rows that are read at once. Other work of the process has its turn in between. */
const SLICE_SIZE = 256

/** A search whose options were checked. */
export interface CheckedSearch {
  readonly tenant: string
  readonly matches: ((metadata: MemoryMetadata) => boolean) | undefined
  readonly limit: number
  readonly minScore: number
  /** ISO 8601. */
  readonly now: string
  readonly signal: AbortSignal | undefined
}

/** A row that may be a hit. */
interface Candidate {
  readonly key: string
  readonly updatedAt: string
  readonly score: number
}

/** Orders candidates: the best first; of equal ones, the newest. The key makes the order the same in every backend. */
function compareCandidates(a: Candidate, b: Candidate): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? 1 : -1
  return a.key < b.key ? -1 : 1
}

/** Collects the best candidates. With an error of the scores, all that may be among the best. */
class BestCandidates {
  #candidates: Candidate[] = []
  #capacity: number
  readonly #limit: number
  readonly #maxError: number

  constructor(limit: number, maxError: number) {
    this.#limit = limit
    this.#maxError = maxError
    this.#capacity = limit * 4
  }

  add(candidate: Candidate): void {
    this.#candidates.push(candidate)
    if (this.#candidates.length <= this.#capacity) return
    this.#candidates = [...this.list()]
    // If nearly all scores are equal, nothing is removed; the capacity grows, so that sorting stays rare.
    this.#capacity = Math.max(this.#capacity, this.#candidates.length * 2)
  }

  /** The score below which no further candidate can be among the best. */
  get minScore(): number {
    if (this.#candidates.length < this.#limit) return -Infinity
    this.#candidates = [...this.list()]
    return (this.#candidates[this.#limit - 1]?.score ?? -Infinity) - 2 * this.#maxError
  }

  list(): readonly Candidate[] {
    const sorted = this.#candidates.toSorted(compareCandidates)
    const worst = sorted[this.#limit - 1]
    if (worst === undefined) return sorted
    if (this.#maxError === 0) return sorted.slice(0, this.#limit)
    return sorted.filter(({ score }) => score >= worst.score - 2 * this.#maxError)
  }
}

/** How a list is read: from where, and in which slices. */
interface SliceOptions {
  readonly signal?: AbortSignal | undefined
  readonly after?: MemoryPosition | undefined
  readonly size?: number
}

/** Yields rows slice by slice. */
async function* readSlices<T extends MemoryPosition>(
  { signal, after: start, size = SLICE_SIZE }: SliceOptions,
  read: (after: MemoryPosition | undefined, limit: number) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  let after = start
  for (;;) {
    throwIfAborted(signal)
    const slice = await read(after, size)
    yield slice
    if (slice.length < size) return
    after = slice.at(-1)
    await setImmediate()
  }
}

/** Returns the memories of a tenant slice by slice. */
export function listSlices(
  rows: MemoryRows,
  tenant: string,
  options: SliceOptions,
): AsyncGenerator<readonly MemoryRow[]> {
  return readSlices(options, (after, limit) => rows.list(tenant, after, limit))
}

/** Returns the first memories after a position that conform to a filter. */
export async function listMemories(
  rows: MemoryRows,
  { tenant, matches, limit, now }: Pick<CheckedSearch, 'tenant' | 'matches' | 'limit' | 'now'>,
  after: MemoryPosition | undefined,
): Promise<readonly MemoryRow[]> {
  const found: MemoryRow[] = []
  for await (const slice of listSlices(rows, tenant, { after, size: Math.min(limit, SLICE_SIZE) })) {
    for (const row of slice) {
      if (isExpired(row, now) || matches?.(readBody(row.body).metadata) === false) continue
      found.push(row)
      if (found.length === limit) return found
    }
  }
  return found
}

/** Compares the words of a query with all memories of a tenant. */
export async function searchByKeywords(
  rows: MemoryRows,
  search: CheckedSearch,
  query: string,
): Promise<readonly MemoryHit[]> {
  const scores = new KeywordScores<Omit<Candidate, 'score'>>(query)
  for await (const slice of listSlices(rows, search.tenant, search)) {
    for (const row of slice) {
      if (isExpired(row, search.now)) continue
      const { text, metadata } = readBody(row.body)
      if (search.matches?.(metadata) !== false) scores.add({ key: row.key, updatedAt: row.updatedAt }, text)
    }
  }
  const best = new BestCandidates(search.limit, 0)
  for (const { item, score } of scores.scores()) if (score >= search.minScore) best.add({ ...item, score })
  return loadHits(rows, search, best.list())
}

/** Compares a vector with all vectors of the same model and number of dimensions. */
export async function searchByVector(
  rows: MemoryRows,
  search: CheckedSearch,
  vector: StoredVector,
): Promise<readonly MemoryHit[]> {
  const { tenant, matches, now, signal } = search
  const maxError = rows.maxScoreError(vector.dimensions)
  const best = new BestCandidates(search.limit, maxError)
  const withBody = matches !== undefined
  let after: MemoryPosition | undefined
  do {
    throwIfAborted(signal)
    const minScore = Math.max(search.minScore - maxError, best.minScore)
    const compared = await rows.compare(tenant, { vector, after, minScore, withBody })
    for (const row of compared.rows) {
      if (isExpired(row, now) || matches?.(readBody(row.body ?? '').metadata) === false) continue
      best.add({ key: row.key, updatedAt: row.updatedAt, score: row.score })
    }
    after = compared.end
    await setImmediate()
  } while (after !== undefined)
  const candidates = maxError === 0 ? best.list() : await computeScores(rows, search, vector, best.list())
  return loadHits(rows, search, candidates)
}

/** Computes the exact scores of the best candidates, so that every backend returns the same hits. */
async function computeScores(
  rows: MemoryRows,
  { tenant, limit, minScore, signal }: CheckedSearch,
  vector: StoredVector,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const similarity = createSimilarity(vector.bytes)
  const best = new BestCandidates(limit, 0)
  for (let start = 0; start < candidates.length; start += SLICE_SIZE) {
    throwIfAborted(signal)
    const slice = candidates.slice(start, start + SLICE_SIZE)
    const keys = slice.map(({ key }) => key)
    const vectors = await rows.vectors(tenant, vector, keys)
    for (const candidate of slice) {
      const bytes = vectors.get(candidate.key)
      // The memory may have been changed or deleted meanwhile.
      if (bytes === undefined) continue
      const score = similarity(bytes)
      if (score >= minScore) best.add({ ...candidate, score })
    }
    await setImmediate()
  }
  return best.list()
}

/** Reads the memories of the candidates. One that was deleted meanwhile is no hit. */
async function loadHits(
  rows: MemoryRows,
  { tenant, now }: CheckedSearch,
  candidates: readonly Candidate[],
): Promise<readonly MemoryHit[]> {
  const keys = candidates.map(({ key }) => key)
  const found = await rows.get(tenant, keys)
  const byKey = new Map(found.filter((row) => !isExpired(row, now)).map((row) => [row.key, row]))
  return candidates.flatMap(({ key, score }) => {
    const row = byKey.get(key)
    return row === undefined ? [] : [{ memory: toMemory(row), score }]
  })
}
