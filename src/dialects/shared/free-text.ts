import { createJsonStringReader, type JsonStringReader } from '../../wire/json-tokens.ts'

/** What ends the JSON around a free text. */
export const FREE_TEXT_END = '"}'

/** A piece of a tool's free text as a piece of the JSON that has it under a key: `{ input }`, `{ code }`. */
export function encodeFreeTextPiece(text: string, begun: boolean, key = 'input'): string {
  return (begun ? '' : `{"${key}":"`) + JSON.stringify(text).slice(1, -1)
}

/** How much may stand before the text: brackets, its key and white space. */
const MAX_OPENING_CHARACTERS = 200

/** The free text in such JSON, while that arrives cut anywhere. Its cost is linear in what came. */
export class FreeTextReader {
  readonly #opening: RegExp
  readonly #string: JsonStringReader = createJsonStringReader()
  /** What came before the text; undefined once that has begun. */
  #before: string | undefined = ''
  #ended = false

  constructor(key = 'input') {
    this.#opening = new RegExp(`^\\s*\\{\\s*"${key}"\\s*:\\s*"`)
  }

  /** More of the JSON; gives the text that it brings. */
  push(json: string): string {
    if (this.#before === undefined) return this.#read(json, 0)
    if (this.#before.length > MAX_OPENING_CHARACTERS) return ''
    const came = this.#before + json
    const opening = this.#opening.exec(came)?.[0]
    this.#before = opening === undefined ? came : undefined
    return opening === undefined ? '' : this.#read(came, opening.length)
  }

  #read(json: string, start: number): string {
    if (this.#ended) return ''
    this.#ended = this.#string.read(json, start) !== undefined
    return this.#string.take()
  }
}
