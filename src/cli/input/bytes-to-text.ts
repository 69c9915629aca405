import { InterlinguaError } from '../../errors.ts'
import { createLineSplitter } from '../../wire/line-splitter.ts'
import { parseByteSource } from '../../wire/stream-parser.ts'

/** The bytes of an input, chunk by chunk. */
export type ByteChunks = AsyncIterable<Uint8Array>

/** A non-blank line and its number, counted from 1. */
export interface InputLine {
  readonly lineNumber: number
  readonly text: string
}

/** Yields the non-blank lines of a source without buffering the rest. */
export function readLines(bytes: ByteChunks, signal: AbortSignal): AsyncIterable<InputLine> {
  const create = (onLine: (line: InputLine) => void): ReturnType<typeof createLineSplitter> => {
    let number = 0
    return createLineSplitter(
      (text, start, end) => {
        number++
        const line = text.slice(start, end)
        if (/\S/.test(line)) onLine({ lineNumber: number, text: line })
      },
      { maxTotalChars: Infinity },
    )
  }
  return parseByteSource(bytes, create, { signal })
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
