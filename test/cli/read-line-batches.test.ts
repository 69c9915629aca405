import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type LineBatch, readLineBatches } from '../../src/cli/input/read-line-batches.ts'
import { readLines, splitLines } from '../../src/cli/input/bytes-to-text.ts'

const bytesOf = (text: string): Buffer => Buffer.from(text)

/** Yields bytes in chunks that end at the given places. */
async function* inChunks(bytes: Buffer, ends: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0
  for (const end of [...ends.toSorted((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(start, Math.max(start, end))
    start = Math.max(start, end)
  }
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of source) found.push(each)
  return found
}

const pieces = fc.array(fc.constantFrom('\n', '\r', '\r\n', 'a', 'é', '🙂', '\ufeff', ' ', '\0'), {
  maxLength: 40,
})
const splits = fc.array(fc.nat(60), { maxLength: 8 })

describe('batches of lines', () => {
  test('contain the lines of the input, however it is split into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, splits, async (parts, ends) => {
        const bytes = bytesOf(parts.join(''))
        const batches = await all(readLineBatches(inChunks(bytes, ends)))
        expect(Buffer.concat(batches.map((batch) => batch.bytes))).toEqual(bytes)
        expect(batches.flatMap((batch) => splitLines(batch.bytes))).toEqual(splitLines(bytes))
      }),
    )
  })

  test('omit a line that is too long, and count it', async () => {
    const long = 'x'.repeat(50)
    await fc.assert(
      fc.asyncProperty(splits, fc.constantFrom('\n', '\r', '\r\n'), async (ends, end) => {
        const text = ['a', long, 'b', '', long].join(end)
        let count = 0
        const seen: string[] = []
        for (const batch of await all(readLineBatches(inChunks(bytesOf(text), ends), 20))) {
          if (batch.error !== undefined) seen.push(`${count + 1}: ${batch.error.code}`)
          for (const line of splitLines(batch.bytes)) {
            count++
            // A line that ends in the same chunk is complete, and needs no more memory.
            if (line === long) seen.push(`${count}: line-too-long`)
            else if (line !== '') seen.push(`${count}: ${line}`)
          }
        }
        expect(seen).toEqual(['1: a', '2: line-too-long', '3: b', '5: line-too-long'])
      }),
    )
  })

  test('own their bytes, so that they can be transferred to a thread', async () => {
    const chunk = bytesOf('a\nb\nc')
    for (const { bytes } of await all<LineBatch>(readLineBatches(inChunks(chunk, [])))) {
      structuredClone(bytes, { transfer: [bytes.buffer] })
      expect(bytes.length).toBe(0)
    }
    expect(chunk.toString()).toBe('a\nb\nc')
  })

  test('lines of joined files have no byte order marks, and blank lines are counted', async () => {
    const source = inChunks(bytesOf('\ufeffa\r\n\r\n\ufeffb\n'), [4])
    const lines = await all(readLines(source, new AbortController().signal))
    expect(lines).toEqual([
      { lineNumber: 1, text: 'a' },
      { lineNumber: 3, text: 'b' },
    ])
  })
})
