import { InterlinguaError } from '../errors.ts'
import { LONGEST_TIMER } from './timer.ts'

/** The error of a call that its caller gave up; the signal's reason is its cause. */
export function abortError(signal: AbortSignal): InterlinguaError {
  return new InterlinguaError('aborted', 'The call was aborted', {
    hint: 'The call was given up; nothing to do.',
    cause: signal.reason,
  })
}

/** Throws once a signal has said stop. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal)
}

/** Waits, but not beyond the moment in which the signal says stop. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await untilAborted(signal, (resolve) => {
    const timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_TIMER))
    return () => clearTimeout(timer)
  })
}

/**
 * Waits for whoever calls `resolve`, or rejects when the signal says stop, in which case `begin`'s own clean-up runs.
 * No listener stays behind on the signal, which may outlive many calls.
 */
export function untilAborted<T>(
  signal: AbortSignal | undefined,
  begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(abortError(signal))
    let cleanUp = (): void => {}
    const stop = (): void => {
      settled()
      cleanUp()
      if (signal !== undefined) reject(abortError(signal))
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
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => {})
  return untilAborted<T>(signal, (resolve, reject) => {
    promise.then(resolve, reject)
    return () => {}
  })
}

/** The values of an async iterable, until the signal says that it is enough; what was opened is closed. */
export async function* abortableValues<T>(
  values: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, unknown, undefined> {
  const iterator = values[Symbol.asyncIterator]()
  let ended = false
  try {
    for (;;) {
      const { done, value } = await abortable(iterator.next(), signal)
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
