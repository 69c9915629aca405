import { InterlinguaError } from '../errors.ts'
import type { OwnedBytes } from './base64.ts'
import { describeType } from './json.ts'
import { openReader } from './iterable-source.ts'

/**
 * Reads all bytes of a source; undefined if there are more than `maxBytes`, in which case the source is cancelled.
 *
 * @example
 * const bytes = await readBytes(response.body, 1_000_000)
 */
export async function readBytes(source: ByteSource, maxBytes: number): Promise<OwnedBytes | undefined> {
  const reader = openReader(source)
  const encoder = new TextEncoder()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let next = await reader.read(); next.done !== true; next = await reader.read()) {
    const chunk = typeof next.value === 'string' ? encoder.encode(next.value) : next.value
    size += chunk.length
    if (size > maxBytes) {
      // Not awaited: a source may never settle its cancellation.
      reader.cancel(undefined).catch(() => {})
      return undefined
    }
    chunks.push(chunk)
  }
  return concatBytes(chunks)
}

/** Joins chunks of bytes. */
export function concatBytes(chunks: readonly Uint8Array[]): OwnedBytes {
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

const encoder = new TextEncoder()

/** Returns text as bytes, and bytes as they are. */
export function toBytes(piece: string | Uint8Array): Uint8Array {
  return typeof piece === 'string' ? encoder.encode(piece) : piece
}

/** Joins texts and bytes. Texts are joined first: a buffer for each costs more than its characters. */
export function joinAsBytes(pieces: readonly (string | Uint8Array)[]): Uint8Array {
  const [only] = pieces
  if (only !== undefined && pieces.length === 1) return toBytes(only)
  return pieces.every((piece) => typeof piece === 'string')
    ? encoder.encode(pieces.join(''))
    : concatBytes(pieces.map(toBytes))
}

/** A source of bytes or text: the body of a response, a Node stream, a generator. */
export type ByteSource = AsyncIterable<Uint8Array | string> | ReadableStream<Uint8Array>

/**
 * Throws if a value is not a byte source, such as the missing body of a response, before anything awaits it.
 *
 * @example
 * assertByteSource(null) // throws: The source of a stream is null
 */
export function assertByteSource(source: ByteSource): void {
  const value: unknown = source
  if (typeof value === 'object' && value !== null) {
    if ('getReader' in value || Symbol.asyncIterator in value) return
  }
  const found = describeType(value)
  throw new InterlinguaError('invalid-type', `The source of a stream is ${found}`, {
    found,
    expected: 'a ReadableStream or an async iterable of bytes or text',
    hint: 'Pass the body of the response; a response without a body has no stream.',
  })
}
