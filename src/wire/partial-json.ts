import { type JsonObject, MAX_JSON_DEPTH } from './json.ts'
import { createJsonBuilder, type JsonBuilder } from './json-builder.ts'
import {
  isScalarEnd,
  isJsonWhitespace,
  isCompleteNumber,
  advanceNumberState,
  type NumberState,
  createJsonStringReader,
  type JsonStringReader,
} from './json-tokens.ts'
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
  readonly isComplete: boolean
  /** False once something came that no JSON object goes on with, or that nests deeper than 200 levels; it stays false. */
  readonly isValid: boolean
}

/** How {@link createPartialJson} reads. */
export interface PartialJsonOptions {
  /** Whether members that are null are left out of `value`; items of lists keep their places. Default: false. */
  readonly omitNulls?: boolean
}

/** What comes next. */
type ParserState =
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

const JSON_LITERALS: { readonly [first: string]: string | undefined } = { t: 'true', f: 'false', n: 'null' }

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
  return new PartialJsonReader(options)
}

class PartialJsonReader implements PartialJson {
  readonly #builder: JsonBuilder = createJsonBuilder()
  readonly #string: JsonStringReader = createJsonStringReader()
  readonly #digits: TextBuffer = createTextBuffer()
  #number: NumberState = 'start'
  #word = ''
  /** How much of the word has come. */
  #letters = 0
  #state: ParserState = 'start'
  readonly #omitNulls: boolean

  constructor({ omitNulls = false }: PartialJsonOptions) {
    this.#omitNulls = omitNulls
  }

  push(text: string): void {
    for (let at = 0; at < text.length && this.#state !== 'broken';) at = this.#step(text, at)
  }

  get value(): JsonObject | undefined {
    if (this.#state === 'in-string') this.#builder.put(this.#string.readPartial())
    return this.#builder.root
  }

  get isComplete(): boolean {
    return this.#state === 'done'
  }

  get isValid(): boolean {
    return this.#state !== 'broken'
  }

  /** Reads on from `at`, and says where it stopped. */
  #step(text: string, at: number): number {
    const place = this.#state
    if (place === 'in-string' || place === 'in-key') return this.#readString(text, at)
    if (place === 'in-number') return this.#readNumber(text, at)
    const character = text.charAt(at)
    if (place !== 'in-word') return isJsonWhitespace(character) ? at + 1 : this.#readStructure(character, at)
    this.#readWord(character)
    return at + 1
  }

  /** What stands outside of strings, numbers and words. */
  #readStructure(character: string, at: number): number {
    const place = this.#state
    if (character === '}' || character === ']') this.#close(character)
    else if (place === 'value' || place === 'first-item') return this.#beginValue(character, at)
    else if (place === 'start' && character === '{') this.#open('{')
    else if ((place === 'key' || place === 'first-key') && character === '"') this.#state = 'in-key'
    else if (place === 'colon' && character === ':') this.#state = 'value'
    else if (place === 'after' && character === ',') this.#moveToNext()
    else this.#state = 'broken'
    return at + 1
  }

  #beginValue(character: string, at: number): number {
    const word = JSON_LITERALS[character]
    if (character === '"') this.#state = 'in-string'
    else if (character === '{' || character === '[') this.#open(character)
    else if (word !== undefined) this.#beginWord(word)
    else {
      this.#number = 'start'
      this.#state = 'in-number'
      return at
    }
    return at + 1
  }

  #open(bracket: '{' | '['): void {
    if (this.#builder.depth >= MAX_JSON_DEPTH) this.#state = 'broken'
    else if (bracket === '{') {
      this.#builder.openObject()
      this.#state = 'first-key'
    } else {
      this.#builder.openList()
      this.#state = 'first-item'
    }
  }

  #moveToNext(): void {
    this.#state = this.#builder.isInList ? 'value' : 'key'
    if (this.#builder.isInList) this.#builder.moveToNextItem()
  }

  #close(bracket: string): void {
    const [first, own] = this.#builder.isInList ? ['first-item', ']'] : ['first-key', '}']
    if (bracket === own && (this.#state === first || this.#state === 'after')) {
      this.#builder.close()
      this.#state = this.#builder.depth === 0 ? 'done' : 'after'
    } else this.#state = 'broken'
  }

  #finishValue(value: unknown): void {
    this.#builder.put(value)
    this.#state = 'after'
  }

  #readString(text: string, at: number): number {
    const end = this.#string.read(text, at)
    if (end !== undefined) this.#endString(this.#string.take())
    else if (this.#string.isInvalid) {
      // What came before the garbage is shown, however the text was cut.
      if (this.#state === 'in-string') this.#builder.put(this.#string.readPartial())
      this.#state = 'broken'
    }
    return end ?? text.length
  }

  #endString(text: string): void {
    if (this.#state === 'in-string') this.#finishValue(text)
    else {
      this.#builder.moveToKey(text)
      this.#state = 'colon'
    }
  }

  #readNumber(text: string, start: number): number {
    let end = start
    for (let stage = advanceNumberState(this.#number, text.charAt(end)); stage !== undefined;) {
      this.#number = stage
      stage = advanceNumberState(stage, text.charAt(++end))
    }
    this.#digits.push(text.slice(start, end))
    if (end === text.length) return end
    if (isCompleteNumber(this.#number) && isScalarEnd(text.charAt(end)))
      this.#finishValue(Number(this.#digits.take()))
    else this.#state = 'broken'
    return end
  }

  #beginWord(word: string): void {
    this.#word = word
    this.#letters = 1
    this.#state = 'in-word'
  }

  #readWord(letter: string): void {
    if (letter !== this.#word.charAt(this.#letters)) this.#state = 'broken'
    else if (++this.#letters < this.#word.length) return
    else if (this.#omitNulls && this.#word === 'null' && !this.#builder.isInList) this.#state = 'after'
    else this.#finishValue(JSON.parse(this.#word))
  }
}
