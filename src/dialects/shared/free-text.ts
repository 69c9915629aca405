import { createStringReader, type StringReader } from '../../wire/json-string.ts'

/** What ends the JSON around a free text. */
export const freeEnding = '"}'

/** A piece of a tool's free text as a piece of the JSON that has it under a key: `{ input }`, `{ code }`. */
export function freePiece(text: string, begun: boolean, key = 'input'): string {
  return (begun ? '' : `{"${key}":"`) + JSON.stringify(text).slice(1, -1)
}

/** How much may stand before the text: brackets, its key and white space. */
const LONGEST_OPENING = 200

/** The free text in such JSON, while that arrives cut anywhere. Its cost is linear in what came. */
export class FreeText {
  readonly #opening: RegExp
  readonly #string: StringReader = createStringReader()
  /** What came before the text; undefined once that has begun. */
  #before: string | undefined = ''
  #ended = false

  constructor(key = 'input') {
    this.#opening = new RegExp(`^\\s*\\{\\s*"${key}"\\s*:\\s*"`)
  }

  /** More of the JSON; gives the text that it brings. */
  push(json: string): string {
    if (this.#before === undefined) return this.#read(json, 0)
    if (this.#before.length > LONGEST_OPENING) return ''
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
