/** A word of a text, or one character of a script that is written without spaces. */
export interface Word {
  /** The normalized word. */
  readonly text: string
  /** The parts of an identifier such as `getUserName`, normalized; empty for other words. */
  readonly parts: readonly string[]
  /** Offset of its first character in the text, and of the character after its last one. */
  readonly start: number
  readonly end: number
  /** True for a character of a script without spaces. */
  readonly isCharacter: boolean
  /** True if it follows the previous word without anything in between. */
  readonly isAdjacent: boolean
}

/** Scripts that are written without spaces between words, or with endings attached to them. */
const CHARACTER_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const CHARACTER_CLASS = CHARACTER_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')

/** Matches one character of such a script, or a run of other letters, digits and marks. */
const WORD_PATTERN = new RegExp(
  `[[${CHARACTER_CLASS}]--[\\p{P}\\p{S}]]|[[\\p{L}\\p{N}\\p{M}]--[${CHARACTER_CLASS}]]+`,
  'gv',
)
const CHARACTER_PATTERN = new RegExp(`^[${CHARACTER_CLASS}]`, 'v')

/** Matches the places between the parts of an identifier: `get|User|Name`, `HTTP|Server`. */
const PART_PATTERN = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** A longer run of letters and digits is no word but data, such as base64. */
const MAX_WORD_LENGTH = 64

const ASCII_PATTERN = /^[\0-\x7f]*$/
/** Accents of Latin, Greek and Cyrillic letters. Marks of other scripts distinguish words. */
const ACCENT_PATTERN = /[\u0300-\u036f]/g
const OTHER_PATTERN = /[^\p{L}\p{N}\p{M}]/gu

/** Returns a word in lower case, without accents and in its compatibility form. */
function normalizeWord(word: string): string {
  if (ASCII_PATTERN.test(word)) return word.toLowerCase()
  const plain = word.normalize('NFKD').replaceAll(ACCENT_PATTERN, '').toLowerCase()
  return plain.normalize('NFC').replaceAll(OTHER_PATTERN, '')
}

/** Returns the words of a text, in order. Punctuation, symbols and `_` separate words. */
export function splitWords(text: string): readonly Word[] {
  const words: Word[] = []
  let previousEnd = -1
  for (const { 0: found, index: start } of text.matchAll(WORD_PATTERN)) {
    const end = start + found.length
    if (found.length > MAX_WORD_LENGTH) continue
    const normalized = normalizeWord(found)
    if (normalized === '') continue
    const isCharacter = CHARACTER_PATTERN.test(found)
    const isAdjacent = start === previousEnd
    words.push({
      text: normalized,
      parts: splitIdentifier(found, normalized),
      start,
      end,
      isCharacter,
      isAdjacent,
    })
    previousEnd = end
  }
  return words
}

function splitIdentifier(word: string, normalized: string): readonly string[] {
  if (word === normalized) return []
  const parts = word.split(PART_PATTERN)
  return parts.length === 1 ? [] : parts.map(normalizeWord)
}

/** Returns the index terms of consecutive words: each word with its parts, and each pair of adjacent characters. */
export function* listIndexTerms(words: readonly Word[]): Generator<string> {
  for (const [index, { text, parts, isCharacter }] of words.entries()) {
    const next = words[index + 1]
    // The last character of a run is a term of its own, so that every character starts a term.
    yield isCharacter && next?.isCharacter === true && next.isAdjacent ? text + next.text : text
    yield* parts
  }
}
