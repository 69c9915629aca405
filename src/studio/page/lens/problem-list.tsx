import type { VNode } from 'preact'
import { CappedList } from '../controls.tsx'
import { toVisibleText } from '../format-values.ts'
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
    <CappedList
      class="loss-list"
      label="Problems"
      items={problems}
      max={MAX_LISTED}
      render={({ rule, path, message, severity }) => (
        <>
          <span class={`badge ${severity === 'error' ? 'danger' : 'warning'}`}>{severity}</span>{' '}
          {toVisibleText(message)}{' '}
          <span class="loss-place">
            <code>{toVisibleText(path || '/')}</code> <span class="muted">{rule}</span>
          </span>
        </>
      )}
    />
  )
}
