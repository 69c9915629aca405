/** Ends a run from outside: the caller's signal, or the time that it may take. */
export interface Clock {
  readonly signal: AbortSignal
  /** Milliseconds that the run took, earlier parts of it included. */
  elapsed(): number
  /** Why the run was given up, if it was. */
  broken(): 'aborted' | 'max-time' | undefined
  /** Lets go of timer and signal. */
  stop(): void
}

export function startClock(caller: AbortSignal | undefined, limit: number | undefined, before = 0): Clock {
  const controller = new AbortController()
  const began = performance.now()
  let late = false
  const abort = (): void => controller.abort(caller?.reason)
  const timeOut = (): void => {
    late = true
    controller.abort()
  }
  if (caller?.aborted) abort()
  else caller?.addEventListener('abort', abort, { once: true })
  const timer = limit === undefined ? undefined : setTimeout(timeOut, Math.max(0, limit - before))
  return {
    signal: controller.signal,
    elapsed: () => Math.round(before + performance.now() - began),
    broken: () => (controller.signal.aborted ? (late ? 'max-time' : 'aborted') : undefined),
    stop: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', abort)
    },
  }
}
