import { type CountedLoss, LossCounter } from '../canonical/losses/summary.ts'
import type { Loss } from '../canonical/model/loss.ts'
import { type Colorizer, formatTable } from './terminal-text.ts'

export function formatSeverity(severity: Loss['severity'], paint: Colorizer): string {
  return paint(severity === 'loss' ? 'yellow' : 'dim', severity)
}

/** Losses counted by rule, for reports with too many losses to list one by one. */
export class LossTally extends LossCounter {
  toJSON(): readonly CountedLoss[] {
    return this.counts()
  }

  formatLines(paint: Colorizer = (_color, text) => text): readonly string[] {
    return formatTable(
      this.counts().map(({ count, severity, rule, reason }) => [
        `${count}`,
        formatSeverity(severity, paint),
        rule,
        reason,
      ]),
    )
  }
}
