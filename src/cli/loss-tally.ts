import type { Loss } from '../canonical/model/loss.ts'
import { table } from './table.ts'

/** How often a rule acted. */
export interface CountedLoss extends Omit<Loss, 'path'> {
  readonly count: number
}

/** Losses counted by their rules, for when there are too many to tell one by one. */
export class LossTally {
  readonly #counts = new Map<string, CountedLoss>()

  add({ path: _path, ...loss }: Loss): void {
    const known = this.#counts.get(loss.rule) ?? { ...loss, count: 0 }
    this.#counts.set(loss.rule, { ...known, count: known.count + 1 })
  }

  /** The most frequent first. */
  toJSON(): readonly CountedLoss[] {
    return [...this.#counts.values()].toSorted((a, b) => b.count - a.count)
  }

  lines(paint: (severity: Loss['severity']) => string = (severity) => severity): readonly string[] {
    return table(
      this.toJSON().map(({ count, severity, rule, reason }) => [
        String(count),
        paint(severity),
        rule,
        reason,
      ]),
    )
  }
}
