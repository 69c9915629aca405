import { lossOf, lossRefused, type LossRules } from '../canonical/check/losses.ts'
import type { Loss, Translated } from '../canonical/model/loss.ts'
import { type Path, pointer } from '../wire/pointer.ts'
import type { DecodeOptions, EncodeOptions } from './dialect.ts'

export { loss, note, type LossRules } from '../canonical/check/losses.ts'

/** One encoding under way: its options, and who hears of losses. */
export interface Encoding {
  readonly options: EncodeOptions
  /** Says that a rule acted at a place of the canonical value. */
  lose(rule: string, at: Path | undefined): void
}

/** The encoder inside a decoder: it asks for nothing and reports to nobody. */
export const silent: Encoding = { options: {}, lose: () => {} }

/** The same for a body of a host that differs from the format that it speaks. */
export function silentFor({ flavor }: DecodeOptions): Encoding {
  return flavor === undefined ? silent : { ...silent, options: { flavor } }
}

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
      const loss = lossOf(rules, rule, pointer(at))
      losses.push(loss)
      if (loss.severity === 'loss' && isRefused(loss, options)) throw lossRefused(loss)
    },
  })
  return Object.freeze({ value, losses: Object.freeze(losses) })
}

function isRefused(loss: Loss, { onLoss = 'allow' }: EncodeOptions): boolean {
  return (typeof onLoss === 'function' ? onLoss(loss) : onLoss) === 'error'
}
