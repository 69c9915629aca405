import type { AgUiInterrupt, AgUiOutcome } from './ag-ui-event.ts'

/** The answer that a client gives to a request for approval. */
const DECISION_SCHEMA = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
}

/** Collects what a run waits for when it ends. */
export class RunOutcomeCollector {
  /** Tool calls without a result of the application. */
  readonly #pendingCallIds = new Set<string>()
  readonly #interrupts: AgUiInterrupt[] = []

  addCall(toolCallId: string): void {
    this.#pendingCallIds.add(toolCallId)
  }

  removeCall(toolCallId: string): void {
    this.#pendingCallIds.delete(toolCallId)
  }

  addApprovalRequest(toolCallId: string, id: string): void {
    this.#interrupts.push({ id, reason: 'tool-approval', toolCallId, responseSchema: DECISION_SCHEMA })
  }

  toOutcome(isCancelled: boolean): AgUiOutcome {
    if (isCancelled) return { type: 'cancelled' }
    if (this.#interrupts.length > 0) return { type: 'interrupt', interrupts: this.#interrupts }
    if (this.#pendingCallIds.size === 0) return { type: 'success' }
    return { type: 'success', pendingToolCallIds: [...this.#pendingCallIds] }
  }
}
