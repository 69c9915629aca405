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

/** An encoding whose losses someone hears. */
export function encodingFor(rules: LossRules, options: EncodeOptions, hear: (loss: Loss) => void): Encoding {
  return {
    options,
    lose: (rule, at) => hear(lossOf(rules, rule, pointer(at))),
  }
}

/** Collects losses, and refuses those that the options do not allow. */
export function collector(losses: Loss[], options: EncodeOptions): (loss: Loss) => void {
  return (loss) => {
    losses.push(loss)
    if (loss.severity === 'loss' && isRefused(loss, options)) throw lossRefused(loss)
  }
}

/** Runs an encoder and collects its losses; `repeat` takes those that were known before. */
export function encodeWith<T>(
  rules: LossRules,
  options: EncodeOptions,
  encode: (encoding: Encoding, repeat: (known: readonly Loss[]) => void) => T,
): Translated<T> {
  const losses: Loss[] = []
  const hear = collector(losses, options)
  const value = encode(encodingFor(rules, options, hear), (known) => known.forEach(hear))
  return Object.freeze({ value, losses: Object.freeze(losses) })
}

function isRefused(loss: Loss, { onLoss = 'allow' }: EncodeOptions): boolean {
  return (typeof onLoss === 'function' ? onLoss(loss) : onLoss) === 'error'
}
