import type { EmbeddingModel, EmbeddingOptions } from '../canonical/model/model-interface.ts'
import { InterlinguaError } from '../errors.ts'
import { mapConcurrently } from '../wire/concurrency.ts'
import { assertNumericSettings } from '../wire/stream-limits.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'

/** Options of {@link embedAll}. */
export interface EmbedAllOptions extends EmbeddingOptions {
  /** The number of texts per request. Default: 100. */
  readonly batchSize?: number
}

/** The number of texts and of requests if the caller chooses none. */
const DEFAULT_BATCH_SIZE = 100
const DEFAULT_CONCURRENCY = 4

/**
 * Returns one vector per text, in the order of the texts. The texts are sent in batches, `concurrency` of them at
 * the same time (default: 4). The first error aborts the other batches.
 *
 * @example
 * await embedAll(model, chapters, { onProgress: (done, total) => console.log(`${done} of ${total}`) })
 */
export async function embedAll(
  model: EmbeddingModel,
  texts: readonly string[],
  options: EmbedAllOptions = {},
): Promise<readonly (readonly number[])[]> {
  const { batchSize = DEFAULT_BATCH_SIZE, concurrency = DEFAULT_CONCURRENCY, onProgress, ...call } = options
  assertNumericSettings('', { batchSize }, 1)
  const batches: (readonly string[])[] = []
  for (let start = 0; start < texts.length; start += batchSize)
    batches.push(texts.slice(start, start + batchSize))
  let done = 0
  const vectors = await mapConcurrently(
    batches,
    { concurrency, signal: call.signal },
    async (batch, signal) => {
      // The model sends its own batches one after the other, so that the limit is not multiplied.
      const reply = await model.embed(batch, { ...call, concurrency: 1, signal })
      checkVectorCount(reply.vectors, batch)
      done += batch.length
      onProgress?.(done, texts.length)
      return reply.vectors
    },
  )
  return vectors.flat()
}

function checkVectorCount(vectors: readonly unknown[], batch: readonly string[]): void {
  if (vectors.length === batch.length) return
  throw new InterlinguaError(
    'invalid-value',
    'The embedding model returned a different number of vectors than texts',
    { found: `${vectors.length} vectors`, expected: `${batch.length} vectors` },
  )
}

/**
 * Returns the cosine similarity of two vectors: 1 for the same direction, 0 for a right angle, -1 for
 * opposite directions. The result is 0 if a vector has length 0.
 *
 * @example
 * cosineSimilarity([1, 0], [1, 1]) // 0.7071…
 */
export function cosineSimilarity(a: readonly number[], b: readonly number[]): number {
  return withTypedErrors(() => {
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
  }, [a, b])
}
