import type { RetryBudget } from '../config.ts'

const DEFAULT_RATIO = 0.2
const DEFAULT_BURST = 10

/**
 * Limits the retries of one upstream to a share of its requests. Without a limit, an upstream that fails because it is overloaded
 * gets several times as many requests as before.
 */
export class RetryTokens {
  readonly #ratio: number
  readonly #burst: number
  #tokens: number

  constructor({ ratio = DEFAULT_RATIO, burst = DEFAULT_BURST }: RetryBudget = {}) {
    this.#ratio = ratio
    this.#burst = burst
    this.#tokens = burst
  }

  /** Counts a request that is not a retry. */
  addRequest(): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + this.#ratio)
  }

  /** Returns true if a retry is allowed, and counts it. */
  takeRetry(): boolean {
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}
