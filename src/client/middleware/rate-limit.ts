import { InterlinguaError } from '../../errors.ts'
import { createAbortablePromise, MAX_TIMER_MS } from '../../wire/cancellation.ts'
import type { Reply } from '../../canonical/model/model-interface.ts'
import { checkOptions } from '../../wire/check-options.ts'
import type { Middleware } from './middleware.ts'

/** Options of {@link rateLimit}. */
export interface RateLimitOptions {
  /** The length of the interval. Default: one minute. */
  readonly intervalMs?: number
  /** The number of requests per interval. Default: unlimited. */
  readonly maxRequests?: number
  /** The number of input and output tokens per interval. Default: unlimited. */
  readonly maxTokens?: number
}

/**
 * Returns a middleware that queues requests to stay within a provider's rate limits. Requests are sent in the
 * order in which they were made; an aborted request leaves the queue. The tokens of a request are known only
 * after its response, so an excess is compensated by a wait before the next request.
 *
 * Each middleware has its own limit: wrap several models with the same one to share it.
 *
 * @example
 * wrapModel(model, rateLimit({ maxRequests: 60, maxTokens: 100_000 }))
 */
export function rateLimit(options: RateLimitOptions): Middleware {
  checkOptions('`rateLimit`', options, { intervalMs: true, maxRequests: true, maxTokens: true })
  const { intervalMs = 60_000, maxRequests, maxTokens } = options
  const requestBucket = new TokenBucket('maxRequests', maxRequests, intervalMs)
  const tokenBucket = new TokenBucket('maxTokens', maxTokens, intervalMs)
  const queue = new WaitQueue(() => {
    const wait = Math.max(requestBucket.getWaitMs(), tokenBucket.getWaitMs())
    if (wait === 0) requestBucket.spend(1)
    return wait
  })
  const spendTokens = (reply: Reply): Reply => {
    tokenBucket.spend(reply.usage?.totalTokens ?? 0)
    return reply
  }
  return {
    async generate(request, options, inner) {
      await queue.enter(options.signal)
      return spendTokens(await inner.generate(request, options))
    },
    async *stream(request, options, inner) {
      await queue.enter(options.signal)
      const stream = inner.stream(request, options)
      yield* stream
      return spendTokens(await stream.reply)
    },
  }
}

/** A token bucket that refills at a constant rate. It may become negative. */
class TokenBucket {
  readonly #size: number
  readonly #rate: number
  #left: number
  #refilledAt: number = performance.now()

  constructor(option: string, size: number | undefined, intervalMs: number) {
    if ((size !== undefined && !(size >= 1)) || !(intervalMs > 0)) throw limitTooLowError(option)
    this.#size = size ?? Infinity
    this.#rate = this.#size / intervalMs
    this.#left = this.#size
  }

  /** Returns the time until one unit is available. */
  getWaitMs(): number {
    this.#refill()
    return this.#left >= 1 ? 0 : (1 - this.#left) / this.#rate
  }

  spend(amount: number): void {
    this.#refill()
    this.#left -= amount
  }

  #refill(): void {
    const now = performance.now()
    if (this.#size === Infinity) return
    this.#left = Math.min(this.#size, this.#left + (now - this.#refilledAt) * this.#rate)
    this.#refilledAt = now
  }
}

function limitTooLowError(option: string): InterlinguaError {
  return new InterlinguaError('invalid-value', `The limit \`${option}\` would never allow a request`, {
    path: `/${option}`,
    expected: 'at least 1, with `intervalMs` greater than 0',
    hint: 'Omit the option for no limit.',
  })
}

/** A first-in, first-out queue of waiting requests. */
class WaitQueue {
  readonly #waiting = new Set<() => void>()
  /** Takes the capacity for one request and returns 0, or returns the milliseconds to wait. */
  readonly #tryTake: () => number
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(tryTake: () => number) {
    this.#tryTake = tryTake
  }

  enter(signal: AbortSignal | undefined): Promise<void> {
    return createAbortablePromise<void>(signal, (resolve) => {
      const enter = (): void => resolve()
      this.#waiting.add(enter)
      if (this.#timer === undefined) this.#serve()
      return () => this.#leave(enter)
    })
  }

  #leave(enter: () => void): void {
    this.#waiting.delete(enter)
    if (this.#waiting.size > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #serve(): void {
    this.#timer = undefined
    for (const enter of this.#waiting) {
      const wait = this.#tryTake()
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#serve(), Math.min(Math.ceil(wait), MAX_TIMER_MS))
        return
      }
      this.#waiting.delete(enter)
      enter()
    }
  }
}
