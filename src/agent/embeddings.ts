import type { EmbeddingModel, EmbeddingOptions } from '../canonical/model/model-interface.ts'
import { InterlinguaError } from '../errors.ts'
import { assertNumericSettings } from '../wire/stream-limits.ts'

/** Options of {@link embedAll}. */
export interface EmbedAllOptions extends EmbeddingOptions {
  /** The number of texts per request. Default: 100. */
  readonly batchSize?: number
}

/**
 * Returns one vector per text. The texts are sent in batches, one after the other.
 *
 * @example
 * await embedAll(model, chapters, { onProgress: (done, total) => console.log(`${done} of ${total}`) })
 */
export async function embedAll(
  model: EmbeddingModel,
  texts: readonly string[],
  { batchSize = 100, onProgress, ...options }: EmbedAllOptions = {},
): Promise<readonly (readonly number[])[]> {
  assertNumericSettings('', { batchSize }, 1)
  const vectors: (readonly number[])[] = []
  for (let start = 0; start < texts.length; start += batchSize) {
    options.signal?.throwIfAborted()
    const batch = texts.slice(start, start + batchSize)
    const reply = await model.embed(batch, options)
    if (reply.vectors.length !== batch.length) {
      throw new InterlinguaError(
        'invalid-value',
        'The embedding model returned a different number of vectors than texts',
        { found: `${reply.vectors.length} vectors`, expected: `${batch.length} vectors` },
      )
    }
    vectors.push(...reply.vectors)
    onProgress?.(vectors.length, texts.length)
  }
  return vectors
}

/**
 * Returns the cosine similarity of two vectors: 1 for the same direction, 0 for a right angle, -1 for
 * opposite directions. The result is 0 if a vector has length 0.
 *
 * @example
 * cosineSimilarity([1, 0], [1, 1]) // 0.7071…
 */
export function cosineSimilarity(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) {
    throw new InterlinguaError('invalid-value', 'Vectors of different lengths cannot be compared', {
      found: `${a.length} and ${b.length} numbers`,
      expected: 'the same number of dimensions in both',
      hint: 'Compare only vectors of the same model with the same `dimensions`.',
    })
  }
  let product = 0
  let lengthA = 0
  let lengthB = 0
  for (let index = 0; index < a.length; index++) {
    const [x, y] = [a[index] ?? 0, b[index] ?? 0]
    product += x * y
    lengthA += x * x
    lengthB += y * y
  }
  const lengths = Math.sqrt(lengthA) * Math.sqrt(lengthB)
  // Rounding errors must not exceed the range of a cosine.
  return lengths === 0 ? 0 : Math.max(-1, Math.min(1, product / lengths))
}
