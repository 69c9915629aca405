import type { Loss } from '../model/loss.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { checkIterable } from '../shape/shape.ts'

/** The losses of one rule for one target: how many there are, with the path and the reason of the first one. */
export interface LossGroup extends Loss {
  readonly count: number
}

/** Groups losses as they arrive. */
export class LossGrouper {
  readonly #groups = new Map<string, { readonly first: Loss; count: number }>()

  add(loss: Loss, times = 1): void {
    const key = `${loss.rule} ${loss.dialect}`
    const group = this.#groups.get(key)
    if (group === undefined) this.#groups.set(key, { first: loss, count: times })
    else group.count += times
  }

  /** Returns the groups: losses before notes, and the most frequent first. */
  groups(): readonly LossGroup[] {
    const rank = ({ severity }: LossGroup): number => (severity === 'loss' ? 0 : 1)
    const groups = Array.from(this.#groups.values(), ({ first, count }) => ({ ...first, count }))
    return groups.toSorted((a, b) => rank(a) - rank(b) || b.count - a.count)
  }
}

/**
 * Groups losses by rule and target: losses before notes, and the most frequent first. Each group has the path and the
 * reason of its first loss.
 *
 * @example
 * const { losses } = translateRequest(body, { from: 'anthropic', to: 'openai-chat' })
 * for (const { count, rule, path } of groupLosses(losses)) console.log(count, rule, path)
 * // 223 'foreign-reasoning' '/messages/1/content/0'
 */
export function groupLosses(losses: Iterable<Loss>): readonly LossGroup[] {
  return withTypedErrors(() => {
    const grouper = new LossGrouper()
    for (const loss of checkIterable(losses, 'a list of losses')) grouper.add(loss)
    return grouper.groups()
  }, [losses])
}

/**
 * Summarizes losses for people: the totals, then one line for each group of {@link groupLosses}, with the path and the
 * reason of its first loss.
 *
 * @example
 * const { losses } = translateRequest(body, { from: 'openai-chat', to: 'anthropic' })
 * console.log(summarizeLosses(losses))
 * // 1 loss, 2 notes
 * // loss  1 × no-field at /seed: `seed` is not supported by anthropic; it was omitted.
 * // note  2 × cache-hint at /tools/0/cache: `tools[0].cache` was omitted: …
 */
export function summarizeLosses(losses: Iterable<Loss>): string {
  const groups = groupLosses(losses)
  if (groups.length === 0) return 'No losses.'
  const totals = [countOf(groups, 'loss', 'losses'), countOf(groups, 'note', 'notes')]
  const lines = groups.map(
    ({ severity, count, rule, path, reason }) =>
      `${severity}  ${count} × ${rule} at ${path === '' ? 'the root' : path}: ${reason}`,
  )
  return [totals.filter((text) => text !== '').join(', '), ...lines].join('\n')
}

function countOf(groups: readonly LossGroup[], severity: Loss['severity'], plural: string): string {
  const count = groups.reduce((sum, each) => (each.severity === severity ? sum + each.count : sum), 0)
  return count === 0 ? '' : `${count} ${count === 1 ? severity : plural}`
}
