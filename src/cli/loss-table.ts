import { type LossGroup, LossGrouper } from '../canonical/losses/loss-summary.ts'
import type { Loss } from '../canonical/model/loss.ts'
import { type Colorizer, formatTable } from './terminal-text.ts'

export function formatSeverity(severity: Loss['severity'], paint: Colorizer): string {
  return paint(severity === 'loss' ? 'yellow' : 'dim', severity)
}

/** Losses grouped by rule, for reports with too many losses to list one by one. */
export class LossTable extends LossGrouper {
  toJSON(): readonly LossGroup[] {
    return this.groups()
  }

  formatLines(paint: Colorizer = (_color, text) => text): readonly string[] {
    return formatTable(
      this.groups().map(({ count, severity, rule, reason }) => [
        `${count}`,
        formatSeverity(severity, paint),
        rule,
        reason,
      ]),
    )
  }
}
