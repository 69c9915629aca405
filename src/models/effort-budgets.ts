import { type Effort, EFFORTS } from '../canonical/model/request.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'

/**
 * The budget of each effort, in tokens; each budget up to it means the same effort. `low`, `medium` and `high` are the
 * numbers of Google's own conversion (https://ai.google.dev/gemini-api/docs/openai), the others those of CLIProxyAPI. They
 * do not depend on the model or on the output limit, so that a conversion back returns the same effort.
 *
 * @example
 * effortBudgets.medium // 8192
 */
export const effortBudgets: { readonly [effort in Effort]: number } = {
  none: 0,
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 128_000,
}

/**
 * Returns the effort that corresponds to a reasoning budget.
 *
 * @example
 * toEffort(8000) // 'medium'
 */
export function toEffort(budgetTokens: number): Effort {
  return withTypedErrors(
    () => EFFORTS.find((effort) => budgetTokens <= effortBudgets[effort]) ?? 'max',
    [budgetTokens],
  )
}

/**
 * Returns the nearest of some efforts: the effort itself, else the next lower one, else the next higher one. `none` is
 * never returned for another effort, and undefined only if no other effort is left.
 *
 * @example
 * findNearestEffort('xhigh', ['none', 'low', 'high']) // 'high'
 */
export function findNearestEffort(effort: Effort, supported: readonly Effort[]): Effort | undefined {
  return withTypedErrors(() => {
    if (supported.includes(effort)) return effort
    const rank = EFFORTS.indexOf(effort)
    const others = EFFORTS.filter((each) => each !== 'none' && supported.includes(each))
    return others.findLast((each) => EFFORTS.indexOf(each) < rank) ?? others[0]
  }, [effort, supported])
}
