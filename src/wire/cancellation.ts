import { InterlinguaError } from '../errors.ts'
import { openIterableReader } from './pull-iterator.ts'

/**
 * The values of a generator. Where it is let go before anyone asked it for one, `release` lets go of what it would have read:
 * a generator that has not begun does nothing then.
 *
 * @example
 * const lines = releasing(linesOf(source), () => source.cancel())
 * await lines.return?.() // the source is cancelled, though nothing was read
 */
export function withCleanup<T>(
  values: AsyncGenerator<T, void, undefined>,
  release: () => unknown,
): AsyncIterableIterator<T> {
  let begun = false
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next() {
      begun = true
      return values.next()
    },
    async return() {
      const unread = !begun
      begun = true
      if (unread) await release()
      return values.return()
    },
  }
}

/** Tells a source of values that none of them is wanted. */
export async function cancelSource(source: Iterable<unknown> | AsyncIterable<unknown>): Promise<void> {
  await openIterableReader(source).cancel(undefined)
}

/** The longest that a timer can wait, 24 days: one that is set for longer fires at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1

/** Calls back after so many milliseconds, or never where that is longer than a timer can wait. Gives what calls it off. */
export function startTimeout(milliseconds: number, callBack: () => void): () => void {
  if (milliseconds > MAX_TIMER_MS) return () => {}
  const timer = setTimeout(callBack, Math.max(0, milliseconds))
  return () => clearTimeout(timer)
}

/** The error of a call that its caller gave up; the signal's reason is its cause. */
export function createAbortError(signal: AbortSignal): InterlinguaError {
  return new InterlinguaError('aborted', 'The call was aborted', {
    hint: 'The call was given up; nothing to do.',
    cause: signal.reason,
  })
}

/** Throws once a signal has said stop. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw createAbortError(signal)
}

/** Waits, but not beyond the moment in which the signal says stop. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await createAbortablePromise(signal, (resolve) => {
    const timer = setTimeout(resolve, Math.min(milliseconds, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  })
}

/**
 * Waits for whoever calls `resolve`, or rejects when the signal says stop, in which case `begin`'s own clean-up runs.
 * No listener stays behind on the signal, which may outlive many calls.
 */
export function createAbortablePromise<T>(
  signal: AbortSignal | undefined,
  begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(createAbortError(signal))
    let cleanUp = (): void => {}
    const stop = (): void => {
      settled()
      cleanUp()
      if (signal !== undefined) reject(createAbortError(signal))
    }
    const settled = (): void => signal?.removeEventListener('abort', stop)
    // Before it begins, for what is there at once settles at once.
    signal?.addEventListener('abort', stop)
    cleanUp = begin(
      (value) => (settled(), resolve(value)),
      (error) => (settled(), reject(error)),
    )
  })
}

/**
 * What a promise gives, or an `aborted` error as soon as the signal says so: nothing that hangs can hold anyone. What the
 * promise does later is nobody's business any more.
 */
export function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => {})
  return createAbortablePromise<T>(signal, (resolve, reject) => {
    promise.then(resolve, reject)
    return () => {}
  })
}

/** The values of an async iterable, until the signal says that it is enough; what was opened is closed. */
export async function* iterateUntilAborted<T>(
  values: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, unknown, undefined> {
  const iterator = values[Symbol.asyncIterator]()
  let ended = false
  try {
    for (;;) {
      const { done, value } = await rejectOnAbort(iterator.next(), signal)
      if (done) {
        ended = true
        return value
      }
      yield value
    }
  } finally {
    // A source that hangs would never finish its closing, so nobody waits for it, nor hears how it went.
    if (!ended) void (async () => iterator.return?.())().catch(() => {})
  }
}
