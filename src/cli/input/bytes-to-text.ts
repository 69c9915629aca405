import { InterlinguaError } from '../../errors.ts'
import { readLineBatches } from './read-line-batches.ts'

/** The bytes of an input, chunk by chunk. */
export type ByteChunks = AsyncIterable<Uint8Array>

/** A non-blank line or the error of one that is too long, and its number, counted from 1. */
export type InputLine =
  | { readonly lineNumber: number; readonly text: string }
  | { readonly lineNumber: number; readonly error: InterlinguaError }

/** Yields the non-blank lines of a source without buffering the rest. A line that is too long does not end it. */
export async function* readLines(
  bytes: ByteChunks,
  signal: AbortSignal,
): AsyncGenerator<InputLine, void, undefined> {
  let count = 0
  for await (const batch of readLineBatches(bytes)) {
    if (batch.error !== undefined) yield { lineNumber: count + 1, error: batch.error }
    const lines = splitLines(batch.bytes)
    for (const [index, text] of lines.entries()) {
      signal.throwIfAborted()
      if (!isBlank(text)) yield { lineNumber: count + index + 1, text }
    }
    count += lines.length
  }
}

/** Returns the text of a line; throws the error of one that is too long. */
export function getLineText(line: InputLine): string {
  if ('error' in line) throw line.error
  return line.text
}

/** Splits bytes into lines that end with LF, CR or CRLF. Byte order marks are removed: joined files have several. */
export function splitLines(bytes: Uint8Array): readonly string[] {
  const lines = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => (line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line))
}

const BYTE_ORDER_MARK = '\ufeff'

export function isBlank(line: string): boolean {
  return !/\S/.test(line)
}

/** Maximum size of an input that is read as one text; larger inputs must be split into lines. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024

export async function decodeBytes(bytes: ByteChunks): Promise<string> {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > MAX_TEXT_BYTES) {
      throw new InterlinguaError('stream-too-large', `The input is longer than ${MAX_TEXT_BYTES} bytes`, {
        expected: `at most ${MAX_TEXT_BYTES} bytes in one JSON document`,
        hint: 'Use JSONL, one JSON document per line: it is read line by line and may have any size.',
      })
    }
    pieces.push(decoder.decode(chunk, { stream: true }))
  }
  return pieces.join('') + decoder.decode()
}

export async function* encodeToBytes(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield new TextEncoder().encode(text)
}
