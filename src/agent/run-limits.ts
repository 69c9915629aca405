import { assertNumericSettings } from '../wire/limits.ts'
import type { RunFinishReason } from './agent-result.ts'
import type { Step } from './step.ts'

/**
 * How far a run may go. Steps, tokens and cost are looked at before each call of the model; time ends whatever is under way.
 * Tokens and cost count agents inside of tools, too.
 */
export interface Limits {
  /** Calls of the model. Default: 20. */
  readonly steps?: number
  /** Tokens of all steps together. */
  readonly tokens?: number
  /** Milliseconds. */
  readonly timeMs?: number
  /** In the currency of the model's prices. Calls without a price do not count; prices in several currencies end no run. */
  readonly cost?: number
}

const DEFAULT_MAX_STEPS = 20

/** Refuses limits that are no numbers: comparing with such a one would lift it in silence. */
export function checkLimits({ steps, tokens, timeMs, cost }: Limits = {}): void {
  assertNumericSettings('/limits', { steps, tokens, timeMs, cost })
}

/** The steps of a run, with their sums as they grow: looking at a limit costs no more at the end of a long run. */
export class RunTotals {
  readonly steps: Step[] = []
  #ownStepCount = 0
  #tokens = 0
  #amount = 0
  #currency: string | undefined

  constructor(steps: Iterable<Step> = []) {
    for (const step of steps) this.add(step)
  }

  /** How many steps the run made itself; those of agents inside of tools cost tokens, but are not its own. */
  get ownStepCount(): number {
    return this.#ownStepCount
  }

  add(step: Step): void {
    this.steps.push(step)
    if (step.tool === undefined) this.#ownStepCount += 1
    this.#tokens += step.usage?.totalTokens ?? 0
    if (step.cost === undefined) return
    this.#currency ??= step.cost.currency
    this.#amount += step.cost.currency === this.#currency ? step.cost.amount : NaN
  }

  /** The limit that has been reached, if there is one. */
  reachedLimit({
    steps = DEFAULT_MAX_STEPS,
    tokens = Infinity,
    cost = Infinity,
  }: Limits): RunFinishReason | undefined {
    if (this.#ownStepCount >= steps) return 'max-steps'
    if (this.#tokens >= tokens) return 'max-tokens'
    return this.#amount >= cost ? 'max-cost' : undefined
  }
}
