import { addUsage, type Usage } from '../../canonical/model/usage.ts'
import type { UiStep } from '../shared/protocol-writer.ts'
import type { AgUiTokenUsage } from './events.ts'

interface UsageEntry {
  readonly provider?: string
  readonly model?: string
  readonly usage: Usage
}

/** Collects the usage of a run: the last usage of each step, summed by provider and model. */
export class RunUsage {
  readonly #steps = new Map<number, UsageEntry>()

  set({ number, start }: UiStep, usage: Usage): void {
    const provider = start?.origin?.provider
    const model = start?.model ?? start?.origin?.model
    this.#steps.set(number, {
      ...(provider !== undefined && { provider }),
      ...(model !== undefined && { model }),
      usage,
    })
  }

  /** Returns the `usage` field of an event; no field if no usage was reported. */
  entries(): { readonly usage?: AgUiTokenUsage[] } {
    const sums = new Map<string, UsageEntry>()
    for (const counted of this.#steps.values()) {
      const key = JSON.stringify([counted.provider, counted.model])
      const before = sums.get(key)
      sums.set(
        key,
        before === undefined ? counted : { ...before, usage: addUsage(before.usage, counted.usage) },
      )
    }
    return sums.size === 0 ? {} : { usage: [...sums.values()].map(toTokenUsage) }
  }
}

function toTokenUsage({ provider, model, usage }: UsageEntry): AgUiTokenUsage {
  const { inputTokens, outputTokens, totalTokens, reasoningTokens, cachedInputTokens, cacheWriteTokens } =
    usage
  return {
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    inputTokens,
    outputTokens,
    totalTokens,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteInputTokens: cacheWriteTokens }),
  }
}
