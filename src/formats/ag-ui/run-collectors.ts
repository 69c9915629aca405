import type { AgUiInterrupt, AgUiOutcome, AgUiTokenUsage } from './ag-ui-event.ts'
import { addUsage, type Usage } from '../../canonical/model/usage.ts'
import { omitUndefined } from '../../wire/json.ts'
import type { UiStep } from '../shared/protocol-writer.ts'

interface UsageEntry {
  readonly provider: string | undefined
  readonly model: string | undefined
  readonly usage: Usage
}

/** Collects the usage of a run: the last usage of each step, summed by provider and model. */
export class RunUsageCollector {
  readonly #steps = new Map<number, UsageEntry>()

  set({ number, start }: UiStep, usage: Usage): void {
    const { provider, model } = start?.origin ?? {}
    this.#steps.set(number, { provider, model: start?.model ?? model, usage })
  }

  /** Returns the `usage` field of an event; no field if no usage was reported. */
  entries(): { readonly usage?: AgUiTokenUsage[] } {
    const sums = new Map<string, UsageEntry>()
    for (const entry of this.#steps.values()) {
      const key = JSON.stringify([entry.provider, entry.model])
      const sum = sums.get(key)
      sums.set(key, sum === undefined ? entry : { ...sum, usage: addUsage(sum.usage, entry.usage) })
    }
    return sums.size === 0 ? {} : { usage: [...sums.values()].map(toTokenUsage) }
  }
}

function toTokenUsage({ provider, model, usage }: UsageEntry): AgUiTokenUsage {
  const { inputTokens, outputTokens, totalTokens, reasoningTokens, cachedInputTokens } = usage
  return omitUndefined({
    provider,
    model,
    inputTokens,
    outputTokens,
    totalTokens,
    reasoningTokens,
    cachedInputTokens,
    cacheWriteInputTokens: usage.cacheWriteTokens,
  })
}

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
