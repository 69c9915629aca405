import { InterlinguaError } from '../errors.ts'

/** The error of something that was given up. */
function abortedError(cause?: unknown): InterlinguaError {
  return new InterlinguaError('aborted', 'The run was aborted', { ...(cause !== undefined && { cause }) })
}

/**
 * What a promise gives, or an `aborted` error as soon as the signal says so: nothing that hangs can hold a run. What the
 * promise does later is nobody's business any more.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(abortedError(signal.reason))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
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
    // A source that hangs would never finish its closing, so nobody waits for it.
    if (!ended) void Promise.resolve(iterator.return?.()).catch(() => {})
  }
}
