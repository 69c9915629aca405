import { assertNumericSettings } from '../wire/stream-limits.ts'
import type { RunFinishReason } from './agent-result.ts'
import type { Step } from './step.ts'
import { onAbort, startTimeout } from '../wire/cancellation.ts'

/**
 * Limits of a run. Steps, tokens and cost are checked before each model call; the time limit aborts running
 * work. Tokens and cost include those of nested agents.
 */
export interface RunLimits {
  /** The number of model calls. Default: 20. */
  readonly steps?: number
  /** The total tokens of all steps. Default: unlimited. */
  readonly tokens?: number
  /** The duration of the run. Default: unlimited. */
  readonly timeMs?: number
  /**
   * The cost, in the currency of the model's prices. Calls without a price are not counted; if the prices
   * have several currencies, the limit has no effect. Default: unlimited.
   */
  readonly cost?: number
  /**
   * The tool calls of one answer that run. Further calls are not run; each gets an error result, which asks the model to
   * call fewer tools at once. Default: 100.
   */
  readonly callsPerAnswer?: number
}

const DEFAULT_MAX_STEPS = 20

/** More calls than any model makes on purpose. */
export const DEFAULT_CALLS_PER_ANSWER = 100

/** Rejects limits that are not numbers: every comparison with NaN is false. */
export function assertNumericLimits({ steps, tokens, timeMs, cost, callsPerAnswer }: RunLimits = {}): void {
  assertNumericSettings('/limits', { steps, tokens, timeMs, cost, callsPerAnswer })
}

/** The steps of a run with running totals, so that checking a limit takes constant time. */
export class RunTotals {
  readonly steps: Step[] = []
  /** The number of steps of the run itself, without those of nested agents. */
  ownStepCount = 0
  #tokens = 0
  #amount = 0
  #currency: string | undefined

  constructor(steps: Iterable<Step> = []) {
    for (const step of steps) this.add(step)
  }

  add(step: Step): void {
    this.steps.push(step)
    if (step.tool === undefined) this.ownStepCount += 1
    this.#tokens += step.usage?.totalTokens ?? 0
    if (step.cost === undefined) return
    this.#currency ??= step.cost.currency
    this.#amount += step.cost.currency === this.#currency ? step.cost.amount : NaN
  }

  /** Returns the limit that has been reached, if any. */
  reachedLimit(limits: RunLimits): RunFinishReason | undefined {
    const { steps = DEFAULT_MAX_STEPS, tokens = Infinity, cost = Infinity } = limits
    if (this.ownStepCount >= steps) return 'max-steps'
    if (this.#tokens >= tokens) return 'max-tokens'
    return this.#amount >= cost ? 'max-cost' : undefined
  }
}

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
