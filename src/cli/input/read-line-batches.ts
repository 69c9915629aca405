import { InterlinguaError } from '../../errors.ts'

/** Complete lines as bytes that belong to nothing else, so that they can be transferred to another thread. */
export interface LineBatch {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The error of a line that is too long: the line is skipped, and the batch has no bytes. */
  readonly error?: InterlinguaError
}

/** Maximum size of one line. Larger than any recorded request, and small enough to parse in memory. */
const MAX_LINE_BYTES = 64 * 1024 * 1024

const LF = 10
const CR = 13

/**
 * Splits a source into batches of complete lines, one for each chunk that ends a line. Lines end with LF, CR or CRLF; the
 * last one may have no end. Memory holds one chunk and one incomplete line.
 */
export async function* readLineBatches(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<LineBatch, void, undefined> {
  const partial = new PartialLine()
  let isSkipping = false
  for await (const chunk of chunks) {
    let rest = chunk
    if (isSkipping) {
      const end = findFirstLineEnd(rest)
      if (end === -1) continue
      // The end of the skipped line stays: it counts as the line.
      rest = rest.subarray(end)
      isSkipping = false
    }
    if (partial.endsWithCr && rest[0] !== LF) yield { bytes: partial.takeWith(EMPTY) }
    const end = findEndOfLastLine(rest)
    if (end > 0) yield { bytes: partial.takeWith(rest.subarray(0, end)) }
    partial.push(rest.subarray(end))
    if (partial.length <= maxLineBytes) continue
    partial.clear()
    isSkipping = true
    yield { bytes: EMPTY, error: createLineTooLongError(maxLineBytes) }
  }
  if (partial.length > 0) yield { bytes: partial.takeWith(EMPTY) }
}

const EMPTY = new Uint8Array(0)

/** The beginning of a line whose end has not been read. Pieces are copied once, however many there are. */
class PartialLine {
  #pieces: Uint8Array[] = []
  length = 0

  get endsWithCr(): boolean {
    return this.#pieces.at(-1)?.at(-1) === CR
  }

  push(piece: Uint8Array): void {
    if (piece.length === 0) return
    this.#pieces.push(piece)
    this.length += piece.length
  }

  clear(): void {
    this.#pieces = []
    this.length = 0
  }

  takeWith(last: Uint8Array): Uint8Array<ArrayBuffer> {
    this.push(last)
    const bytes = new Uint8Array(this.length)
    let offset = 0
    for (const piece of this.#pieces) {
      bytes.set(piece, offset)
      offset += piece.length
    }
    this.clear()
    return bytes
  }
}

/** Returns the index after the last line end, or 0. A CR at the end may be the first half of a CRLF. */
function findEndOfLastLine(bytes: Uint8Array): number {
  const cr = bytes.length < 2 ? -1 : bytes.lastIndexOf(CR, bytes.length - 2)
  return Math.max(bytes.lastIndexOf(LF), cr) + 1
}

function findFirstLineEnd(bytes: Uint8Array): number {
  const lf = bytes.indexOf(LF)
  const cr = (lf === -1 ? bytes : bytes.subarray(0, lf)).indexOf(CR)
  return cr === -1 ? lf : cr
}

function createLineTooLongError(maxLineBytes: number): InterlinguaError {
  return new InterlinguaError('line-too-long', `The line is longer than ${maxLineBytes} bytes`, {
    found: `more than ${maxLineBytes} bytes`,
    expected: `at most ${maxLineBytes} bytes per line`,
    hint: 'Write one conversation per line, and files as links instead of data.',
  })
}
