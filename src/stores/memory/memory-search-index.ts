import { mapInSlices } from '../map-in-slices.ts'
import type { MessageRow, SearchCandidatePage, SearchRowQuery, SessionRow } from '../rows/row-store.ts'
import { CandidateCollector, hasTokens } from '../search/candidate-order.ts'
import { type SearchDocument, toSearchDocument } from '../search/search-document.ts'

/** The tables that an index is built from. */
interface IndexedTables {
  readonly session: ReadonlyMap<string, SessionRow>
  readonly message: ReadonlyMap<string, MessageRow>
}

/** An index of messages by token. It is built by the first search: without searches, it costs nothing. */
export class MemorySearchIndex {
  readonly #tables: IndexedTables
  readonly #documents = new Map<string, SearchDocument>()
  readonly #keysByToken = new Map<string, Set<string>>()
  #isBuilt = false

  constructor(tables: IndexedTables) {
    this.#tables = tables
  }

  /** Brings the entry of a message up to date, after its row was written or removed. */
  update(key: string): void {
    if (!this.#isBuilt) return
    const before = this.#documents.get(key)
    for (const token of before?.tokens ?? []) this.#removeKey(token, key)
    this.#documents.delete(key)
    const row = this.#tables.message.get(key)
    if (row !== undefined) this.#add(row)
  }

  #add(row: MessageRow): void {
    const session = this.#tables.session.get(row.session)
    const document = session && toSearchDocument(row, session.tenant)
    if (document === undefined) return
    this.#documents.set(row.key, document)
    for (const token of document.tokens) {
      const keys = this.#keysByToken.get(token)
      if (keys === undefined) this.#keysByToken.set(token, new Set([row.key]))
      else keys.add(row.key)
    }
  }

  #removeKey(token: string, key: string): void {
    const keys = this.#keysByToken.get(token)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysByToken.delete(token)
  }

  async search(query: SearchRowQuery): Promise<SearchCandidatePage> {
    if (!this.#isBuilt) await mapInSlices([...this.#tables.message.values()], (row) => this.#add(row))
    this.#isBuilt = true
    const collector = new CandidateCollector(query)
    await mapInSlices([...this.#listSelected(query)], (key) => {
      const [row, document] = [this.#tables.message.get(key), this.#documents.get(key)]
      if (row === undefined || document === undefined || !hasTokens(document.tokens, query.tokens)) return
      const { timeMs } = document
      collector.add({ row, timeMs, position: { time: timeMs, key } })
    })
    return collector.toPage()
  }

  /** Returns the messages with the rarest required token, or with a prefix if that takes fewer steps. */
  #listSelected({ tokens: { required, prefixes } }: SearchRowQuery): ReadonlySet<string> {
    const sets = required.map((token) => this.#keysByToken.get(token) ?? new Set<string>())
    const [rarest] = sets.toSorted((a, b) => a.size - b.size)
    const [prefix] = prefixes
    if (rarest !== undefined && (prefix === undefined || rarest.size < this.#keysByToken.size)) return rarest
    const selected = new Set<string>()
    for (const [token, keys] of this.#keysByToken)
      if (prefix !== undefined && token.startsWith(prefix)) for (const key of keys) selected.add(key)
    return selected
  }
}
