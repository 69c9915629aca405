import { type InterlinguaError, ProviderError } from '../../errors.ts'
import { abortError } from '../../wire/abort.ts'
import { LONGEST_TIMER } from '../../wire/timer.ts'
import type { TimeoutOptions } from './settings.ts'

/** What each time-out waits for, in words. */
const AWAITED: { readonly [limit in keyof Required<TimeoutOptions>]: string } = {
  headers: 'the head of the answer',
  firstEvent: 'the first event of the stream',
  idle: 'more of the answer',
  total: 'the call to end',
}

/**
 * What may end one attempt before its time: its caller, or one of its time-outs. Whoever waits hears of it at once,
 * and so does `fetch` through the signal. It keeps neither a timer nor a listener beyond `close`.
 */
export class Watch {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  #failure: InterlinguaError | undefined
  #interrupt: ((error: InterlinguaError) => void) | undefined

  constructor(caller?: AbortSignal) {
    this.#caller = caller
    if (caller?.aborted) this.stop(abortError(caller))
    else caller?.addEventListener('abort', this.#onAbort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Sets a time-out; gives what takes it away again. */
  arm(limit: keyof TimeoutOptions, milliseconds: number): () => void {
    if (this.#failure !== undefined || milliseconds > LONGEST_TIMER) return () => {}
    const timer = setTimeout(() => this.stop(timedOut(limit, milliseconds)), Math.max(0, milliseconds))
    this.#timers.add(timer)
    return () => {
      clearTimeout(timer)
      this.#timers.delete(timer)
    }
  }

  /** Waits for work, but not beyond the end of the watch. One waits at a time. */
  wait<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure)
      this.#interrupt = reject
      work().then(resolve, reject)
    })
  }

  /** Ends everything: whoever waits gets the error, and the connection is closed. */
  stop(error: InterlinguaError): void {
    this.#failure ??= error
    this.close()
    this.#interrupt?.(this.#failure)
    this.#controller.abort(this.#failure)
  }

  /** Lets go of timers and of the caller's signal. */
  close(): void {
    this.#caller?.removeEventListener('abort', this.#onAbort)
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  readonly #onAbort = (): void => {
    if (this.#caller !== undefined) this.stop(abortError(this.#caller))
  }
}

function timedOut(limit: keyof TimeoutOptions, milliseconds: number): ProviderError {
  return new ProviderError(`Waited ${milliseconds} ms for ${AWAITED[limit]}`, {
    kind: 'timeout',
    hint: `Try again, or allow more time with \`timeouts.${limit}\`.`,
  })
}
