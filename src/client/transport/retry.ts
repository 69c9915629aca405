import { InterlinguaError, ProviderError } from '../../errors.ts'
import type { TransportSettings } from './settings.ts'

/** What an attempt gave, and which one it was. */
export interface RetryResult<T> {
  readonly value: T
  readonly attempts: number
}

/**
 * The one loop that tries again: what may pass by itself, after a wait that the provider names or that grows by chance,
 * as long as attempts, budget and time allow.
 */
export async function runWithRetries<T>(
  attempt: (remaining: number) => Promise<T>,
  { retry, timeouts, now, random, sleep }: TransportSettings,
  signal: AbortSignal | undefined,
): Promise<RetryResult<T>> {
  const deadline = now() + timeouts.totalMs
  let waitedMs = 0
  for (let attempts = 1; ; attempts++) {
    try {
      return { value: await attempt(deadline - now()), attempts }
    } catch (error) {
      if (!(error instanceof InterlinguaError) || !error.retryable || attempts >= retry.maxAttempts)
        throw error
      const waitMs =
        getRetryAfterMs(error) ??
        random() * Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** (attempts - 1))
      waitedMs += waitMs
      if (waitMs > retry.maxDelayMs || waitedMs > retry.maxTotalDelayMs || now() + waitMs >= deadline)
        throw error
      await sleep(waitMs, signal)
    }
  }
}

/** How long the provider asks us to wait. */
function getRetryAfterMs(error: InterlinguaError): number | undefined {
  return error instanceof ProviderError ? error.retryAfterMs : undefined
}
