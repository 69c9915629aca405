import { InterlinguaError } from '../errors.ts'

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
    const timer = setTimeout(resolve, milliseconds)
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
