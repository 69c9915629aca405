import { type JsonObject, MAX_DEPTH } from './json.ts'
import { createJsonBuilder, type JsonBuilder } from './json-builder.ts'
import { endsScalar, isSpace } from './json-characters.ts'
import { mayEnd, nextStage, type NumberStage } from './json-number.ts'
import { createStringReader, type StringReader } from './json-string.ts'
import { createTextBuffer, type TextBuffer } from './text-buffer.ts'

/** The text of a JSON object, read while it arrives. */
export interface PartialJson {
  /** Takes the next piece, cut anywhere. It never throws. */
  push(text: string): void
  /**
   * The best reading of what came so far; undefined until the first bracket. Open strings, arrays and objects are there
   * with what they hold; a key without a value, a number that may go on and half a word are not there yet.
   *
   * It is one object that grows: the same one each time, brought up to date when it is read here. Copies would cost the
   * whole for each piece; whoever needs to keep a state or to change it makes his own (`structuredClone`).
   */
  readonly value: JsonObject | undefined
  /** Whether the object has ended, and nothing but white space came after it. */
  readonly complete: boolean
  /** False once something came that no JSON object goes on with, or that nests deeper than 200 levels; it stays false. */
  readonly valid: boolean
}

/** How {@link createPartialJson} reads. */
export interface PartialJsonOptions {
  /** Whether members that are null are left out of `value`; items of lists keep their places. Default: false. */
  readonly omitNulls?: boolean
}

/** What comes next. */
type Place =
  | 'start'
  | 'first-key'
  | 'key'
  | 'in-key'
  | 'colon'
  | 'first-item'
  | 'value'
  | 'in-string'
  | 'in-number'
  | 'in-word'
  | 'after'
  | 'done'
  | 'broken'

const words: { readonly [first: string]: string | undefined } = { t: 'true', f: 'false', n: 'null' }

/**
 * Reads the arguments of a tool call while they stream. Each character is looked at once over all pieces, and reading
 * `value` costs no more than what came since it was read last.
 *
 * @example
 * const partial = createPartialJson()
 * partial.push('{"city":"Par')
 * partial.value // { city: 'Par' }
 * partial.push('is","days":1')
 * partial.value // { city: 'Paris' }: it may become 14 days
 * partial.push('}')
 * partial.complete // true
 */
export function createPartialJson(options: PartialJsonOptions = {}): PartialJson {
  return new Reader(options)
}

class Reader implements PartialJson {
  readonly #tree: JsonBuilder = createJsonBuilder()
  readonly #string: StringReader = createStringReader()
  readonly #digits: TextBuffer = createTextBuffer()
  #number: NumberStage = 'start'
  #word = ''
  /** How much of the word has come. */
  #letters = 0
  #place: Place = 'start'
  readonly #omitNulls: boolean

  constructor({ omitNulls = false }: PartialJsonOptions) {
    this.#omitNulls = omitNulls
  }

  push(text: string): void {
    for (let at = 0; at < text.length && this.#place !== 'broken';) at = this.#step(text, at)
  }

  get value(): JsonObject | undefined {
    if (this.#place === 'in-string') this.#tree.put(this.#string.soFar())
    return this.#tree.root
  }

  get complete(): boolean {
    return this.#place === 'done'
  }

  get valid(): boolean {
    return this.#place !== 'broken'
  }

  /** Reads on from `at`, and says where it stopped. */
  #step(text: string, at: number): number {
    const place = this.#place
    if (place === 'in-string' || place === 'in-key') return this.#readString(text, at)
    if (place === 'in-number') return this.#readNumber(text, at)
    const character = text.charAt(at)
    if (place !== 'in-word') return isSpace(character) ? at + 1 : this.#between(character, at)
    this.#readWord(character)
    return at + 1
  }

  /** What stands outside of strings, numbers and words. */
  #between(character: string, at: number): number {
    const place = this.#place
    if (character === '}' || character === ']') this.#close(character)
    else if (place === 'value' || place === 'first-item') return this.#begin(character, at)
    else if (place === 'start' && character === '{') this.#open('{')
    else if ((place === 'key' || place === 'first-key') && character === '"') this.#place = 'in-key'
    else if (place === 'colon' && character === ':') this.#place = 'value'
    else if (place === 'after' && character === ',') this.#goOn()
    else this.#place = 'broken'
    return at + 1
  }

  #begin(character: string, at: number): number {
    const word = words[character]
    if (character === '"') this.#place = 'in-string'
    else if (character === '{' || character === '[') this.#open(character)
    else if (word !== undefined) this.#beginWord(word)
    else {
      this.#number = 'start'
      this.#place = 'in-number'
      return at
    }
    return at + 1
  }

  #open(bracket: '{' | '['): void {
    if (this.#tree.depth >= MAX_DEPTH) this.#place = 'broken'
    else if (bracket === '{') {
      this.#tree.openObject()
      this.#place = 'first-key'
    } else {
      this.#tree.openList()
      this.#place = 'first-item'
    }
  }

  #goOn(): void {
    this.#place = this.#tree.inList ? 'value' : 'key'
    if (this.#tree.inList) this.#tree.toNextItem()
  }

  #close(bracket: string): void {
    const [first, own] = this.#tree.inList ? ['first-item', ']'] : ['first-key', '}']
    if (bracket === own && (this.#place === first || this.#place === 'after')) {
      this.#tree.close()
      this.#place = this.#tree.depth === 0 ? 'done' : 'after'
    } else this.#place = 'broken'
  }

  #finish(value: unknown): void {
    this.#tree.put(value)
    this.#place = 'after'
  }

  #readString(text: string, at: number): number {
    const end = this.#string.read(text, at)
    if (end !== undefined) this.#endString(this.#string.take())
    else if (this.#string.broken) {
      // What came before the garbage is shown, however the text was cut.
      if (this.#place === 'in-string') this.#tree.put(this.#string.soFar())
      this.#place = 'broken'
    }
    return end ?? text.length
  }

  #endString(text: string): void {
    if (this.#place === 'in-string') this.#finish(text)
    else {
      this.#tree.toKey(text)
      this.#place = 'colon'
    }
  }

  #readNumber(text: string, start: number): number {
    let end = start
    for (let stage = nextStage(this.#number, text.charAt(end)); stage !== undefined;) {
      this.#number = stage
      stage = nextStage(stage, text.charAt(++end))
    }
    this.#digits.push(text.slice(start, end))
    if (end === text.length) return end
    if (mayEnd(this.#number) && endsScalar(text.charAt(end))) this.#finish(Number(this.#digits.take()))
    else this.#place = 'broken'
    return end
  }

  #beginWord(word: string): void {
    this.#word = word
    this.#letters = 1
    this.#place = 'in-word'
  }

  #readWord(letter: string): void {
    if (letter !== this.#word.charAt(this.#letters)) this.#place = 'broken'
    else if (++this.#letters < this.#word.length) return
    else if (this.#omitNulls && this.#word === 'null' && !this.#tree.inList) this.#place = 'after'
    else this.#finish(JSON.parse(this.#word))
  }
}
