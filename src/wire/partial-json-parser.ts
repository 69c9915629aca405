import { type JsonObject, MAX_JSON_DEPTH } from './json.ts'
import { createJsonBuilder, type JsonBuilder } from './json-builder.ts'
import {
  isScalarEnd,
  isJsonWhitespace,
  isFinalNumberState,
  advanceNumberState,
  type NumberState,
  createJsonStringReader,
  type JsonStringReader,
} from './json-tokens.ts'
import { TextBuffer } from './text-buffer.ts'

/** A JSON object that is parsed while its text arrives. */
export interface PartialJsonParser {
  /** Parses the next chunk, which may be split anywhere. Never throws. */
  push(text: string): void
  /**
   * The object so far; undefined before its opening bracket. Open strings, arrays and objects are included with their
   * current contents; a key without a value, a number that may continue and an incomplete literal are not included yet.
   *
   * It is always the same object, which is updated when this property is read: copying it for each chunk would be
   * quadratic. Use `structuredClone` to keep a state or to modify it.
   */
  readonly value: JsonObject | undefined
  /** True if the object has ended and only white space followed. */
  readonly isComplete: boolean
  /**
   * False once the text is not a prefix of a JSON object or nests deeper than 200 levels; it never becomes true again.
   */
  readonly isValid: boolean
}

/** Options of {@link createPartialJsonParser}. */
export interface PartialJsonParserOptions {
  /** Omits keys whose value is null from `value`; null items of lists stay. Default: false. */
  readonly omitNulls?: boolean
}

/** The token that the parser expects or is reading. */
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
  | 'in-literal'
  | 'after'
  | 'done'
  | 'invalid'

const JSON_LITERALS: { readonly [first: string]: string | undefined } = { t: 'true', f: 'false', n: 'null' }

/**
 * Parses the arguments of a tool call while they stream. Each character is examined once over all chunks, and
 * reading `value` costs no more than the text since the last read.
 *
 * @example
 * const partial = createPartialJson()
 * partial.push('{"city":"Par')
 * partial.value // { city: 'Par' }
 * partial.push('is","days":1')
 * partial.value // { city: 'Paris' }: the number may become 14
 * partial.push('}')
 * partial.isComplete // true
 */
export function createPartialJsonParser(options: PartialJsonParserOptions = {}): PartialJsonParser {
  return new PartialJsonReader(options)
}

class PartialJsonReader implements PartialJsonParser {
  readonly #builder: JsonBuilder = createJsonBuilder()
  readonly #string: JsonStringReader = createJsonStringReader()
  readonly #digits: TextBuffer = new TextBuffer()
  #number: NumberState = 'start'
  #literal = ''
  /** The number of characters of the literal that were read. */
  #literalChars = 0
  #state: ParserState = 'start'
  readonly #omitNulls: boolean

  constructor({ omitNulls = false }: PartialJsonParserOptions) {
    this.#omitNulls = omitNulls
  }

  push(text: string): void {
    for (let position = 0; position < text.length && this.#state !== 'invalid';)
      position = this.#step(text, position)
  }

  get value(): JsonObject | undefined {
    if (this.#state === 'in-string') this.#builder.put(this.#string.readPartial())
    return this.#builder.root
  }

  get isComplete(): boolean {
    return this.#state === 'done'
  }

  get isValid(): boolean {
    return this.#state !== 'invalid'
  }

  /** Parses from `start` and returns the index after the last character that was read. */
  #step(text: string, position: number): number {
    const state = this.#state
    if (state === 'in-string' || state === 'in-key') return this.#readString(text, position)
    if (state === 'in-number') return this.#readNumber(text, position)
    const character = text.charAt(position)
    if (state !== 'in-literal')
      return isJsonWhitespace(character) ? position + 1 : this.#readStructure(character, position)
    this.#readLiteral(character)
    return position + 1
  }

  /** Reads a character outside of strings, numbers and literals. */
  #readStructure(character: string, position: number): number {
    const state = this.#state
    if (character === '}' || character === ']') this.#close(character)
    else if (state === 'value' || state === 'first-item') return this.#beginValue(character, position)
    else if (state === 'start' && character === '{') this.#open('{')
    else if ((state === 'key' || state === 'first-key') && character === '"') this.#state = 'in-key'
    else if (state === 'colon' && character === ':') this.#state = 'value'
    else if (state === 'after' && character === ',') this.#moveToNext()
    else this.#state = 'invalid'
    return position + 1
  }

  #beginValue(character: string, position: number): number {
    const literal = JSON_LITERALS[character]
    if (character === '"') this.#state = 'in-string'
    else if (character === '{' || character === '[') this.#open(character)
    else if (literal !== undefined) this.#beginLiteral(literal)
    else {
      this.#number = 'start'
      this.#state = 'in-number'
      return position
    }
    return position + 1
  }

  #open(bracket: '{' | '['): void {
    if (this.#builder.depth >= MAX_JSON_DEPTH) this.#state = 'invalid'
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
    } else this.#state = 'invalid'
  }

  #finishValue(value: unknown): void {
    this.#builder.put(value)
    this.#state = 'after'
  }

  #readString(text: string, position: number): number {
    const end = this.#string.read(text, position)
    if (end !== undefined) this.#endString(this.#string.take())
    else if (this.#string.isInvalid) {
      // The text before the invalid character is included, however the chunks were split.
      if (this.#state === 'in-string') this.#builder.put(this.#string.readPartial())
      this.#state = 'invalid'
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
    for (let state = advanceNumberState(this.#number, text.charAt(end)); state !== undefined;) {
      this.#number = state
      state = advanceNumberState(state, text.charAt(++end))
    }
    this.#digits.push(text.slice(start, end))
    if (end === text.length) return end
    if (isFinalNumberState(this.#number) && isScalarEnd(text.charAt(end)))
      this.#finishValue(Number(this.#digits.take()))
    else this.#state = 'invalid'
    return end
  }

  #beginLiteral(literal: string): void {
    this.#literal = literal
    this.#literalChars = 1
    this.#state = 'in-literal'
  }

  #readLiteral(character: string): void {
    if (character !== this.#literal.charAt(this.#literalChars)) this.#state = 'invalid'
    else if (++this.#literalChars < this.#literal.length) return
    else if (this.#omitNulls && this.#literal === 'null' && !this.#builder.isInList) this.#state = 'after'
    else this.#finishValue(JSON.parse(this.#literal))
  }
}
