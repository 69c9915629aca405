import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ToolCallView } from '../messages/message-view.tsx'
import { chat } from './chat-state.ts'

type Decision = 'approve' | 'deny'

const LABELS: { readonly [decision in Decision]: string } = { approve: 'Approve', deny: 'Deny' }

/** Shows the calls that wait for a decision of the user. The run continues when each of them has one. */
export function Approvals(): VNode | null {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Decision>>(new Map())
  const pending = chat.pending.value
  if (pending.length === 0 || chat.isRunning.value) return null
  const ids = new Set(pending.map(({ id }) => id))
  const decide = (decision: Decision, decided: Iterable<string>): void => {
    const decisions = new Map([...chosen].filter(([id]) => ids.has(id)))
    for (const id of decided) decisions.set(id, decision)
    setChosen(decisions)
    if (decisions.size === ids.size)
      void chat.run({ type: 'resume', decisions: Object.fromEntries(decisions) })
  }
  const count = pending.length
  return (
    <section class="approvals card" aria-label="Approval">
      <h2>{count === 1 ? 'A tool call waits' : `${count} tool calls wait`} for your approval</h2>
      {pending.map((call) => (
        <div key={call.id} class="approval">
          <ToolCallView call={call} />
          {count > 1 && (
            <DecisionButtons
              chosen={chosen.get(call.id)}
              onDecide={(decision) => decide(decision, [call.id])}
            />
          )}
        </div>
      ))}
      <DecisionButtons object={count > 1 ? 'all' : ''} onDecide={(decision) => decide(decision, ids)} />
    </section>
  )
}

interface DecisionButtonsProps {
  readonly object?: string
  readonly chosen?: Decision | undefined
  readonly onDecide: (decision: Decision) => void
}

function DecisionButtons({ object = '', chosen, onDecide }: DecisionButtonsProps): VNode {
  return (
    <div class="row">
      {(['approve', 'deny'] as const).map((decision) => (
        <button
          key={decision}
          type="button"
          class={decision === 'approve' ? 'primary' : ''}
          aria-pressed={chosen === undefined ? undefined : chosen === decision}
          onClick={() => onDecide(decision)}
        >
          {`${LABELS[decision]} ${object}`.trim()}
        </button>
      ))}
      {chosen !== undefined && <span class="muted">{chosen === 'approve' ? 'approved' : 'denied'}</span>}
    </div>
  )
}
