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
