/**
 * The number of pieces that are joined into one: a long text in single characters would otherwise cost eight
 * times its size.
 */
const PIECES_PER_BLOCK = 1024

/**
 * Collects pieces of a text that is read once, in linear time and space: each character is copied at most twice. Appending to a
 * string instead would create a chain as long as the number of pieces.
 *
 * @example
 * const buffer = new TextBuffer()
 * buffer.push('Hel')
 * buffer.push('lo')
 * buffer.take() // 'Hello'
 */
export class TextBuffer {
  /** Most texts arrive in one piece, which needs no list. */
  #first = ''
  #pieces: string[] = []
  #blocks: string[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  push(piece: string): void {
    if (this.#length === 0) this.#first = piece
    else if (piece !== '') this.#pushPiece(piece)
    this.#length += piece.length
  }

  /** Returns the text so far and empties the buffer. */
  take(): string {
    const text = this.#length === this.#first.length ? this.#first : this.#joinAll()
    this.#first = ''
    this.#length = 0
    return text
  }

  #pushPiece(piece: string): void {
    if (this.#pieces.push(piece) < PIECES_PER_BLOCK) return
    this.#blocks.push(this.#pieces.join(''))
    this.#pieces = []
  }

  #joinAll(): string {
    const text = this.#first + this.#blocks.join('') + this.#pieces.join('')
    this.#pieces = []
    this.#blocks = []
    return text
  }
}
