import type { EmbeddingModel, EmbeddingOptions } from '../canonical/model/model-interface.ts'
import { InterlinguaError } from '../errors.ts'
import { assertNumericSettings } from '../wire/limits.ts'

/** What {@link embedAll} takes. */
export interface EmbedAllOptions extends EmbeddingOptions {
  /** How many texts go out together. Default: 100. */
  readonly batchSize?: number
}

/**
 * One vector per text, however many there are: asked for in batches, one after the other, with progress.
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
    if (reply.vectors.length !== batch.length) throw wrongVectorCount(reply.vectors.length, batch.length)
    vectors.push(...reply.vectors)
    onProgress?.(vectors.length, texts.length)
  }
  return vectors
}

function wrongVectorCount(found: number, expected: number): InterlinguaError {
  return new InterlinguaError('invalid-value', 'The model gave another number of vectors than texts', {
    found: `${found} vectors`,
    expected: `${expected} vectors`,
  })
}

/**
 * How alike two vectors point: 1 the same way, 0 at right angles, -1 against each other. A vector without length is like none.
 *
 * @example
 * cosineSimilarity([1, 0], [1, 1]) // 0.7071…
 */
export function cosineSimilarity(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) {
    throw new InterlinguaError('invalid-value', 'Vectors of different lengths cannot be compared', {
      found: `${a.length} and ${b.length} numbers`,
      expected: 'as many numbers in both',
      hint: 'Compare vectors of one model with one setting of its dimensions.',
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
  // Rounding must not lead beyond what an angle can be.
  return lengths === 0 ? 0 : Math.max(-1, Math.min(1, product / lengths))
}
