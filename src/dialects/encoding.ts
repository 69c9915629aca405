import type { Loss, Translated } from '../canonical/model/loss.ts'
import { InterlinguaError } from '../errors.ts'
import { type Path, pointer } from '../wire/pointer.ts'
import type { EncodeOptions } from './dialect.ts'

/** What a rule does to the conversation, and why. */
export type LossRule = Omit<Loss, 'path' | 'rule'>

/** A dialect's rules by id: everything that its encoder may leave out, move, rename or make up. */
export type LossRules = { readonly [rule: string]: LossRule }

/** A rule by which meaning is lost. */
export function loss(action: Loss['action'], reason: string): LossRule {
  return { action, severity: 'loss', reason }
}

/** A rule by which the same is said otherwise. */
export function note(action: Loss['action'], reason: string): LossRule {
  return { action, severity: 'note', reason }
}

/** One encoding under way: its options, and who hears of losses. */
export interface Encoding {
  readonly options: EncodeOptions
  /** Says that a rule acted at a place of the canonical value. */
  lose(rule: string, at: Path | undefined): void
}

/** The encoder inside a decoder: it asks for nothing and reports to nobody. */
export const silent: Encoding = { options: {}, lose: () => {} }

/** Runs an encoder, collects its losses, and refuses those that the options do not allow. */
export function encodeWith<T>(
  rules: LossRules,
  options: EncodeOptions,
  encode: (encoding: Encoding) => T,
): Translated<T> {
  const losses: Loss[] = []
  const value = encode({
    options,
    lose(rule, at) {
      const found = rules[rule]
      if (found === undefined) throw new Error(`no loss rule is called ${rule}`)
      const loss = Object.freeze({ path: pointer(at), rule, ...found })
      losses.push(loss)
      if (loss.severity === 'loss' && isRefused(loss, options)) throw refusal(loss)
    },
  })
  return Object.freeze({ value, losses: Object.freeze(losses) })
}

function isRefused(loss: Loss, { onLoss = 'allow' }: EncodeOptions): boolean {
  return (typeof onLoss === 'function' ? onLoss(loss) : onLoss) === 'error'
}

function refusal(loss: Loss): InterlinguaError {
  return new InterlinguaError('loss-refused', `${loss.path}: ${loss.reason}`, {
    path: loss.path,
    found: loss.rule,
    expected: 'a translation without losses',
    hint: 'Allow this loss with onLoss, or change the conversation.',
  })
}
