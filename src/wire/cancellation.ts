import { InterlinguaError } from '../errors.ts'
import { withTypedErrors } from './typed-errors.ts'
import { describeType, isObject } from './json.ts'

/** The callbacks of a signal and the listener that calls them. */
interface AbortCallbacks {
  readonly callbacks: Set<() => void>
  readonly listener: () => void
}

const callbacksBySignal = new WeakMap<AbortSignal, AbortCallbacks>()

/**
 * Calls back when a signal is aborted; returns a function that removes the callback. All callbacks of a signal
 * share one listener, because Node warns about a leak when a signal gets more than ten.
 *
 * @example
 * const remove = onAbort(signal, () => socket.destroy())
 * await read(socket).finally(remove)
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const { callbacks, listener } = callbacksBySignal.get(signal) ?? addListener(signal)
  // Its own function for each call, so that equal callbacks are removed one by one.
  const entry = (): void => callback()
  callbacks.add(entry)
  return () => {
    if (!callbacks.delete(entry) || callbacks.size > 0) return
    signal.removeEventListener('abort', listener)
    callbacksBySignal.delete(signal)
  }
}

function addListener(signal: AbortSignal): AbortCallbacks {
  const callbacks = new Set<() => void>()
  const listener = (): void => {
    for (const callback of callbacks) callback()
  }
  signal.addEventListener('abort', listener, { once: true })
  const added = { callbacks, listener }
  callbacksBySignal.set(signal, added)
  return added
}

/**
 * Waits for a clean-up until the next turn of the event loop, and rejects if it fails until then. One that takes longer, or
 * never ends, does not block the caller.
 */
export function waitBriefly(work: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 0)
    work.then(() => resolve(), reject).finally(() => clearTimeout(timer))
  })
}

/** The longest timer delay, about 24 days: a timer with a longer delay fires at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1

/**
 * Calls back after a delay, or never if the delay is longer than a timer supports. Returns a function that
 * clears the timer.
 */
export function startTimeout(milliseconds: number, callback: () => void): () => void {
  if (milliseconds > MAX_TIMER_MS) return () => {}
  const timer = setTimeout(callback, Math.max(0, milliseconds))
  return () => clearTimeout(timer)
}

/** Creates the error of a call that its caller aborted; the signal's reason is the cause. */
export function createAbortError(signal: AbortSignal): InterlinguaError {
  return new InterlinguaError('aborted', 'The call was aborted', {
    hint: 'The caller aborted the call; no action is needed.',
    cause: signal.reason,
  })
}

/** Throws for a value that is not a signal: JavaScript callers sometimes pass the controller. */
export function checkSignal(signal: unknown): void {
  if (signal === undefined) return
  const isSignal = withTypedErrors(() => signal instanceof AbortSignal, [signal])
  if (isSignal) return
  throw new InterlinguaError('invalid-type', '/signal: expected an AbortSignal', {
    path: '/signal',
    found: describeType(signal),
    expected: 'an AbortSignal',
    hint: 'Pass `controller.signal` of an AbortController.',
  })
}

/** Throws an `aborted` error if the signal has been aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw createAbortError(signal)
}

/** Waits for a delay; rejects with an `aborted` error when the signal is aborted. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await createAbortablePromise(signal, (resolve) => {
    const timer = setTimeout(resolve, Math.min(milliseconds, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  })
}

/** Lets the process end before a timer fires. A browser's timer is a number, which keeps nothing running. */
export function detachTimer(timer: unknown): void {
  if (isObject(timer) && typeof timer['unref'] === 'function') timer['unref']()
}

/** Lets other work of the event loop run: at once if the runtime has `setImmediate`, otherwise with a timer. */
export function yieldToEventLoop(): Promise<void> {
  const setImmediate: unknown = Reflect.get(globalThis, 'setImmediate')
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve, 0)
  })
}

/**
 * Creates a promise that rejects when the signal is aborted; then the clean-up function that `begin` returned
 * is called. The listener is always removed from the signal, which may outlive many calls.
 */
export function createAbortablePromise<T>(
  signal: AbortSignal | undefined,
  begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(createAbortError(signal))
    let cleanUp = (): void => {}
    let removeListener = (): void => {}
    const abort = (): void => {
      removeListener()
      cleanUp()
      if (signal !== undefined) reject(createAbortError(signal))
    }
    // Added before `begin` is called, which may settle the promise synchronously.
    if (signal !== undefined) removeListener = onAbort(signal, abort)
    cleanUp = begin(
      (value) => (removeListener(), resolve(value)),
      (error) => (removeListener(), reject(error)),
    )
  })
}

/**
 * Settles like a promise, or rejects with an `aborted` error as soon as the signal is aborted, so that a hung
 * operation does not block the caller. A later result or error of the promise is ignored.
 */
export function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  promise.catch(() => {})
  return createAbortablePromise<T>(signal, (resolve, reject) => {
    promise.then(resolve, reject)
    return () => {}
  })
}

/** Yields the values of an async iterable until the signal is aborted; then the iterator is closed. */
export async function* iterateUntilAborted<T>(
  values: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, unknown, undefined> {
  const iterator = values[Symbol.asyncIterator]()
  let hasEnded = false
  try {
    for (;;) {
      const { done, value } = await rejectOnAbort(iterator.next(), signal)
      if (done) {
        hasEnded = true
        return value
      }
      yield value
    }
  } finally {
    // Not awaited: a hung source would never settle `return()`.
    if (!hasEnded) void (async () => iterator.return?.())().catch(() => {})
  }
}
