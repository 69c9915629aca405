import type { RetryEvent, RetryInfo } from '../canonical/model/event.ts'
import type { CallOptions } from '../canonical/model/model-interface.ts'
import { AsyncQueue } from '../wire/async-queue.ts'

/** Runs a call and yields its retries while it waits. Leaving the iteration aborts the call. */
export async function* yieldRetries<T>(
  call: CallOptions,
  run: (call: CallOptions) => Promise<T>,
): AsyncGenerator<RetryEvent, T, undefined> {
  const controller = new AbortController()
  const signal = AbortSignal.any([controller.signal, ...(call.signal === undefined ? [] : [call.signal])])
  const retries = new AsyncQueue<RetryEvent>()
  const onRetry = (retry: RetryInfo): void => {
    call.onRetry?.(retry)
    retries.push({ type: 'retry', ...retry })
  }
  const result = run({ ...call, signal, onRetry }).finally(() => retries.end())
  // The result of a call that the reader left is not awaited.
  result.catch(() => {})
  let isComplete = false
  try {
    yield* retries
    isComplete = true
    return await result
  } finally {
    if (!isComplete) controller.abort()
  }
}
