import { createLoss, lossRefused } from '../../canonical/losses/loss.ts'
import type { Loss, LossRule, Translation } from '../../canonical/model/loss.ts'
import { type Path, toPointer } from '../../wire/json-pointer.ts'
import type { DecodeOptions, EncodeOptions } from './dialect.ts'

/** One encoding under way: its options, and who hears of losses. */
export interface EncodeContext {
  readonly options: EncodeOptions
  /** Reports that a rule was applied at a path of the canonical value. */
  report(rule: LossRule, path: Path | undefined): void
}

/** The encoder inside a decoder: it asks for nothing and reports to nobody. */
export const noReport: EncodeContext = { options: {}, report: () => {} }

/** The same for a body of a host that differs from the format that it speaks. */
export function createNoReport({ flavor }: DecodeOptions): EncodeContext {
  return flavor === undefined ? noReport : { ...noReport, options: { flavor } }
}

/** An encoding to a dialect whose losses are reported. */
export function createEncodeContext(
  dialect: string,
  options: EncodeOptions,
  onLoss: (loss: Loss) => void,
): EncodeContext {
  const target = { dialect, flavor: options.flavor }
  return {
    options,
    report: (rule, path) => onLoss(createLoss(rule, toPointer(path), target)),
  }
}

/** Collects losses, and refuses those that the options do not allow. */
export function createLossCollector(losses: Loss[], options: EncodeOptions): (loss: Loss) => void {
  return (loss) => {
    losses.push(loss)
    if (loss.severity === 'loss' && isRefused(loss, options)) throw lossRefused(loss)
  }
}

/** Runs an encoder and collects its losses; `repeat` takes those that were known before. */
export function encodeWithLosses<T>(
  dialect: string,
  options: EncodeOptions,
  encode: (context: EncodeContext, repeat: (known: readonly Loss[]) => void) => T,
): Translation<T> {
  const losses: Loss[] = []
  const onLoss = createLossCollector(losses, options)
  const value = encode(createEncodeContext(dialect, options, onLoss), (known) => known.forEach(onLoss))
  return Object.freeze({ value, losses: Object.freeze(losses) })
}

function isRefused(loss: Loss, { onLoss = 'allow' }: EncodeOptions): boolean {
  return (typeof onLoss === 'function' ? onLoss(loss) : onLoss) === 'error'
}
