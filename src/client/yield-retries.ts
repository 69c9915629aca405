import type { RetryEvent, RetryInfo } from '../canonical/model/event.ts'
import type { CallOptions } from '../canonical/model/model-interface.ts'
import { AsyncQueue } from '../wire/async-queue.ts'
import { forwardReader } from '../wire/iterable-source.ts'

/** Runs a call and yields its retries while it waits. */
export async function* yieldRetries<T>(
  call: CallOptions,
  run: (call: CallOptions) => Promise<T>,
): AsyncGenerator<RetryEvent, T, undefined> {
  const retries = new AsyncQueue<RetryEvent>()
  const onRetry = (retry: RetryInfo): void => {
    call.onRetry?.(retry)
    retries.push({ type: 'retry', ...retry })
  }
  const result = run({ ...call, onRetry }).finally(() => retries.end())
  // The result of a call that the reader left is not awaited.
  result.catch(() => {})
  yield* forwardReader(() => retries)
  return result
}
