import { startTimer } from '../wire/timer.ts'

type Broken = 'aborted' | 'max-time'

/** Ends a run from outside: the caller's signal, or the time that it may take. */
export interface Clock {
  readonly signal: AbortSignal
  /** Milliseconds that the run took, earlier parts of it included. */
  elapsed(): number
  /** Why the run was given up, if it was. */
  broken(): Broken | undefined
  /** The same after a look at the time: a run that never waits would keep the timer from being heard. */
  look(): Broken | undefined
  /** Lets go of timer and signal. */
  stop(): void
}

export function startClock(caller: AbortSignal | undefined, limit: number = Infinity, before = 0): Clock {
  const controller = new AbortController()
  const began = performance.now()
  let late = false
  const elapsed = (): number => before + performance.now() - began
  const abort = (): void => controller.abort(caller?.reason)
  const timeOut = (): void => {
    late = true
    controller.abort()
  }
  if (caller?.aborted) abort()
  else caller?.addEventListener('abort', abort, { once: true })
  const stopTimer = startTimer(limit - before, timeOut)
  const broken = (): Broken | undefined =>
    controller.signal.aborted ? (late ? 'max-time' : 'aborted') : undefined
  return {
    signal: controller.signal,
    elapsed: () => Math.round(elapsed()),
    broken,
    look: () => {
      if (!controller.signal.aborted && elapsed() >= limit) timeOut()
      return broken()
    },
    stop: () => {
      stopTimer()
      caller?.removeEventListener('abort', abort)
    },
  }
}
