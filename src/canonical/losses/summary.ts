import type { Loss } from '../model/loss.ts'

/** A rule for one target, and how often it was reported. */
export interface CountedLoss extends Omit<Loss, 'path'> {
  readonly count: number
}

/** Counts losses by rule and target; the reason is that of the first loss. */
export class LossCounter {
  readonly #counts = new Map<string, CountedLoss>()

  add({ path: _path, ...loss }: Loss): void {
    const key = `${loss.rule} ${loss.dialect}`
    const known = this.#counts.get(key) ?? { ...loss, count: 0 }
    this.#counts.set(key, { ...known, count: known.count + 1 })
  }

  /** Returns the counts, the most frequent first. */
  counts(): readonly CountedLoss[] {
    return [...this.#counts.values()].toSorted((a, b) => b.count - a.count)
  }
}

/**
 * Summarizes losses for people: the totals, then one line for each rule, losses before notes and the most frequent first.
 * The reason is that of the first loss of the rule.
 *
 * @example
 * const { losses } = translateRequest(body, { from: 'openai-chat', to: 'anthropic' })
 * console.log(summarizeLosses(losses))
 * // 1 loss, 2 notes
 * // loss  1 × no-field: `seed` is not supported by anthropic; it was omitted.
 * // note  2 × result-name: `messages[2].content[0].name` was omitted: anthropic identifies a result by its call id.
 */
export function summarizeLosses(losses: Iterable<Loss>): string {
  const counter = new LossCounter()
  for (const loss of losses) counter.add(loss)
  const counts = counter.counts()
  const ranked = [...bySeverity(counts, 'loss'), ...bySeverity(counts, 'note')]
  if (ranked.length === 0) return 'No losses.'
  const totals = (['loss', 'note'] as const)
    .map((severity) => total(counts, severity))
    .filter((text) => text !== undefined)
    .join(', ')
  return [
    totals,
    ...ranked.map((each) => `${each.severity}  ${each.count} × ${each.rule}: ${each.reason}`),
  ].join('\n')
}

function bySeverity(counts: readonly CountedLoss[], severity: Loss['severity']): readonly CountedLoss[] {
  return counts.filter((each) => each.severity === severity)
}

function total(counts: readonly CountedLoss[], severity: Loss['severity']): string | undefined {
  const count = bySeverity(counts, severity).reduce((sum, each) => sum + each.count, 0)
  if (count === 0) return undefined
  return `${count} ${count === 1 ? severity : { loss: 'losses', note: 'notes' }[severity]}`
}
