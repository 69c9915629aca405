import { LossTable } from '../loss-table.ts'
import {
  type TranslationCheckResult,
  type RuleViolation,
  type VerifyRuleId,
  VERIFY_RULES,
} from './check-document.ts'

/** Counts of the translations from one format to another. */
export interface TranslationCounts {
  documentCount: number
  lossyCount: number
  notedCount: number
  refusedCount: number
}

/** The combined results of `verify`. */
export class VerifyReport {
  readonly matrix: Map<string, Map<string, TranslationCounts>> = new Map()
  readonly violations: Map<VerifyRuleId, RuleViolation[]> = new Map()
  readonly losses: LossTable = new LossTable()
  documentCount = 0
  unreadableCount = 0
  unknownFormatCount = 0

  add(location: string, from: string, checks: readonly TranslationCheckResult[]): void {
    this.documentCount++
    for (const { to, losses, violations, refusedWith } of checks) {
      const cell = this.#cell(from, to)
      const isLossy = losses.some(({ severity }) => severity === 'loss')
      cell.documentCount++
      if (refusedWith !== undefined) cell.refusedCount++
      else if (isLossy) cell.lossyCount++
      else if (losses.length > 0) cell.notedCount++
      for (const loss of losses) this.losses.add(loss)
      for (const [rule, detail] of violations) {
        this.violations.set(rule, [...(this.violations.get(rule) ?? []), { location, to, detail }])
      }
    }
  }

  #cell(from: string, to: string): TranslationCounts {
    const row = this.matrix.get(from) ?? new Map<string, TranslationCounts>()
    const cell = row.get(to) ?? { documentCount: 0, lossyCount: 0, notedCount: 0, refusedCount: 0 }
    this.matrix.set(from, row.set(to, cell))
    return cell
  }

  toJSON(): object {
    return {
      documentCount: this.documentCount,
      unreadableCount: this.unreadableCount,
      unknownFormatCount: this.unknownFormatCount,
      matrix: Object.fromEntries([...this.matrix].map(([from, row]) => [from, Object.fromEntries(row)])),
      rules: Object.keys(VERIFY_RULES).map((id) => ({
        id,
        violations: this.violations.get(id as VerifyRuleId) ?? [],
      })),
      losses: this.losses,
    }
  }
}
