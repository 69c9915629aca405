import type { SearchSnippet } from '../message-search.ts'
import type { ParsedSearchQuery, SearchTerm } from './parse-search-query.ts'
import type { SearchableText } from './searchable-text.ts'
import { splitWords, type Word } from './split-words.ts'
import { mapInSlices } from '../event-loop-turns.ts'
import type {
  SearchCandidatePage,
  SearchRowQuery,
  SessionPosition,
  TokenConditions,
} from '../rows/row-queries.ts'
import type { RowTransaction } from '../rows/row-store.ts'
import type { SessionRow } from '../rows/row-definitions.ts'
import { CandidateCollector } from './candidate-collector.ts'
import { SearchTokens, toSearchDocument } from './search-document.ts'

const PAGE_SIZE = 200

/** Searches a backend without an index: reads all messages of the tenant, and keeps only those of the page. */
export async function scanMessages(
  rows: RowTransaction,
  query: SearchRowQuery,
): Promise<SearchCandidatePage> {
  const { tenant, tokens } = query
  const names = new SearchTokens(tenant)
  const collector = new CandidateCollector(query)
  let after: SessionPosition | undefined
  do {
    const sessions: readonly SessionRow[] = await rows.sessions({
      tenant,
      limit: PAGE_SIZE,
      ...(after && { after }),
    })
    for (const session of sessions)
      for await (const page of rows.ownMessages(session.key))
        await mapInSlices(page, (row) => {
          const document = toSearchDocument(row, names)
          if (document === undefined) return
          const { timeMs, key } = document
          const candidate = { row, timeMs, position: { time: timeMs, key } }
          if (collector.accepts(candidate) && hasTokens(document.tokens, tokens)) collector.add(candidate)
        })
    after = sessions.at(-1)
  } while (after !== undefined)
  return collector.toPage()
}

/** Tests whether a document has the tokens of a query. */
function hasTokens(tokens: readonly string[], conditions: TokenConditions): boolean {
  const known = new Set(tokens)
  const { required, prefixes, excluded, anyOf } = conditions
  return (
    required.every((token) => known.has(token)) &&
    (anyOf.length === 0 || anyOf.some((token) => known.has(token))) &&
    !excluded.some((token) => known.has(token)) &&
    prefixes.every((prefix) => tokens.some((token) => token.startsWith(prefix)))
  )
}

/** How a message matches a query. */
export interface SearchMatch {
  readonly snippet: SearchSnippet
  readonly score: number
}

type Range = readonly [start: number, end: number]

/** Maximum length of a snippet, and of its text before the first match, in characters. */
const SNIPPET_LENGTH = 160
const LEAD_LENGTH = 40

/** Returns how a text matches a query; undefined if it does not. */
export function matchTerms(
  { texts }: SearchableText,
  { required, excluded }: ParsedSearchQuery,
): SearchMatch | undefined {
  const counts = required.map(() => 0)
  /** The first text with the most of the terms. */
  let best: { readonly text: string; readonly ranges: readonly Range[]; readonly terms: number } | undefined
  for (const text of texts) {
    const words = splitWords(text)
    if (excluded.some((term) => findTerm(words, term).length > 0)) return undefined
    const found = required.map((term) => findTerm(words, term))
    for (const [index, ranges] of found.entries()) counts[index] = (counts[index] ?? 0) + ranges.length
    const terms = found.filter((ranges) => ranges.length > 0).length
    if (terms > (best?.terms ?? 0)) best = { text, ranges: found.flat(), terms }
  }
  if (best === undefined || counts.includes(0)) return undefined
  const score = counts.reduce((sum, count) => sum + 1 + Math.log(count), 0)
  return { snippet: createSnippet(best.text, best.ranges), score: Math.round(score * 1000) / 1000 }
}

/** Returns the ranges of a text in which a term occurs. */
function findTerm(words: readonly Word[], { words: wanted, isPrefix }: SearchTerm): readonly Range[] {
  const ranges: Range[] = []
  const last = wanted.length - 1
  for (let start = 0; start + last < words.length; start++) {
    const isFound = wanted.every((each, offset) => {
      const word = words[start + offset]
      if (word === undefined || (offset > 0 && isSeparated(word, each))) return false
      // A phrase is found as it is written; parts of identifiers are found on their own.
      const texts = last === 0 ? [word.text, ...word.parts] : [word.text]
      const isOpen = isPrefix && offset === last
      return texts.some((text) => (isOpen ? text.startsWith(each.text) : text === each.text))
    })
    const [from, to] = [words[start], words[start + last]]
    if (isFound && from !== undefined && to !== undefined) ranges.push([from.start, to.end])
  }
  return ranges
}

/** Tests whether something is between two characters that the query contains side by side. */
function isSeparated(word: Word, wanted: Word): boolean {
  return wanted.isAdjacent && wanted.isCharacter && !word.isAdjacent
}

function createSnippet(text: string, ranges: readonly Range[]): SearchSnippet {
  const sorted = mergeRanges(ranges)
  const firstStart = sorted[0]?.[0] ?? 0
  const start = firstStart <= LEAD_LENGTH ? 0 : skipLowSurrogate(text, firstStart - LEAD_LENGTH)
  const limit = Math.max(start + SNIPPET_LENGTH, sorted[0]?.[1] ?? 0)
  const end = limit >= text.length ? text.length : skipLowSurrogate(text, limit)
  const lead = start === 0 ? '' : '…'
  const offset = lead.length - start
  const matches = sorted.flatMap(([from, to]): Range[] => (to <= end ? [[from + offset, to + offset]] : []))
  return { text: `${lead}${text.slice(start, end)}${end === text.length ? '' : '…'}`, matches }
}

/** Sorts ranges and joins those that overlap. */
function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = []
  for (const range of ranges.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last === undefined || range[0] >= last[1]) merged.push(range)
    else merged[merged.length - 1] = [last[0], Math.max(last[1], range[1])]
  }
  return merged
}

/** Returns an offset, or the next one if it would split a character in two. */
function skipLowSurrogate(text: string, offset: number): number {
  const code = text.charCodeAt(offset)
  return code >= 0xdc00 && code <= 0xdfff ? offset + 1 : offset
}
