import type { Middleware } from '../client/middleware/middleware.ts'
import { InterlinguaError, ProviderError } from '../errors.ts'
import { StreamError } from '../canonical/stream/accumulate.ts'
import type { CircuitOptions } from './config.ts'

const DEFAULT_FAILURES = 5
const DEFAULT_PAUSE_MS = 30_000

/**
 * Leaves out an upstream that fails again and again: after some failures in a row, calls fail at once for a while, so that
 * fallbacks answer without delay. Then one call tries again. Only failures of the upstream count, not those of a request.
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
    return this.#now() < this.#pausedUntil
  }

  /** The middleware for models of the upstream. */
  readonly middleware: Middleware = {
    generate: async (request, options, inner) => {
      this.#throwIfPaused(inner)
      try {
        const reply = await inner.generate(request, options)
        this.#failures = 0
        return reply
      } catch (error) {
        this.#record(error)
        throw error
      }
    },
    stream: (request, options, inner) => this.#stream(inner.stream(request, options), inner),
  }

  async *#stream(
    stream: ReturnType<Parameters<NonNullable<Middleware['stream']>>[2]['stream']>,
    inner: { readonly provider: string; readonly name: string },
  ): ReturnType<NonNullable<Middleware['stream']>> {
    this.#throwIfPaused(inner)
    try {
      yield* stream
      const reply = await stream.reply
      this.#failures = 0
      return reply
    } catch (error) {
      this.#record(error)
      throw error
    }
  }

  #throwIfPaused({ provider, name }: { readonly provider: string; readonly name: string }): void {
    if (!this.isPaused) return
    throw new ProviderError(`The provider '${provider}' failed several times and is left out for a while`, {
      kind: 'overloaded',
      status: 503,
      provider,
      model: name,
      retryAfterMs: this.#pausedUntil - this.#now(),
    })
  }

  #record(error: unknown): void {
    const cause = error instanceof StreamError ? error.cause : error
    if (!(cause instanceof InterlinguaError) || !cause.retryable) return
    this.#failures += 1
    if (this.#failures < this.#maxFailures) return
    this.#pausedUntil = this.#now() + this.#pauseMs
    // One failure after the pause starts the next one.
    this.#failures = this.#maxFailures - 1
  }
}
