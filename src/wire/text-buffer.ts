/** Text that arrives in pieces and is wanted whole, once. */
export interface TextBuffer {
  readonly length: number
  push(piece: string): void
  /** Everything so far as one text; the buffer is empty afterwards. */
  take(): string
}

/** So many pieces become one, or a long text in pieces of one character would cost eight times its size. */
const PIECES_PER_BLOCK = 1024

/**
 * Collects pieces in linear time and space: each character is copied at most twice. Adding to a string instead would
 * leave a chain as long as the number of pieces.
 *
 * @example
 * const buffer = createTextBuffer()
 * buffer.push('Hel')
 * buffer.push('lo')
 * buffer.take() // 'Hello'
 */
export function createTextBuffer(): TextBuffer {
  let only = '' // most texts come in one piece, which needs no list
  let pieces: string[] = []
  let blocks: string[] = []
  let length = 0

  function pushPiece(piece: string): void {
    if (pieces.push(piece) < PIECES_PER_BLOCK) return
    blocks.push(pieces.join(''))
    pieces = []
  }

  function joined(): string {
    const text = only + blocks.join('') + pieces.join('')
    pieces = []
    blocks = []
    return text
  }

  return {
    get length() {
      return length
    },
    push(piece) {
      if (length === 0) only = piece
      else if (piece !== '') pushPiece(piece)
      length += piece.length
    },
    take() {
      const text = length === only.length ? only : joined()
      only = ''
      length = 0
      return text
    },
  }
}
