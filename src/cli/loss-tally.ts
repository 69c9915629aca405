import { type CountedLoss, LossCounter } from '../canonical/losses/summary.ts'
import type { Loss } from '../canonical/model/loss.ts'
import { formatTable } from './terminal-text.ts'

/** Losses counted by rule, for reports with too many losses to list one by one. */
export class LossTally extends LossCounter {
  toJSON(): readonly CountedLoss[] {
    return this.counts()
  }

  formatLines(paint: (severity: Loss['severity']) => string = (severity) => severity): readonly string[] {
    return formatTable(
      this.counts().map(({ count, severity, rule, reason }) => [`${count}`, paint(severity), rule, reason]),
    )
  }
}
