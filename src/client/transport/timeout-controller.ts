import { type InterlinguaError, ProviderError } from '../../errors.ts'
import { createAbortError, onAbort, startTimeout } from '../../wire/cancellation.ts'
import { toConnectionLost } from './transport-errors.ts'
import type { CallbackReader } from '../../wire/pull-stages.ts'
import type { TimeoutOptions } from './settings.ts'

/** The event that each timeout waits for. */
const TIMEOUT_DESCRIPTIONS: { readonly [limit in keyof Required<TimeoutOptions>]: string } = {
  headersMs: 'the response headers',
  firstEventMs: 'the first event of the stream',
  idleMs: 'the next chunk of the response',
  totalMs: 'the end of the call',
}

/**
 * Aborts one attempt when the caller aborts or a timeout expires. Pending work is rejected at once, and
 * `fetch` is aborted by the signal. `close` removes all timers and listeners.
 */
export class TimeoutController {
  readonly #controller = new AbortController()
  readonly #timeouts: Required<TimeoutOptions>
  readonly #cancelTimeouts = new Set<() => void>()
  #failure: InterlinguaError | undefined
  #removeListener: () => void = () => {}
  #rejectWaiting: ((error: InterlinguaError) => void) | undefined

  constructor(timeouts: Required<TimeoutOptions>, caller: AbortSignal | undefined) {
    this.#timeouts = timeouts
    if (caller?.aborted) this.abort(createAbortError(caller))
    else if (caller !== undefined)
      this.#removeListener = onAbort(caller, () => this.abort(createAbortError(caller)))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Starts a timeout; returns a function that cancels it. */
  startTimeout(limit: keyof TimeoutOptions, milliseconds: number = this.#timeouts[limit]): () => void {
    if (this.#failure !== undefined) return () => {}
    const cancel = startTimeout(milliseconds, () => this.abort(timeoutError(limit, milliseconds)))
    this.#cancelTimeouts.add(cancel)
    return () => {
      cancel()
      this.#cancelTimeouts.delete(cancel)
    }
  }

  /** Waits for work until the attempt is aborted. Only one call may wait at a time. */
  waitFor<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure)
      this.#rejectWaiting = reject
      work().then(resolve, reject)
    })
  }

  /** Waits for the platform within a timeout. */
  waitWithin<T>(limit: keyof TimeoutOptions, work: () => Promise<T>): Promise<T> {
    const cancel = this.startTimeout(limit)
    return this.waitFor(work)
      .catch((error: unknown) => {
        throw toConnectionLost(error)
      })
      .finally(cancel)
  }

  /**
   * Reads a chunk of a body within the idle timeout. An abort fails the request at once, and does not cancel the body.
   */
  readChunk<Chunk>(
    body: CallbackReader<Chunk>,
    receive: (next: IteratorResult<Chunk, unknown>) => void,
    fail: (error: unknown) => void,
  ): void {
    if (this.#failure !== undefined) return fail(this.#failure)
    const cancel = this.startTimeout('idleMs')
    const stopWaiting = (): void => {
      cancel()
      this.#rejectWaiting = undefined
    }
    this.#rejectWaiting = fail
    body.request(
      (next) => {
        stopWaiting()
        receive(next)
      },
      (error) => {
        stopWaiting()
        fail(toConnectionLost(error))
      },
    )
  }

  /** Aborts the attempt: rejects the pending work and closes the connection. */
  abort(error: InterlinguaError): void {
    this.#failure ??= error
    this.close()
    this.#rejectWaiting?.(this.#failure)
    this.#controller.abort(this.#failure)
  }

  /** Clears all timers and removes the listener on the caller's signal. */
  close(): void {
    this.#removeListener()
    for (const cancel of this.#cancelTimeouts) cancel()
    this.#cancelTimeouts.clear()
  }
}

function timeoutError(limit: keyof TimeoutOptions, milliseconds: number): ProviderError {
  const event = TIMEOUT_DESCRIPTIONS[limit]
  return new ProviderError(`Timed out after ${milliseconds} ms while waiting for ${event}`, {
    kind: 'timeout',
    hint: `Try again, or raise \`timeouts.${limit}\`.`,
  })
}
