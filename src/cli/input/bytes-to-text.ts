import { InterlinguaError } from '../../errors.ts'
import { createLineSplitter } from '../../wire/line-splitter.ts'
import { parseByteSource } from '../../wire/stream-parser.ts'

/** A line that is not blank, with its number from 1. */
export interface InputLine {
  readonly lineNumber: number
  readonly text: string
}

/** The lines of a source, one after the other, however long the whole is. */
export function readLines(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<InputLine> {
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

/** The longest text that is read as one; what is longer comes as lines. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024

/** A source as one text. */
export async function decodeBytes(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > MAX_TEXT_BYTES) {
      throw new InterlinguaError('stream-too-large', `This is longer than ${MAX_TEXT_BYTES} bytes`, {
        expected: `at most ${MAX_TEXT_BYTES} bytes in one JSON text`,
        hint: 'Give one JSON text a line (.jsonl): lines are read one by one, however many there are.',
      })
    }
    pieces.push(decoder.decode(chunk, { stream: true }))
  }
  return pieces.join('') + decoder.decode()
}

/** A text as a source. */
export async function* encodeToBytes(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield new TextEncoder().encode(text)
}
