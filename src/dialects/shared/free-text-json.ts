import { createJsonStringReader, type JsonStringReader } from '../../wire/json-tokens.ts'

/** The end of the JSON around a free text. */
export const FREE_TEXT_JSON_END = '"}'

/** Returns a piece of free text as a piece of the JSON object that contains it under a key. */
export function encodeFreeTextPiece(text: string, isStarted: boolean, key = 'input'): string {
  return (isStarted ? '' : `{"${key}":"`) + JSON.stringify(text).slice(1, -1)
}

/** The maximum number of characters before the text: the brace, the key and white space. */
const MAX_OPENING_CHARACTERS = 200

/** Reads the free text from such JSON while it arrives in pieces, in linear time. */
export class FreeTextReader {
  readonly #opening: RegExp
  readonly #string: JsonStringReader = createJsonStringReader()
  /** The JSON before the text; undefined once the text has started. */
  #before: string | undefined = ''
  #ended = false

  constructor(key = 'input') {
    this.#opening = new RegExp(`^\\s*\\{\\s*"${key}"\\s*:\\s*"`)
  }

  /** Adds a piece of the JSON and returns the text in it. */
  push(json: string): string {
    if (this.#before === undefined) return this.#read(json, 0)
    if (this.#before.length > MAX_OPENING_CHARACTERS) return ''
    const received = this.#before + json
    const opening = this.#opening.exec(received)?.[0]
    this.#before = opening === undefined ? received : undefined
    return opening === undefined ? '' : this.#read(received, opening.length)
  }

  #read(json: string, start: number): string {
    if (this.#ended) return ''
    this.#ended = this.#string.read(json, start) !== undefined
    return this.#string.take()
  }
}
