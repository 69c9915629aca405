import { throwInvalidType, throwInvalidValue } from '../check-arguments.ts'
import { splitWords, type Word } from './split-words.ts'

/** A word or phrase of a query. */
export interface SearchTerm {
  /** Words that must follow each other. */
  readonly words: readonly Word[]
  /** True if the last word may continue. */
  readonly isPrefix: boolean
}

/** A query: all `required` terms must occur, and none of `excluded`. */
export interface ParsedSearchQuery {
  readonly required: readonly SearchTerm[]
  readonly excluded: readonly SearchTerm[]
}

/** Maximum number of characters and of terms in a query, and minimum length of a word before `*`. */
const MAX_QUERY_LENGTH = 1_000
const MAX_TERMS = 32
const MIN_PREFIX_LENGTH = 2

/** Matches a phrase in quotes, which may lack its end, or a word; either may follow `-`. */
const TERM_PATTERN = /(?<minus>-?)(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/g

/**
 * Parses a query: words that are all required, `"a phrase"`, `prefix*` and `-excluded`. Anything else separates words, so
 * a query has no syntax errors; one without a required word is refused.
 */
export function parseSearchQuery(query: unknown): ParsedSearchQuery {
  if (typeof query !== 'string') return throwInvalidType('query', query, 'a string')
  if (query.length > MAX_QUERY_LENGTH)
    throwInvalidValue('query', `${query.length} characters`, `at most ${MAX_QUERY_LENGTH} characters`)
  const required: SearchTerm[] = []
  const excluded: SearchTerm[] = []
  for (const { groups } of query.normalize('NFC').matchAll(TERM_PATTERN)) {
    const { minus, phrase, word = '' } = groups ?? {}
    const words = splitWords(phrase ?? word)
    const last = words.at(-1)
    if (last === undefined) continue
    const isPrefix = phrase === undefined && word.endsWith('*') && !last.isCharacter
    if (isPrefix && last.text.length < MIN_PREFIX_LENGTH)
      throwInvalidValue('query', 'a single letter before `*`', 'at least two letters before `*`')
    ;(minus === '-' ? excluded : required).push({ words, isPrefix })
  }
  const count = required.length + excluded.length
  if (count > MAX_TERMS) throwInvalidValue('query', `${count} words`, `at most ${MAX_TERMS} words`)
  if (required.length > 0) return { required, excluded }
  const found = excluded.length > 0 ? 'only excluded words' : 'no words'
  return throwInvalidValue('query', found, 'at least one word to find')
}
