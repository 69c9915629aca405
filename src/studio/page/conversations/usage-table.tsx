import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { SessionTree, UsageTableRow } from '../../api/contract.ts'
import { call, describeCallError } from '../api-client.ts'
import { Alert } from '../dialog.tsx'
import { formatCost } from '../format-numbers.ts'
import { toVisibleText } from '../messages/to-visible-text.ts'

/** Shows the tokens and the cost of a conversation by model, all branches included. */
export function UsageTable({ opened }: { readonly opened: SessionTree }): VNode {
  const [rows, setRows] = useState<readonly UsageTableRow[]>([])
  const [error, setError] = useState('')
  useEffect(
    () =>
      void call('usage.read', { session: opened.session.id }).then(setRows, (thrown) =>
        setError(describeCallError(thrown)),
      ),
    [opened],
  )
  const known = rows.flatMap(({ cost }) => cost ?? [])
  return (
    <div class="table-box usage" tabIndex={0} role="region" aria-label="Usage">
      <Alert text={error} />
      <table>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Answers</th>
            <th scope="col">Input</th>
            <th scope="col">Output</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ provider, model, answers, usage, cost }) => (
            <tr key={`${provider}:${model}`}>
              <td>
                {toVisibleText(provider)}:<wbr />
                {toVisibleText(model)}
              </td>
              <td>{answers}</td>
              <td>{usage.inputTokens.toLocaleString('en')}</td>
              <td>{usage.outputTokens.toLocaleString('en')}</td>
              <td>{cost === undefined ? 'unknown' : formatCost(cost.amount, cost.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {known.length > 0 && (
        <p class="muted small">
          Known costs in all:{' '}
          {formatCost(
            known.reduce((sum, { amount }) => sum + amount, 0),
            known[0]?.currency ?? '',
          )}
          , by list prices of {known[0]?.asOf.slice(0, 10)}.
        </p>
      )}
    </div>
  )
}
