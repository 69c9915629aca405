import { InterlinguaError } from '../../errors.ts'

/** The longest text that is read as one; what is longer comes as lines. */
const LONGEST = 256 * 1024 * 1024

/** A source as one text. */
export async function textOfBytes(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > LONGEST) {
      throw new InterlinguaError('stream-too-large', `This is longer than ${LONGEST} bytes`, {
        expected: `at most ${LONGEST} bytes in one JSON text`,
        hint: 'Give one JSON text a line (.jsonl): lines are read one by one, however many there are.',
      })
    }
    pieces.push(decoder.decode(chunk, { stream: true }))
  }
  return pieces.join('') + decoder.decode()
}

/** A text as a source. */
export async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield new TextEncoder().encode(text)
}
