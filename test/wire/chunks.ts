import fc from 'fast-check'
import { expect } from 'vitest'
import type { StreamLimits } from '../../src/wire/stream-limits.ts'
import type { StreamParserFactory } from '../../src/wire/stream-parser.ts'

type Chunk = Uint8Array | string

/** Chunk sizes that are used cyclically: 1, 7, or any. */
export const anySizes: fc.Arbitrary<readonly number[]> = fc.oneof(
  fc.constant([1]),
  fc.constant([7]),
  fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 }),
)

/** Splits text or bytes into chunks of these sizes. */
export function cut<T extends Chunk>(whole: T, sizes: readonly number[]): T[] {
  const pieces: T[] = []
  for (let start = 0, turn = 0; start < whole.length; turn++) {
    const end = start + (sizes[turn % sizes.length] ?? 1)
    pieces.push((typeof whole === 'string' ? whole.slice(start, end) : whole.slice(start, end)) as T)
    start = end
  }
  return pieces
}

/** A text with up to three defects: characters with a meaning in JSON removed and inserted. */
export function damaged(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const harm = fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom(...Array.from('[]{},:"\\ 10-.eutn\n')))
  return fc.tuple(text, fc.array(harm, { maxLength: 3 })).map(([whole, all]) =>
    all.reduce((left, [where, removed, added]) => {
      const at = where % (left.length + 1)
      return left.slice(0, at) + added + left.slice(at + removed)
    }, whole),
  )
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Returns all values that a push parser passes on. */
export function parseAll<T>(
  create: StreamParserFactory<T>,
  chunks: readonly Chunk[],
  limits?: StreamLimits,
): T[] {
  const found: T[] = []
  const parser = create((value) => found.push(value), limits)
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
  return found
}

/** Returns the values that a push parser passes on, and the code of the error that ends it. */
export function outcome<T>(
  create: StreamParserFactory<T>,
  chunks: readonly Chunk[],
  limits?: StreamLimits,
): { readonly found: readonly T[]; readonly code: unknown } {
  const found: T[] = []
  const parser = create((value) => found.push(value), limits)
  try {
    for (const chunk of chunks) parser.push(chunk)
    parser.end()
    return { found, code: undefined }
  } catch (error) {
    return { found, code: error instanceof Error && 'code' in error ? error.code : error }
  }
}

/** A source that yields these chunks, one per turn. */
export async function* sourceOf(chunks: Iterable<Chunk>): AsyncGenerator<Chunk> {
  for (const chunk of chunks) yield chunk
}

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

/** Returns the values before the error, and the error. */
export async function failure(values: AsyncIterable<unknown>): Promise<{ found: unknown[]; error: unknown }> {
  const found: unknown[] = []
  try {
    for await (const value of values) found.push(value)
  } catch (error) {
    return { found, error }
  }
  return expect.fail('the stream ended without an error')
}
