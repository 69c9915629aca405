import { createLoss, lossRefused } from '../canonical/losses/loss.ts'
import type { Loss, LossRule, Translated } from '../canonical/model/loss.ts'
import { type Path, pointer } from '../wire/pointer.ts'
import type { DecodeOptions, EncodeOptions } from './dialect.ts'

/** One encoding under way: its options, and who hears of losses. */
export interface Encoding {
  readonly options: EncodeOptions
  /** Reports that a rule was applied at a path of the canonical value. */
  lose(rule: LossRule, at: Path | undefined): void
}

/** The encoder inside a decoder: it asks for nothing and reports to nobody. */
export const silent: Encoding = { options: {}, lose: () => {} }

/** The same for a body of a host that differs from the format that it speaks. */
export function silentFor({ flavor }: DecodeOptions): Encoding {
  return flavor === undefined ? silent : { ...silent, options: { flavor } }
}

/** An encoding to a dialect whose losses are reported. */
export function encodingFor(dialect: string, options: EncodeOptions, hear: (loss: Loss) => void): Encoding {
  const target = { dialect, flavor: options.flavor }
  return {
    options,
    lose: (rule, at) => hear(createLoss(rule, pointer(at), target)),
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
  dialect: string,
  options: EncodeOptions,
  encode: (encoding: Encoding, repeat: (known: readonly Loss[]) => void) => T,
): Translated<T> {
  const losses: Loss[] = []
  const hear = collector(losses, options)
  const value = encode(encodingFor(dialect, options, hear), (known) => known.forEach(hear))
  return Object.freeze({ value, losses: Object.freeze(losses) })
}

function isRefused(loss: Loss, { onLoss = 'allow' }: EncodeOptions): boolean {
  return (typeof onLoss === 'function' ? onLoss(loss) : onLoss) === 'error'
}
