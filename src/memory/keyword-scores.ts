/** Scripts that write no spaces between words: each character counts as a word. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`

/** Matches a word: letters, digits and their accents, or one character of a script without spaces. */
const WORD_PATTERN = new RegExp(String.raw`[${UNSPACED}]\p{M}*|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+`, 'gu')

/** Maximum number of words of a query. Every text is compared with all of them. */
const MAX_QUERY_WORDS = 100

/** Yields the words of a text in lower case; compatible forms of a character, such as full-width ones, are equal. */
function* readWords(text: string): Generator<string> {
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(WORD_PATTERN)) yield word
}

/** A text that contains words of the query. */
interface KeywordMatch<T> {
  readonly item: T
  /** Numbers of the words of the query. */
  readonly words: ReadonlySet<number>
}

/**
 * Compares texts with the words of a query. The score of a text is the share of the query's words that it contains; a
 * word counts more, the fewer texts contain it, so that frequent words such as “the” hardly matter.
 */
export class KeywordScores<T> {
  readonly #words = new Map<string, number>()
  readonly #textCounts: number[] = []
  readonly #matches: KeywordMatch<T>[] = []
  #count = 0

  constructor(query: string) {
    for (const word of readWords(query)) {
      if (this.#words.size === MAX_QUERY_WORDS) break
      if (!this.#words.has(word)) this.#words.set(word, this.#words.size)
    }
  }

  /** Adds a text that may match. */
  add(item: T, text: string): void {
    this.#count += 1
    const words = new Set<number>()
    for (const word of readWords(text)) {
      const number = this.#words.get(word)
      if (number !== undefined) words.add(number)
    }
    if (words.size === 0) return
    for (const number of words) this.#textCounts[number] = (this.#textCounts[number] ?? 0) + 1
    this.#matches.push({ item, words })
  }

  /** Returns the items whose texts share a word with the query, with scores above 0 and up to 1. */
  scores(): readonly { readonly item: T; readonly score: number }[] {
    const weights = Array.from(this.#words, (_, number) =>
      Math.log(1 + this.#count / ((this.#textCounts[number] ?? 0) + 0.5)),
    )
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    return this.#matches.map(({ item, words }) => {
      // In ascending order, so that the sum does not depend on the order of the words in the text.
      const matched = weights.reduce((sum, weight, number) => sum + (words.has(number) ? weight : 0), 0)
      return { item, score: matched / total }
    })
  }
}
