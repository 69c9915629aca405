import { type InterlinguaError, ProviderError } from '../../errors.ts'
import { createAbortError, MAX_TIMER_MS } from '../../wire/cancellation.ts'
import type { TimeoutOptions } from './settings.ts'

/** What each time-out waits for, in words. */
const TIMEOUT_DESCRIPTIONS: { readonly [limit in keyof Required<TimeoutOptions>]: string } = {
  headersMs: 'the head of the answer',
  firstEventMs: 'the first event of the stream',
  idleMs: 'more of the answer',
  totalMs: 'the call to end',
}

/**
 * What may end one attempt before its time: its caller, or one of its time-outs. Whoever waits hears of it at once,
 * and so does `fetch` through the signal. It keeps neither a timer nor a listener beyond `close`.
 */
export class TimeoutController {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  #failure: InterlinguaError | undefined
  #rejectWaiting: ((error: InterlinguaError) => void) | undefined

  constructor(caller?: AbortSignal) {
    this.#caller = caller
    if (caller?.aborted) this.abort(createAbortError(caller))
    else caller?.addEventListener('abort', this.#onAbort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Sets a time-out; gives what takes it away again. */
  startTimeout(limit: keyof TimeoutOptions, milliseconds: number): () => void {
    if (this.#failure !== undefined || milliseconds > MAX_TIMER_MS) return () => {}
    const timer = setTimeout(() => this.abort(timeoutError(limit, milliseconds)), Math.max(0, milliseconds))
    this.#timers.add(timer)
    return () => {
      clearTimeout(timer)
      this.#timers.delete(timer)
    }
  }

  /** Waits for work, but not beyond the end of the watch. One waits at a time. */
  waitFor<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure)
      this.#rejectWaiting = reject
      work().then(resolve, reject)
    })
  }

  /** Ends everything: whoever waits gets the error, and the connection is closed. */
  abort(error: InterlinguaError): void {
    this.#failure ??= error
    this.close()
    this.#rejectWaiting?.(this.#failure)
    this.#controller.abort(this.#failure)
  }

  /** Lets go of timers and of the caller's signal. */
  close(): void {
    this.#caller?.removeEventListener('abort', this.#onAbort)
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  readonly #onAbort = (): void => {
    if (this.#caller !== undefined) this.abort(createAbortError(this.#caller))
  }
}

function timeoutError(limit: keyof TimeoutOptions, milliseconds: number): ProviderError {
  return new ProviderError(`Waited ${milliseconds} ms for ${TIMEOUT_DESCRIPTIONS[limit]}`, {
    kind: 'timeout',
    hint: `Try again, or allow more time with \`timeouts.${limit}\`.`,
  })
}
