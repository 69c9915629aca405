/** Collects pieces of a text that is read once. */
export interface TextBuffer {
  readonly length: number
  push(piece: string): void
  /** Returns the text so far and empties the buffer. */
  take(): string
}

/**
 * The number of pieces that are joined into one: a long text in single characters would otherwise cost eight
 * times its size.
 */
const PIECES_PER_BLOCK = 1024

/**
 * Creates a buffer with linear time and space: each character is copied at most twice. Appending to a string
 * instead would create a chain as long as the number of pieces.
 *
 * @example
 * const buffer = createTextBuffer()
 * buffer.push('Hel')
 * buffer.push('lo')
 * buffer.take() // 'Hello'
 */
export function createTextBuffer(): TextBuffer {
  let first = '' // most texts arrive in one piece, which needs no list
  let pieces: string[] = []
  let blocks: string[] = []
  let length = 0

  function pushPiece(piece: string): void {
    if (pieces.push(piece) < PIECES_PER_BLOCK) return
    blocks.push(pieces.join(''))
    pieces = []
  }

  function joinAll(): string {
    const text = first + blocks.join('') + pieces.join('')
    pieces = []
    blocks = []
    return text
  }

  return {
    get length() {
      return length
    },
    push(piece) {
      if (length === 0) first = piece
      else if (piece !== '') pushPiece(piece)
      length += piece.length
    },
    take() {
      const text = length === first.length ? first : joinAll()
      first = ''
      length = 0
      return text
    },
  }
}
