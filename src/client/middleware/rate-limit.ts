import { InterlinguaError } from '../../errors.ts'
import { createAbortablePromise, MAX_TIMER_MS } from '../../wire/cancellation.ts'
import type { Reply } from '../../canonical/model/model-interface.ts'
import type { Middleware } from './middleware.ts'

/** How much may be asked in which time. */
export interface RateLimitOptions {
  /** Milliseconds. Default: a minute. */
  readonly intervalMs?: number
  /** Requests in an interval. */
  readonly maxRequests?: number
  /** Tokens in an interval, of questions and answers together. */
  readonly maxTokens?: number
}

/**
 * Lets requests wait for their turn, so that no more go out than a provider allows. They go out in the order in which they
 * came; one that is aborted while it waits leaves the queue, and holds up nobody. Tokens are known only when an answer has
 * come, so what went beyond them is made up for by waiting before the next request.
 *
 * One middleware is one allowance: wrap several models with the same one to share it.
 *
 * @example
 * wrap(model, rateLimit({ requests: 60, tokens: 100_000 }))
 */
export function rateLimit({ intervalMs = 60_000, maxRequests, maxTokens }: RateLimitOptions): Middleware {
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
      const answer = inner.stream(request, options)
      yield* answer
      return spendTokens(await answer.reply)
    },
  }
}

/** Something of which there is so much at first, and as much again in each interval. It may be overdrawn. */
class TokenBucket {
  readonly #size: number
  readonly #rate: number
  #left: number
  #refilledAt: number = performance.now()

  constructor(what: string, size: number | undefined, interval: number) {
    if ((size !== undefined && !(size >= 1)) || !(interval > 0)) throw limitTooLowError(what)
    this.#size = size ?? Infinity
    this.#rate = this.#size / interval
    this.#left = this.#size
  }

  /** Milliseconds until one is there. */
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

function limitTooLowError(what: string): InterlinguaError {
  return new InterlinguaError('invalid-value', `A limit of ${what} would never let anything through`, {
    path: `/${what}`,
    expected: 'at least 1, in an interval of more than 0 ms',
    hint: 'Leave out what is not limited.',
  })
}

/** Those who wait, first come, first served. */
class WaitQueue {
  readonly #waiting = new Set<() => void>()
  /** Takes what one of them needs and gives 0, or says how many milliseconds it is to be waited for. */
  readonly #tryTake: () => number
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(take: () => number) {
    this.#tryTake = take
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
