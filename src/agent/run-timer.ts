import { startTimeout } from '../wire/cancellation.ts'
import { onAbort } from '../wire/on-abort.ts'

type RunAbortReason = 'aborted' | 'max-time'

/** Aborts a run when the caller's signal is aborted or the time limit is reached. */
export interface RunTimer {
  readonly signal: AbortSignal
  /** Returns the duration of the run, including the time before it was paused. */
  elapsedMs(): number
  /** Returns the reason the run was aborted, if it was. */
  abortReason(): RunAbortReason | undefined
  /** Checks the time: a run that never awaits a timer or I/O would block the timer callback. */
  checkDeadline(): RunAbortReason | undefined
  /** Clears the timer and removes the signal listener. */
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
  const removeListener = caller && onAbort(caller, abort)
  const stopTimer = startTimeout(limitMs - previousMs, timeOut)
  const abortReason = (): RunAbortReason | undefined =>
    controller.signal.aborted ? (hasTimedOut ? 'max-time' : 'aborted') : undefined
  return {
    signal: controller.signal,
    elapsedMs: () => Math.round(elapsed()),
    abortReason,
    checkDeadline: () => {
      if (!controller.signal.aborted && elapsed() >= limitMs) timeOut()
      return abortReason()
    },
    stop: () => {
      stopTimer()
      removeListener?.()
    },
  }
}
