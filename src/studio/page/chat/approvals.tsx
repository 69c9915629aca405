import type { VNode } from 'preact'
import { ToolCallView } from '../messages/message-view.tsx'
import { chat } from './chat-state.ts'

/** Shows the calls that wait for a decision of the user. */
export function Approvals(): VNode | null {
  const pending = chat.pending.value
  if (pending.length === 0 || chat.isRunning.value) return null
  const decide = (decision: 'approve' | 'deny'): void => {
    const decisions = Object.fromEntries(pending.map(({ id }) => [id, decision]))
    void chat.run({ type: 'resume', decisions })
  }
  return (
    <section class="approvals card" aria-label="Approval">
      <h2>
        {pending.length === 1 ? 'A tool call waits' : `${pending.length} tool calls wait`} for your approval
      </h2>
      {pending.map((call) => (
        <ToolCallView key={call.id} call={call} />
      ))}
      <div class="row">
        <button type="button" class="primary" onClick={() => decide('approve')}>
          Approve
        </button>
        <button type="button" onClick={() => decide('deny')}>
          Deny
        </button>
      </div>
    </section>
  )
}
