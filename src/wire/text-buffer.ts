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
  const blocks: string[] = []
  const pieces: string[] = []
  let length = 0

  return {
    get length() {
      return length
    },
    push(piece) {
      if (piece === '') return
      length += piece.length
      if (pieces.push(piece) === PIECES_PER_BLOCK) {
        blocks.push(pieces.join(''))
        pieces.length = 0
      }
    },
    take() {
      if (length === 0) return ''
      blocks.push(pieces.length === 1 ? (pieces[0] ?? '') : pieces.join(''))
      const text = blocks.length === 1 ? (blocks[0] ?? '') : blocks.join('')
      blocks.length = 0
      pieces.length = 0
      length = 0
      return text
    },
  }
}
