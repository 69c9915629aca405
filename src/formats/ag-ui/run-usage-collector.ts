import { addUsage, type Usage } from '../../canonical/model/usage.ts'
import { omitUndefined } from '../../wire/json.ts'
import type { UiStep } from '../shared/protocol-writer.ts'
import type { AgUiTokenUsage } from './ag-ui-event.ts'

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
