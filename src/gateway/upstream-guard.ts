import type { RetryInfo } from '../canonical/model/event.ts'
import type { CallOptions, Model } from '../canonical/model/model-interface.ts'
import { StreamError } from '../canonical/stream/accumulate.ts'
import { createForwardedStream, hasReaderLeft } from '../client/reply-stream.ts'
import { type InterlinguaError, ProviderError } from '../errors.ts'
import { toTypedError } from '../wire/internal-error.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import type { CircuitOptions, RetryBudget } from './config.ts'
import { RetryTokens } from './limits/retry-tokens.ts'

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

  /** An error that is thrown here ends the call without the retry. */
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
