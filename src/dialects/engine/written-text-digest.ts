import { digestText } from '../../wire/digest.ts'
import { createTextBuffer } from '../../wire/text-buffer.ts'

/** The number of characters that are hashed at once; shorter texts are not hashed unless they are compared. */
const BLOCK_CHARACTERS = 8192

/** A text that was written piece by piece and is not kept: its length, a digest of all complete blocks, and the rest. */
export class WrittenTextDigest {
  #length = 0
  #digest = ''
  readonly #rest = createTextBuffer()

  push(piece: string): void {
    this.#length += piece.length
    this.#rest.push(piece)
    if (this.#rest.length < BLOCK_CHARACTERS) return
    const text = this.#rest.take()
    let start = 0
    for (; text.length - start >= BLOCK_CHARACTERS; start += BLOCK_CHARACTERS)
      this.#digest = digestText(this.#digest + text.slice(start, start + BLOCK_CHARACTERS))
    this.#rest.push(text.slice(start))
  }

  /** Returns true if this is the text. It is the last call: it takes what is left of the text. */
  isEqual(text: string): boolean {
    if (text.length !== this.#length) return false
    const other = new WrittenTextDigest()
    other.push(text)
    return this.#digest === other.#digest && this.#rest.take() === other.#rest.take()
  }
}
