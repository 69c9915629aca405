import type { LossRule } from '../losses/loss-catalog.ts'
import type { LossAction, LossSeverity } from '../losses/loss-rule-table.ts'

export type { LossRule } from '../losses/loss-catalog.ts'
export type { LossAction, LossSeverity } from '../losses/loss-rule-table.ts'

/** A change that a translation made to the content or to its form. */
export interface Loss {
  /** JSON pointer into the canonical value. */
  readonly path: string
  /** The target: a dialect, a UI protocol or a schema target. */
  readonly dialect: string
  /** The id of the rule. */
  readonly rule: LossRule
  readonly action: LossAction
  /** `loss`: the model or the user receives something different. `note`: the same content in another form. */
  readonly severity: LossSeverity
  /** A sentence that contains the field, the target and the cause. */
  readonly reason: string
}

/** A translated value and its losses. */
export interface Translation<T> {
  readonly value: T
  readonly losses: readonly Loss[]
}
