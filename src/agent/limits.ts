import type { Cost } from '../client/model.ts'
import { addUsage, type Usage } from '../canonical/model/usage.ts'
import type { RunEnd, Step } from './result.ts'

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
  readonly time?: number
  /** In the currency of the model's prices; without prices it never ends a run. */
  readonly cost?: number
}

const DEFAULT_STEPS = 20

/** The limit that a run has reached, if any. */
export function limitReached(limits: Limits, steps: readonly Step[]): RunEnd | undefined {
  const { tokens = Infinity, cost = Infinity } = limits
  if (ownSteps(steps) >= (limits.steps ?? DEFAULT_STEPS)) return 'max-steps'
  if (tokens < Infinity && usageOf(steps).totalTokens >= tokens) return 'max-tokens'
  if (cost < Infinity && (costOf(steps)?.amount ?? 0) >= cost) return 'max-cost'
  return undefined
}

/** How many steps the run made itself; those of agents inside of tools cost tokens, but are not its own. */
export function ownSteps(steps: readonly Step[]): number {
  return steps.filter(({ tool }) => tool === undefined).length
}

export function usageOf(steps: readonly Step[]): Usage {
  return addUsage(...steps.flatMap(({ usage }) => usage ?? []))
}

/** The sum of all prices; none where a step has no price, or another currency. */
export function costOf(steps: readonly Step[]): Cost | undefined {
  const [first, ...rest] = steps.map(({ cost }) => cost)
  return rest.reduce<Cost | undefined>(
    (sum, each) =>
      sum !== undefined && each?.currency === sum.currency
        ? { ...sum, amount: sum.amount + each.amount }
        : undefined,
    first,
  )
}
