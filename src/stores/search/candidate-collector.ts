import type {
  SearchCandidate,
  SearchCandidatePage,
  SearchPosition,
  SearchRowQuery,
} from '../rows/row-queries.ts'

/** Orders positions of time and key, the newest first. */
function comparePositions(a: SearchPosition, b: SearchPosition): number {
  return b.time - a.time || (a.key < b.key ? 1 : -Number(a.key > b.key))
}

/** Collects the first candidates of a page, in whatever order they are added. */
export class CandidateCollector {
  readonly #query: SearchRowQuery
  #candidates: SearchCandidate[] = []
  /** Position after which no candidate is on the page. */
  #last: SearchPosition | undefined

  constructor(query: SearchRowQuery) {
    this.#query = query
  }

  /** Tests whether a candidate can be on the page: it is cheaper than other tests. */
  accepts({ timeMs, position }: SearchCandidate): boolean {
    const { after, fromMs = 0, toMs = Infinity } = this.#query
    if (timeMs < fromMs || timeMs >= toMs) return false
    if (after !== undefined && comparePositions(after, position) >= 0) return false
    return this.#last === undefined || comparePositions(position, this.#last) < 0
  }

  /** True if the page is complete, provided that candidates are added in their order. */
  get isFull(): boolean {
    return this.#candidates.length > this.#query.limit
  }

  /** Adds a candidate that was accepted. */
  add(candidate: SearchCandidate): void {
    this.#candidates.push(candidate)
    // Sorted only now and then, so that the cost is not quadratic.
    if (this.#candidates.length > 2 * this.#query.limit + 100) this.#keepFirst()
  }

  /** Removes candidates that are not on the page. One more than the page shows that others follow. */
  #keepFirst(): void {
    this.#candidates.sort((a, b) => comparePositions(a.position, b.position))
    this.#candidates = this.#candidates.slice(0, this.#query.limit + 1)
    if (this.#candidates.length > this.#query.limit) this.#last = this.#candidates.at(-1)?.position
  }

  toPage(): SearchCandidatePage {
    this.#keepFirst()
    const candidates = this.#candidates.slice(0, this.#query.limit)
    const end = this.#candidates.length > candidates.length ? candidates.at(-1)?.position : undefined
    return { candidates, ...(end !== undefined && { end }) }
  }
}
