import { startTimeout } from '../wire/cancellation.ts'

type RunAbortReason = 'aborted' | 'max-time'

/** Ends a run from outside: the caller's signal, or the time that it may take. */
export interface RunTimer {
  readonly signal: AbortSignal
  /** Milliseconds that the run took, earlier parts of it included. */
  elapsedMs(): number
  /** Why the run was given up, if it was. */
  abortReason(): RunAbortReason | undefined
  /** The same after a look at the time: a run that never waits would keep the timer from being heard. */
  checkDeadline(): RunAbortReason | undefined
  /** Lets go of timer and signal. */
  stop(): void
}

export function startRunTimer(
  caller: AbortSignal | undefined,
  limitMs: number = Infinity,
  previousMs = 0,
): RunTimer {
  const controller = new AbortController()
  const startedAtMs = performance.now()
  let hasTimedOut = false
  const elapsed = (): number => previousMs + performance.now() - startedAtMs
  const abort = (): void => controller.abort(caller?.reason)
  const timeOut = (): void => {
    hasTimedOut = true
    controller.abort()
  }
  if (caller?.aborted) abort()
  else caller?.addEventListener('abort', abort, { once: true })
  const stopTimer = startTimeout(limitMs - previousMs, timeOut)
  const broken = (): RunAbortReason | undefined =>
    controller.signal.aborted ? (hasTimedOut ? 'max-time' : 'aborted') : undefined
  return {
    signal: controller.signal,
    elapsedMs: () => Math.round(elapsed()),
    abortReason: broken,
    checkDeadline: () => {
      if (!controller.signal.aborted && elapsed() >= limitMs) timeOut()
      return broken()
    },
    stop: () => {
      stopTimer()
      caller?.removeEventListener('abort', abort)
    },
  }
}
