import { InterlinguaError } from '../errors.ts'
import { describeType } from './json.ts'
import { openIterableReader, type SourceReader } from './pull-iterator.ts'

/**
 * All bytes of a source; undefined where they are more than allowed, and the rest is then not read.
 *
 * @example
 * const bytes = await readBytes(response.body, 1_000_000)
 */
export async function readBytes(
  source: ByteSource,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const input = openByteReader(source)
  const encoder = new TextEncoder()
  const pieces: Uint8Array[] = []
  let size = 0
  for (let next = await input.read(); next.done !== true; next = await input.read()) {
    const piece = typeof next.value === 'string' ? encoder.encode(next.value) : next.value
    size += piece.length
    if (size > maxBytes) {
      // A source that does not let go must not hold us up.
      input.cancel(undefined).catch(() => {})
      return undefined
    }
    pieces.push(piece)
  }
  return concatBytes(pieces, size)
}

function concatBytes(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** Where a stream comes from: the body of a response, a Node stream, a generator. */
export type ByteSource = AsyncIterable<Uint8Array | string> | ReadableStream<Uint8Array>

/**
 * Takes hold of a source. A web stream is read through its reader, since not every browser can iterate over one.
 *
 * @example
 * const input = openInput(response.body)
 * const { done, value } = await input.read()
 * await input.cancel('enough')
 */
export function openByteReader(source: ByteSource): SourceReader<Uint8Array | string> {
  if (!('getReader' in source)) return openIterableReader(source)
  const reader = source.getReader()
  const release = (): void => reader.releaseLock()
  return {
    async read() {
      try {
        const chunk = await reader.read()
        if (chunk.done) release()
        return chunk
      } catch (error) {
        release()
        throw error
      }
    },
    cancel: (reason) => reader.cancel(reason).finally(release),
  }
}

/**
 * Refuses what cannot be read, such as the missing body of a response, before anyone waits for it.
 *
 * @example
 * requireSource(null) // throws: The source of a stream is null
 */
export function assertByteSource(source: ByteSource): void {
  const given: unknown = source
  if (typeof given === 'object' && given !== null) {
    if ('getReader' in given || Symbol.asyncIterator in given) return
  }
  const found = describeType(given)
  throw new InterlinguaError('invalid-type', `The source of a stream is ${found}`, {
    found,
    expected: 'a ReadableStream or an async iterable of bytes or text',
    hint: 'Pass the body of the response; an answer without one has no stream.',
  })
}
