import { embedAll, type EmbedAllOptions } from '../agent/embeddings.ts'
import type { EmbeddingModel } from '../canonical/model/model-interface.ts'
import { InterlinguaError } from '../errors.ts'
import type { StoredVector } from './memory-rows.ts'
import type { MemoryVector } from './memory-store.ts'

/** The model that computes the vectors of a memory store, and how texts are sent to it. */
export interface MemoryEmbeddingOptions extends Pick<
  EmbedAllOptions,
  'batchSize' | 'concurrency' | 'dimensions'
> {
  readonly model: EmbeddingModel
}

/** Longest name of a model: it is part of an index. */
export const MAX_MODEL_NAME_LENGTH = 128

/** Returns the name under which the vectors of a model are stored. */
export function getStoredModelName({ provider, name }: EmbeddingModel): string {
  return `${provider}/${name}`.slice(0, MAX_MODEL_NAME_LENGTH)
}

/**
 * Converts a vector to the stored form: divided by its length, so that the product of two vectors is their cosine
 * similarity, and as 32-bit numbers, of which embedding models return no more digits.
 */
export function toStoredVector({ model, values }: MemoryVector): StoredVector {
  const length = measureLength(values)
  const numbers = Float32Array.from(values, (value) => (length === 0 ? 0 : value / length))
  return { model, dimensions: values.length, bytes: new Uint8Array(numbers.buffer) }
}

/** Returns the length of a vector; the largest number is factored out, so that no square overflows. */
function measureLength(values: readonly number[]): number {
  let largest = 0
  for (const value of values) largest = Math.max(largest, Math.abs(value))
  if (largest === 0) return 0
  let sum = 0
  for (const value of values) sum += (value / largest) ** 2
  return largest * Math.sqrt(sum)
}

/** Returns a function that computes the cosine similarity of a stored vector to this one. */
export function createSimilarity(query: Uint8Array): (bytes: Uint8Array) => number {
  const a = toNumbers(query)
  return (bytes) => {
    const b = toNumbers(bytes)
    let sum = 0
    for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0)
    // Rounding errors must not exceed the range of a cosine.
    return Math.max(-1, Math.min(1, sum))
  }
}

/** Returns the numbers of a stored vector. Bytes that a driver returns may start at any address. */
function toNumbers(bytes: Uint8Array): Float32Array {
  const isAligned = bytes.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0
  const { buffer, byteOffset } = isAligned ? bytes : Uint8Array.from(bytes)
  return new Float32Array(buffer, byteOffset, bytes.byteLength / Float32Array.BYTES_PER_ELEMENT)
}

/** Computes the vectors of texts: in batches, several of them at the same time. */
export async function embedTexts(
  { model, ...options }: MemoryEmbeddingOptions,
  texts: readonly string[],
  purpose: 'query' | 'document',
  maxDimensions: number,
  signal: AbortSignal | undefined,
): Promise<readonly StoredVector[]> {
  if (texts.length === 0) return []
  const vectors = await embedAll(model, texts, { ...options, purpose, ...(signal && { signal }) })
  return vectors.map((values) => {
    if (isVector(values, maxDimensions)) return toStoredVector({ model: getStoredModelName(model), values })
    throw new InterlinguaError('invalid-value', 'The embedding model returned an invalid vector', {
      found: Array.isArray(values) ? `${values.length} values` : 'another value',
      expected: `1 to ${maxDimensions} finite numbers`,
      hint: 'Use another model, or raise `maxDimensions`.',
    })
  })
}

/** Tests whether a value is a list of finite numbers that is not too long. */
export function isVector(values: readonly number[], maxDimensions: number): boolean {
  if (!Array.isArray(values) || values.length === 0 || values.length > maxDimensions) return false
  return values.every((value) => Number.isFinite(value))
}
