import './gateway.css'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { GatewayEntry } from '../../api/contract.ts'
import { call, connections, describeCallError, loseConnection, openStream } from '../api-client.ts'
import { chat } from '../chat/chat-state.ts'
import { CappedList } from '../controls.tsx'
import { Alert } from '../dialog.tsx'
import { formatCost, formatCount, formatMs, toVisibleText } from '../format-values.ts'
import { RuleLink } from '../lens/loss-list.tsx'
import { openInLens } from '../navigation.ts'
import { LatencyPlot } from './latency-plot.tsx'
import { countRetries, isFailed, type RequestSummary, summarizeRequests } from './request-summary.ts'

const MAX_ENTRIES = 500
const PLOTTED = 80

/** Shows the requests of the gateway as they are answered. */
export function GatewayView(): VNode {
  const [{ url, key }, setAccess] = useState({ url: '', key: '' })
  const [entries, setEntries] = useState<readonly GatewayEntry[]>([])
  const [isSending, setIsSending] = useState(false)
  const [error, setError] = useState('')

  const sendSamples = async (): Promise<void> => {
    setIsSending(true)
    setError('')
    await call('gateway.sample', {}).catch((thrown) => setError(describeCallError(thrown)))
    setIsSending(false)
  }
  const openRequest = async (requestId: string): Promise<void> => {
    setError('')
    const result = await call('gateway.body', { requestId }).catch(describeCallError)
    if (typeof result === 'string') setError(result)
    else if (result.body === undefined) setError('The body of this request is not in memory any more.')
    else openInLens(result.body)
  }
  useEffect(() => {
    const controller = new AbortController()
    void watch(controller.signal)
    return () => controller.abort()
  }, [connections.value])

  const watch = async (abort: AbortSignal): Promise<void> => {
    try {
      const status = await call('gateway.status', {})
      setAccess(status)
      setEntries([])
      // Without providers, no client sends requests: samples show what the view is for.
      const hasProviders = chat.groups.peek().length > 1
      if (status.requestCount === 0 && !hasProviders) void sendSamples()
      for await (const entry of openStream('gateway.watch', {}, abort))
        setEntries((before) => [...before, entry].slice(-MAX_ENTRIES))
      if (!abort.aborted) loseConnection()
    } catch {
      // A lost connection is reported by the client of the API.
    }
  }

  const summary = summarizeRequests(entries)
  const recent = entries.slice(-PLOTTED)
  return (
    <section class="gateway" aria-label="Gateway">
      <header class="row">
        <h1>Gateway</h1>
        <span class="spacer" />
        <button type="button" disabled={isSending} onClick={() => void sendSamples()}>
          {isSending ? 'Sending…' : 'Send sample requests'}
        </button>
      </header>
      <p class="muted">
        Point any SDK or agent program at <code>{url}</code>, with the key <code class="key">{key}</code>, a
        new one for each start. Model names are <code>provider:model</code>, or <code>demo</code>. Request
        bodies stay in the memory of the studio, for the lens.
      </p>
      <dl class="facts">
        <Fact name="Requests" value={summary.requests} />
        <Fact name="Failed" value={summary.failed} />
        <Fact name="Retries" value={summary.retries} />
        <Fact name="Fallbacks" value={summary.fallbacks} />
        <Fact
          name="Tokens"
          value={`${summary.inputTokens.toLocaleString('en')} / ${summary.outputTokens.toLocaleString('en')}`}
        />
        <Fact
          name="Cost"
          value={
            [...summary.costs].map(([currency, amount]) => formatCost(amount, currency)).join(' + ') ||
            'unknown'
          }
        />
      </dl>
      <div class="plots">
        <LatencyPlot
          title="Duration"
          bars={recent.map((entry) => ({ valueMs: entry.durationMs, isFailed: isFailed(entry) }))}
        />
        <LatencyPlot
          title="First token"
          bars={recent.flatMap(({ firstTokenMs: valueMs }) =>
            valueMs === undefined ? [] : { valueMs, isFailed: false },
          )}
        />
        <LossRules losses={summary.losses} />
      </div>
      <Alert text={error} />
      <RequestTable entries={entries} onOpen={(requestId) => void openRequest(requestId)} />
    </section>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: number | string }): VNode {
  return (
    <div class="card">
      <dt>{name}</dt>
      <dd>{typeof value === 'number' ? value.toLocaleString('en') : value}</dd>
    </div>
  )
}

function LossRules({ losses }: Pick<RequestSummary, 'losses'>): VNode {
  return (
    <div class="plot card">
      <b>Losses and notes by rule</b>
      {losses.length === 0 && <p class="muted small">None.</p>}
      <CappedList
        class="loss-rules"
        items={losses}
        max={6}
        render={([rule, count]) => (
          <>
            <RuleLink rule={rule} /> <span class="badge note">{count}</span>
          </>
        )}
      />
    </div>
  )
}

const COLUMNS = [
  'Time',
  'Status',
  'Dialect',
  'Model',
  'Served by',
  'Duration',
  'First token',
  'Tokens',
  'Cost',
  'Losses',
]

interface RequestTableProps {
  readonly entries: readonly GatewayEntry[]
  readonly onOpen: (requestId: string) => void
}

function RequestTable({ entries, onOpen }: RequestTableProps): VNode {
  return (
    <div class="table-box requests" tabIndex={0} role="region" aria-label="Requests">
      <table>
        <thead>
          <tr>
            {COLUMNS.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col">
              <span class="visually-hidden">Lens</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.toReversed().map((entry) => (
            <RequestRow key={entry.requestId} entry={entry} onOpen={() => onOpen(entry.requestId)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Shows a request. The whole row can be clicked; its button is for keyboards. */
function RequestRow({ entry, onOpen }: { readonly entry: GatewayEntry; readonly onOpen: () => void }): VNode {
  const { startedAt, status, dialect, model = '', servedBy = '', error, cost, fallbacks } = entry
  const losses = Object.values(entry.losses).reduce((sum, count) => sum + count, 0)
  const retries = countRetries(entry)
  return (
    <tr onClick={onOpen}>
      <td>{new Date(startedAt).toLocaleTimeString([], { hourCycle: 'h23' })}</td>
      <td>
        <span class={isFailed(entry) ? 'badge danger' : 'badge ok'}>{error ?? status}</span>
      </td>
      <td>{dialect}</td>
      <td>{toVisibleText(model)}</td>
      <td>
        {toVisibleText(servedBy) || '–'}{' '}
        {retries > 0 && <span class="badge warning">{formatCount(retries, 'retry', 'retries')}</span>}{' '}
        {fallbacks > 0 && (
          <span class="badge warning">{formatCount(fallbacks, 'fallback', 'fallbacks')}</span>
        )}
      </td>
      <td>{formatMs(entry.durationMs)}</td>
      <td>{entry.firstTokenMs === undefined ? '–' : formatMs(entry.firstTokenMs)}</td>
      <td>{entry.inputTokens === undefined ? '–' : `${entry.inputTokens} / ${entry.outputTokens ?? 0}`}</td>
      <td>{cost === undefined ? '–' : formatCost(cost.amount, cost.currency)}</td>
      <td>{losses > 0 ? <span class="badge note">{losses}</span> : '–'}</td>
      <td>
        <button type="button" class="plain" aria-label="Open in the lens">
          Lens
        </button>
      </td>
    </tr>
  )
}
