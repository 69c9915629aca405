import { type CountedLoss, LossCounter } from '../canonical/losses/summary.ts'
import type { Loss } from '../canonical/model/loss.ts'
import { formatTable } from './terminal-text.ts'

/** Losses counted by rule, for reports with too many losses to list one by one. */
export class LossTally {
  readonly #counter = new LossCounter()

  add(loss: Loss): void {
    this.#counter.add(loss)
  }

  /** Returns the counts, the most frequent first. */
  toJSON(): readonly CountedLoss[] {
    return this.#counter.counts()
  }

  formatLines(paint: (severity: Loss['severity']) => string = (severity) => severity): readonly string[] {
    return formatTable(
      this.toJSON().map(({ count, severity, rule, reason }) => [
        String(count),
        paint(severity),
        rule,
        reason,
      ]),
    )
  }
}
