import { throwIfAborted, yieldToEventLoop } from '../wire/cancellation.ts'
import { KeywordScores } from './keyword-scores.ts'
import {
  isExpired,
  type MemoryPosition,
  type MemoryRow,
  type MemoryRows,
  readMemoryBody,
  type StoredVector,
  toMemory,
} from './memory-rows.ts'
import type { MemoryHit, MemoryMetadata } from './memory-store.ts'
import { createSimilarity } from './vectors.ts'

/** Number of rows that are read at once. Other work of the process has its turn in between. */
const SLICE_SIZE = 256

/** How long the words of texts, which may be long, are compared before other work of the process has its turn. */
const MAX_SLICE_MS = 10

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
  /** The score below which no further candidate is among the best. */
  minScore = -Infinity
  #candidates: readonly Candidate[] = []
  #added: Candidate[] = []
  readonly #limit: number
  readonly #maxError: number

  constructor(limit: number, maxError: number) {
    this.#limit = limit
    this.#maxError = maxError
  }

  add(candidate: Candidate): void {
    this.#added.push(candidate)
    // If nearly all scores are equal, nothing is removed; sorting then becomes rarer as the list grows.
    if (this.#added.length > this.#candidates.length + this.#limit) this.#removeWorst()
  }

  #removeWorst(): void {
    const sorted = [...this.#candidates, ...this.#added].toSorted(compareCandidates)
    const last = sorted[this.#limit - 1]
    this.#added = []
    this.#candidates = sorted
    if (last === undefined) return
    this.minScore = last.score - 2 * this.#maxError
    this.#candidates =
      this.#maxError === 0
        ? sorted.slice(0, this.#limit)
        : sorted.filter(({ score }) => score >= this.minScore)
  }

  /** Returns the best candidates, the best first. */
  list(): readonly Candidate[] {
    this.#removeWorst()
    return this.#candidates
  }
}

/** How a list is read: from where, and in which slices. */
interface SliceOptions {
  readonly signal?: AbortSignal | undefined
  readonly after?: MemoryPosition | undefined
  readonly size?: number
}

/** Yields the memories of a tenant slice by slice. */
export async function* iterateMemorySlices(
  rows: MemoryRows,
  tenant: string,
  { signal, after: start, size = SLICE_SIZE }: SliceOptions,
): AsyncGenerator<readonly MemoryRow[]> {
  let after = start
  for (;;) {
    throwIfAborted(signal)
    const slice = await rows.list(tenant, after, size)
    yield slice
    if (slice.length < size) return
    after = slice.at(-1)
    await yieldToEventLoop()
  }
}

/** Returns the first memories after a position that conform to a filter. */
export async function listMemories(
  rows: MemoryRows,
  { tenant, matches, limit, now }: Pick<CheckedSearch, 'tenant' | 'matches' | 'limit' | 'now'>,
  after: MemoryPosition | undefined,
): Promise<readonly MemoryRow[]> {
  const found: MemoryRow[] = []
  for await (const slice of iterateMemorySlices(rows, tenant, { after, size: Math.min(limit, SLICE_SIZE) })) {
    for (const row of slice) {
      if (isExpired(row, now) || matches?.(readMemoryBody(row.body).metadata) === false) continue
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
  for await (const slice of iterateMemorySlices(rows, search.tenant, search)) {
    let start = performance.now()
    for (const row of slice) {
      if (performance.now() - start > MAX_SLICE_MS) {
        await yieldToEventLoop()
        start = performance.now()
      }
      if (isExpired(row, search.now)) continue
      const { text, metadata } = readMemoryBody(row.body)
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
      if (isExpired(row, now) || matches?.(readMemoryBody(row.body ?? '').metadata) === false) continue
      best.add({ key: row.key, updatedAt: row.updatedAt, score: row.score })
    }
    after = compared.end
    await yieldToEventLoop()
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
    await yieldToEventLoop()
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
