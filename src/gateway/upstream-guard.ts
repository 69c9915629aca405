import type { RetryInfo } from '../canonical/model/event.ts'
import type { CallOptions, Model } from '../canonical/model/model-interface.ts'
import { StreamError } from '../canonical/stream/accumulate.ts'
import { createForwardedStream, hasReaderLeft } from '../client/reply-stream.ts'
import { type InterlinguaError, ProviderError } from '../errors.ts'
import { toTypedError } from '../wire/typed-errors.ts'
import type { CircuitOptions, RetryBudget } from './config.ts'

const DEFAULT_RATIO = 0.2
const DEFAULT_BURST = 10

/**
 * Limits the retries of one upstream to a share of its requests. Without a limit, an upstream that fails because it is overloaded
 * gets several times as many requests as before.
 */
class RetryTokens {
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

const DEFAULT_FAILURES = 5
const DEFAULT_PAUSE_MS = 30_000

/**
 * Leaves out an upstream that fails again and again: after some failures in a row, calls fail at once for a while, so that
 * fallbacks answer without delay. Then one failure starts the next pause. Only failures of the upstream count, not those of a
 * request.
 */
class CircuitBreaker {
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

/** Something that happened to a call to a target. `retry`, `failure` and `skipped` have an error. */
export interface UpstreamEvent {
  /**
   * `attempt`: a request is sent. `retry`: it failed, and is sent again. `failure`: it failed, and is not. `skipped`: the target
   * is left out because it failed before. `success`: the answer is complete.
   */
  readonly type: 'attempt' | 'retry' | 'failure' | 'skipped' | 'success'
  /** The target as `provider:model`. */
  readonly target: string
  /** The target as the configuration has it, perhaps with `*`. */
  readonly pattern: string
  readonly error?: InterlinguaError
}

/** Protects one target of the configuration: leaves it out while it fails, and limits its retries. */
export class UpstreamGuard {
  readonly #pattern: string
  readonly #breaker: CircuitBreaker
  readonly #retries: RetryTokens

  constructor(pattern: string, circuit: CircuitOptions | undefined, budget: RetryBudget | undefined) {
    this.#pattern = pattern
    this.#breaker = new CircuitBreaker(circuit)
    this.#retries = new RetryTokens(budget)
  }

  get isPaused(): boolean {
    return this.#breaker.isPaused
  }

  /** Returns a model of the target that is guarded; `observe` is called for each event. */
  guard(model: Model, target: string, observe: (event: UpstreamEvent) => void): Model {
    const emit = (type: UpstreamEvent['type'], error?: InterlinguaError): void =>
      observe({ type, target, pattern: this.#pattern, ...(error && { error }) })
    const start = (options: CallOptions): CallOptions => {
      const { pausedMs } = this.#breaker
      if (pausedMs > 0) {
        const error = createPausedError(model, pausedMs)
        emit('skipped', error)
        throw error
      }
      this.#retries.addRequest()
      emit('attempt')
      return { ...options, onRetry: (retry) => this.#retry(retry, options, emit) }
    }
    const succeed = (): void => {
      this.#breaker.addSuccess()
      emit('success')
    }
    const fail = (error: unknown): void => {
      const cause = toTypedError(error instanceof StreamError ? error.cause : error)
      this.#breaker.addFailure(cause)
      emit('failure', cause)
    }
    const { name, provider, capabilities, background } = model
    const countTokens = model.countTokens?.bind(model)
    return {
      name,
      provider,
      capabilities,
      ...(countTokens && { countTokens }),
      ...(background && { background }),
      async generate(input, options = {}) {
        const call = start(options)
        try {
          const reply = await model.generate(input, call)
          succeed()
          return reply
        } catch (error) {
          fail(error)
          throw error
        }
      },
      stream: (input, callerOptions = {}) =>
        createForwardedStream(async (signal) => {
          const options = { ...callerOptions, signal }
          const stream = model.stream(input, start(options))
          return {
            events: stream,
            async finish() {
              const reply = await stream.reply
              succeed()
              return reply
            },
            onError(error) {
              if (!hasReaderLeft(options)) fail(error)
            },
          }
        }, callerOptions.signal),
    }
  }

  /** An error that this method throws ends the call without the retry. */
  #retry(
    retry: RetryInfo,
    { onRetry }: CallOptions,
    emit: (type: UpstreamEvent['type'], error?: InterlinguaError) => void,
  ): void {
    if (!this.#retries.takeRetry()) throw retry.error
    onRetry?.(retry)
    emit('retry', retry.error)
    emit('attempt')
  }
}

function createPausedError({ provider, name }: Model, retryAfterMs: number): ProviderError {
  return new ProviderError(`The provider '${provider}' failed several times and is left out for a while`, {
    kind: 'overloaded',
    status: 503,
    provider,
    model: name,
    retryAfterMs,
  })
}
