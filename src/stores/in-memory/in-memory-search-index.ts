import { mapInSlices } from '../event-loop-turns.ts'
import type { SearchCandidatePage, SearchRowQuery, TokenConditions } from '../rows/row-queries.ts'
import type { MessageRow, SessionRow } from '../rows/row-definitions.ts'
import { CandidateCollector } from '../search/candidate-collector.ts'
import { type SearchDocument, SearchTokens, toSearchDocument } from '../search/search-document.ts'

/** The tables that an index is built from. */
interface IndexedTables {
  readonly session: ReadonlyMap<string, SessionRow>
  readonly message: ReadonlyMap<string, MessageRow>
}

/** Number of messages with a token above which the newest messages are looked through instead. */
const FREQUENT = 500

/** An index of messages by token. It is built by the first search: without searches, it costs nothing. */
export class InMemorySearchIndex {
  readonly #tables: IndexedTables
  readonly #documents = new Map<string, SearchDocument>()
  readonly #keysByToken = new Map<string, Set<string>>()
  /** All documents by time, the newest last; some may have been removed or replaced. Undefined until it is needed. */
  #ordered: SearchDocument[] | undefined
  /** The tokens of the tenant that was used last. */
  #names = new SearchTokens('')
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
    if ((this.#ordered?.length ?? 0) > 2 * this.#documents.size + FREQUENT) this.#ordered = undefined
    const row = this.#tables.message.get(key)
    if (row !== undefined) this.#add(row)
  }

  #add(row: MessageRow): void {
    const tenant = this.#tables.session.get(row.session)?.tenant
    if (tenant === undefined) return
    if (this.#names.tenant !== tenant) this.#names = new SearchTokens(tenant)
    const document = toSearchDocument(row, this.#names)
    if (document === undefined) return
    this.#documents.set(row.key, document)
    const newest = this.#ordered?.at(-1)
    if (newest === undefined || compareDocuments(document, newest) > 0) this.#ordered?.push(document)
    else this.#ordered = undefined
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
    const isWanted = this.#createFilter(query.tokens)
    const addMatching = (document: SearchDocument): void => {
      const { key, timeMs } = document
      const row = this.#tables.message.get(key)
      if (row === undefined || this.#documents.get(key) !== document) return
      const candidate = { row, timeMs, position: { time: timeMs, key } }
      if (collector.accepts(candidate) && isWanted(document)) collector.add(candidate)
    }
    const selected = this.#listSelected(query)
    if (selected.size <= FREQUENT)
      for (const key of selected) {
        const document = this.#documents.get(key)
        if (document !== undefined) addMatching(document)
      }
    else
      for (const document of this.#listNewestFirst()) {
        addMatching(document)
        if (collector.isFull) break
      }
    return collector.toPage()
  }

  *#listNewestFirst(): Generator<SearchDocument> {
    const documents = (this.#ordered ??= [...this.#documents.values()].sort(compareDocuments))
    for (let index = documents.length - 1; index >= 0; index--) {
      const document = documents[index]
      if (document !== undefined) yield document
    }
  }

  /** Returns a test whether a message has the tokens of a query. */
  #createFilter({
    required,
    prefixes,
    excluded,
    anyOf,
  }: TokenConditions): (document: SearchDocument) => boolean {
    const lookUp = (tokens: readonly string[]): readonly ReadonlySet<string>[] =>
      tokens.map((token) => this.#keysByToken.get(token) ?? new Set())
    const [all, none, any] = [lookUp(required), lookUp(excluded), lookUp(anyOf)]
    return ({ key, tokens }) =>
      all.every((keys) => keys.has(key)) &&
      !none.some((keys) => keys.has(key)) &&
      (any.length === 0 || any.some((keys) => keys.has(key))) &&
      prefixes.every((prefix) => tokens.some((token) => token.startsWith(prefix)))
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

/** Orders documents as hits are ordered, but the newest last. */
function compareDocuments(a: SearchDocument, b: SearchDocument): number {
  return a.timeMs - b.timeMs || (a.key < b.key ? -1 : Number(a.key > b.key))
}
