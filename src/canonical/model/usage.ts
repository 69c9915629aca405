import type { Extra } from './extra.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** Token counts of any provider: input includes cached tokens (read and written), output includes reasoning. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  readonly cachedInputTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
  readonly extra?: Extra
}

const OPTIONAL_COUNTERS = ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const

/**
 * Returns the sum of usages, without `extra`. A count that none of them has stays absent.
 *
 * @example
 * addUsage({ inputTokens: 5, outputTokens: 2, totalTokens: 7 }, { inputTokens: 1, outputTokens: 1, totalTokens: 2 })
 * // { inputTokens: 6, outputTokens: 3, totalTokens: 9 }
 */
export function addUsage(...usages: readonly Usage[]): Usage {
  return withTypedErrors(() => {
    const sum = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
    const counters: { -readonly [key in (typeof OPTIONAL_COUNTERS)[number]]?: number } = {}
    for (const usage of usages) {
      sum.inputTokens += usage.inputTokens
      sum.outputTokens += usage.outputTokens
      sum.totalTokens += usage.totalTokens
      for (const key of OPTIONAL_COUNTERS) {
        if (usage[key] !== undefined) counters[key] = (counters[key] ?? 0) + usage[key]
      }
    }
    return Object.freeze({ ...sum, ...counters })
  }, usages)
}
