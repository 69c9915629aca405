import type { InterlinguaError } from '../errors.ts'
import type { CircuitOptions } from './config.ts'

const DEFAULT_FAILURES = 5
const DEFAULT_PAUSE_MS = 30_000

/**
 * Leaves out an upstream that fails again and again: after some failures in a row, calls fail at once for a while, so that
 * fallbacks answer without delay. Then one failure starts the next pause. Only failures of the upstream count, not those of a
 * request.
 */
export class CircuitBreaker {
  readonly #maxFailures: number
  readonly #pauseMs: number
  readonly #now: () => number
  #failures = 0
  #pausedUntil = 0

  constructor(
    { failures = DEFAULT_FAILURES, pauseMs = DEFAULT_PAUSE_MS }: CircuitOptions = {},
    now: () => number = Date.now,
  ) {
    this.#maxFailures = failures
    this.#pauseMs = pauseMs
    this.#now = now
  }

  get isPaused(): boolean {
    return this.pausedMs > 0
  }

  /** The rest of the pause in milliseconds; 0 without one. */
  get pausedMs(): number {
    return Math.max(0, this.#pausedUntil - this.#now())
  }

  addSuccess(): void {
    this.#failures = 0
  }

  addFailure(error: InterlinguaError): void {
    if (!error.retryable) return
    this.#failures += 1
    if (this.#failures < this.#maxFailures) return
    this.#pausedUntil = this.#now() + this.#pauseMs
    this.#failures = this.#maxFailures - 1
  }
}
