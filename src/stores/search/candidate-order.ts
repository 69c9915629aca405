import type {
  SearchCandidate,
  SearchCandidatePage,
  SearchPosition,
  SearchRowQuery,
  TokenConditions,
} from '../rows/row-store.ts'

/** Orders positions of time and key, the newest first. */
function comparePositions(a: SearchPosition, b: SearchPosition): number {
  return b.time - a.time || (a.key < b.key ? 1 : -Number(a.key > b.key))
}

/** Tests whether a document has the tokens of a query. */
export function hasTokens(tokens: readonly string[], conditions: TokenConditions): boolean {
  const known = new Set(tokens)
  const { required, prefixes, excluded, anyOf } = conditions
  return (
    required.every((token) => known.has(token)) &&
    (anyOf.length === 0 || anyOf.some((token) => known.has(token))) &&
    !excluded.some((token) => known.has(token)) &&
    prefixes.every((prefix) => tokens.some((token) => token.startsWith(prefix)))
  )
}

/** Collects the first candidates of a page, in whatever order they are added. */
export class CandidateCollector {
  readonly #query: SearchRowQuery
  #candidates: SearchCandidate[] = []

  constructor(query: SearchRowQuery) {
    this.#query = query
  }

  add(candidate: SearchCandidate): void {
    const { after, fromMs = 0, toMs = Infinity, limit } = this.#query
    const { timeMs, position } = candidate
    if (timeMs < fromMs || timeMs >= toMs) return
    if (after !== undefined && comparePositions(after, position) >= 0) return
    this.#candidates.push(candidate)
    // One more than the page shows that others follow. Sorted only now and then, so that the cost is not quadratic.
    if (this.#candidates.length > 2 * limit + 100) this.#keepFirst()
  }

  #keepFirst(): void {
    this.#candidates.sort((a, b) => comparePositions(a.position, b.position))
    this.#candidates = this.#candidates.slice(0, this.#query.limit + 1)
  }

  toPage(): SearchCandidatePage {
    this.#keepFirst()
    const candidates = this.#candidates.slice(0, this.#query.limit)
    const end = this.#candidates.length > candidates.length ? candidates.at(-1)?.position : undefined
    return { candidates, ...(end !== undefined && { end }) }
  }
}
