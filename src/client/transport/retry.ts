import { InterlinguaError, ProviderError } from '../../errors.ts'
import type { TransportSettings } from './settings.ts'

/** What an attempt gave, and which one it was. */
export interface Tried<T> {
  readonly value: T
  readonly attempts: number
}

/**
 * The one loop that tries again: what may pass by itself, after a wait that the provider names or that grows by chance,
 * as long as attempts, budget and time allow.
 */
export async function retrying<T>(
  attempt: (remaining: number) => Promise<T>,
  { retry, timeouts, now, random, sleep }: TransportSettings,
  signal: AbortSignal | undefined,
): Promise<Tried<T>> {
  const deadline = now() + timeouts.total
  let waited = 0
  for (let attempts = 1; ; attempts++) {
    try {
      return { value: await attempt(deadline - now()), attempts }
    } catch (error) {
      if (!(error instanceof InterlinguaError) || !error.retryable || attempts >= retry.attempts) throw error
      const wait = askedFor(error) ?? random() * Math.min(retry.longest, retry.base * 2 ** (attempts - 1))
      waited += wait
      if (wait > retry.longest || waited > retry.budget || now() + wait >= deadline) throw error
      await sleep(wait, signal)
    }
  }
}

/** How long the provider asks us to wait. */
function askedFor(error: InterlinguaError): number | undefined {
  return error instanceof ProviderError ? error.retryAfterMs : undefined
}
