import { InterlinguaError } from '../errors.ts'
import { describe } from './json.ts'

/** Where a stream comes from: the body of a response, a Node stream, a generator. */
export type ByteSource = AsyncIterable<Uint8Array | string> | ReadableStream<Uint8Array>

/** A piece of a stream, or its end. */
export type Chunk = IteratorResult<Uint8Array | string, unknown>

/** Both kinds of source under one name each for reading on and for letting go. */
export interface Input {
  read(): Promise<Chunk>
  cancel(reason: unknown): Promise<unknown>
}

/**
 * Takes hold of a source. A web stream is read through its reader, since not every browser can iterate over one.
 *
 * @example
 * const input = openInput(response.body)
 * const { done, value } = await input.read()
 * await input.cancel('enough')
 */
export function openInput(source: ByteSource): Input {
  if (!('getReader' in source)) {
    const iterator = source[Symbol.asyncIterator]()
    return { read: () => iterator.next(), cancel: async () => iterator.return?.() }
  }
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
export function requireSource(source: ByteSource): void {
  const given: unknown = source
  if (typeof given === 'object' && given !== null) {
    if ('getReader' in given || Symbol.asyncIterator in given) return
  }
  const found = describe(given)
  throw new InterlinguaError('invalid-type', `The source of a stream is ${found}`, {
    found,
    expected: 'a ReadableStream or an async iterable of bytes or text',
    hint: 'Pass the body of the response; an answer without one has no stream.',
  })
}
