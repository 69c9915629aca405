import { onAbort, rejectOnAbort, throwIfAborted } from './cancellation.ts'
import { assertNumericSettings } from './stream-limits.ts'

/** Limits the number of tasks that run at the same time; the others wait in order. */
export class ConcurrencyLimiter {
  readonly #limit: number
  readonly #waiting: (() => void)[] = []
  #runningCount = 0

  constructor(limit: number) {
    assertNumericSettings('', { concurrency: limit }, 1)
    this.#limit = limit
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#runningCount >= this.#limit) await new Promise<void>((enter) => this.#waiting.push(enter))
    else this.#runningCount += 1
    try {
      return await work()
    } finally {
      // The slot passes to the next task in the queue, or becomes free.
      const next = this.#waiting.shift()
      if (next === undefined) this.#runningCount -= 1
      else next()
    }
  }
}

/** Options of {@link mapConcurrently}. */
export interface ConcurrentMapOptions {
  /** The number of items that are processed at the same time. */
  readonly concurrency: number
  /** Aborts the items in progress; the others are not started. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Maps items in parallel, up to a limit. Results are in the order of the items. The first error aborts the
 * items in progress and rejects with that error; the remaining items are not started. Hung items are not awaited
 * after an abort.
 *
 * @example
 * await mapConcurrently(urls, { concurrency: 4 }, (url, signal) => fetch(url, { signal }))
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  { concurrency, signal }: ConcurrentMapOptions,
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  assertNumericSettings('', { concurrency }, 1)
  const results: R[] = []
  const controller = new AbortController()
  const removeListener = signal && onAbort(signal, () => controller.abort(signal.reason))
  if (signal?.aborted) controller.abort(signal.reason)
  let nextIndex = 0

  async function processItems(): Promise<void> {
    while (nextIndex < items.length) {
      throwIfAborted(controller.signal)
      const index = nextIndex++
      results[index] = await rejectOnAbort(work(items[index] as T, controller.signal), controller.signal)
    }
  }

  const workers = Array.from({ length: Math.min(concurrency, items.length) }, async () => {
    try {
      await processItems()
    } catch (error) {
      controller.abort(error)
      throw error
    }
  })
  try {
    await Promise.all(workers)
    return results
  } finally {
    removeListener?.()
  }
}
