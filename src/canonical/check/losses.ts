import { InterlinguaError } from '../../errors.ts'
import type { Loss } from '../model/loss.ts'

/** What a rule does to the conversation, and why. */
export type LossRule = Omit<Loss, 'path' | 'rule'>

/** Rules by id: everything that a writer may leave out, move, rename or make up. */
export type LossRules = { readonly [rule: string]: LossRule }

/** A rule by which meaning is lost. */
export function loss(action: Loss['action'], reason: string): LossRule {
  return { action, severity: 'loss', reason }
}

/** A rule by which the same is said otherwise. */
export function note(action: Loss['action'], reason: string): LossRule {
  return { action, severity: 'note', reason }
}

/** The loss that a rule of a table made at a place. */
export function lossOf(rules: LossRules, rule: string, path: string): Loss {
  const found = rules[rule]
  if (found === undefined) throw new Error(`no loss rule is called ${rule}`)
  const { action, severity, reason } = found
  return Object.freeze({ path, rule, action, severity, reason })
}

/** The error by which a loss that is not allowed ends the work. */
export function lossRefused(refused: Loss): InterlinguaError {
  return new InterlinguaError('loss-refused', `${refused.path}: ${refused.reason}`, {
    path: refused.path,
    found: refused.rule,
    expected: 'a translation without losses',
    hint: 'Allow this loss with onLoss, or change the conversation.',
  })
}
