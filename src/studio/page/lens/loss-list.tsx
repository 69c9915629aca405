import type { VNode } from 'preact'
import type { Loss } from '../../../canonical/model/loss.ts'
import { CappedList } from '../controls.tsx'
import { formatCount, toVisibleText } from '../format-values.ts'

/** Links to the documentation of a rule. */
export function RuleLink({ rule }: { readonly rule: string }): VNode {
  return (
    <a class="rule-link" href={`./losses.html#${encodeURIComponent(rule)}`} target="_blank" rel="noreferrer">
      {rule}
    </a>
  )
}

/** Counts losses and notes as badges. */
export function LossBadges({ losses }: { readonly losses: readonly Loss[] }): VNode {
  const lossCount = losses.filter(({ severity }) => severity === 'loss').length
  const noteCount = losses.length - lossCount
  return (
    <>
      {losses.length === 0 && <span class="badge ok">no loss</span>}
      {lossCount > 0 && <span class="badge loss">{formatCount(lossCount, 'loss', 'losses')}</span>}
      {noteCount > 0 && <span class="badge note">{formatCount(noteCount, 'note', 'notes')}</span>}
    </>
  )
}

/** The number of losses that are listed. */
const MAX_LISTED = 100

/** Lists losses, those before notes. `onShow` scrolls to the place of a loss. */
export function LossList({
  losses,
  onShow,
}: {
  readonly losses: readonly Loss[]
  readonly onShow?: (index: number) => void
}): VNode {
  const order = losses
    .map((loss, index) => ({ loss, index }))
    .toSorted((a, b) => Number(b.loss.severity === 'loss') - Number(a.loss.severity === 'loss'))
  return (
    <CappedList
      class="loss-list"
      items={order}
      max={MAX_LISTED}
      render={({ loss, index }) => (
        <>
          <span class={`badge ${loss.severity}`}>{loss.severity}</span>{' '}
          <span class="loss-action">{loss.action}</span> {toVisibleText(loss.reason)}
          <span class="loss-place">
            {onShow === undefined ? (
              <code>{toVisibleText(loss.path || '/')}</code>
            ) : (
              <button type="button" class="plain" onClick={() => onShow(index)}>
                Show <code>{toVisibleText(loss.path || '/')}</code>
              </button>
            )}{' '}
            <RuleLink rule={loss.rule} />
          </span>
        </>
      )}
    />
  )
}
