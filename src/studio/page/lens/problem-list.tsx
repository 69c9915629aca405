import type { VNode } from 'preact'
import { toVisibleText } from '../messages/visible-text.ts'
import type { LensProblem } from './lens-analysis.ts'

/** The number of problems that are listed. */
const MAX_LISTED = 30

/** Lists what a provider would reject. */
export function ProblemList({
  problems,
  isChecked,
}: {
  readonly problems: readonly LensProblem[]
  /** True for a conversation; parts of one cannot be checked. */
  readonly isChecked: boolean
}): VNode | null {
  if (problems.length === 0)
    return isChecked ? (
      <p>
        <span class="badge ok">valid</span> No rule of the format is broken.
      </p>
    ) : null
  return (
    <ul class="loss-list" aria-label="Problems">
      {problems.slice(0, MAX_LISTED).map(({ rule, path, message, severity }, index) => (
        <li key={index}>
          <span class={`badge ${severity === 'error' ? 'danger' : 'warning'}`}>{severity}</span>{' '}
          {toVisibleText(message)}{' '}
          <span class="loss-place">
            <code>{toVisibleText(path || '/')}</code> <span class="muted">{rule}</span>
          </span>
        </li>
      ))}
      {problems.length > MAX_LISTED && <li class="muted">and {problems.length - MAX_LISTED} more</li>}
    </ul>
  )
}
