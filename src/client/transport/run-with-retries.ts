import { InterlinguaError, ProviderError } from '../../errors.ts'
import type { RetryInfo } from '../../canonical/model/event.ts'
import type { CallOptions } from '../../canonical/model/model-interface.ts'
import type { TransportSettings } from './settings.ts'

/** The result of the successful attempt and the number of attempts. */
export interface RetryResult<T> {
  readonly value: T
  readonly attempts: number
}

/** Retries retryable errors within the limits, after the provider's delay or a random exponential one. */
export async function runWithRetries<T>(
  attempt: (remaining: number) => Promise<T>,
  { retry, timeouts, onRetry, now, random, sleep }: TransportSettings,
  call: Pick<CallOptions, 'signal' | 'onRetry'>,
): Promise<RetryResult<T>> {
  const deadline = now() + timeouts.totalMs
  let waitedMs = 0
  for (let attempts = 1; ; attempts++) {
    try {
      return { value: await attempt(deadline - now()), attempts }
    } catch (error) {
      if (!(error instanceof InterlinguaError) || !error.retryable || attempts >= retry.maxAttempts)
        throw error
      const requestedMs = error instanceof ProviderError ? error.retryAfterMs : undefined
      const backoffMs = Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** (attempts - 1))
      const waitMs = requestedMs ?? Math.round(random() * backoffMs)
      waitedMs += waitMs
      if (waitMs > retry.maxDelayMs || waitedMs > retry.maxTotalDelayMs || now() + waitMs >= deadline)
        throw error
      const failed: RetryInfo = { attempt: attempts, delayMs: waitMs, error }
      onRetry(failed)
      call.onRetry?.(failed)
      await sleep(waitMs, call.signal)
    }
  }
}
