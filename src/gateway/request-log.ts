import type { Loss } from '../canonical/model/loss.ts'
import type { Reply } from '../canonical/model/model-interface.ts'
import { omitUndefined } from '../wire/json.ts'
import type { GatewayConfig, GatewayLogEntry } from './config.ts'

/** Collects the facts about one request for the log, which gets them once, when its answer has ended. */
export class RequestRecord {
  readonly requestId: string = crypto.randomUUID()
  readonly #startedAt = performance.now()
  readonly #onRequest: GatewayConfig['onRequest']
  #facts: Partial<GatewayLogEntry> & Pick<GatewayLogEntry, 'dialect'>
  #isWritten = false

  constructor(dialect: string, onRequest: GatewayConfig['onRequest']) {
    this.#facts = { dialect }
    this.#onRequest = onRequest
  }

  add(facts: Partial<GatewayLogEntry>): void {
    this.#facts = { ...this.#facts, ...facts }
  }

  addReply({ usage, servedBy }: Reply): void {
    this.add(
      omitUndefined({
        inputTokens: usage?.inputTokens,
        outputTokens: usage?.outputTokens,
        servedBy: servedBy && `${servedBy.provider}:${servedBy.model}`,
      }),
    )
  }

  /** Writes the entry. An error of the log is not one of the answer. */
  write(status: number, losses: readonly Loss[] = [], error?: { readonly code: string }): void {
    if (this.#isWritten) return
    this.#isWritten = true
    try {
      this.#onRequest?.({
        requestId: this.requestId,
        isStreamed: false,
        ...this.#facts,
        status,
        durationMs: Math.round(performance.now() - this.#startedAt),
        losses: countByRule(losses),
        ...(error && { error: error.code }),
      })
    } catch {
      // The log is not part of the answer.
    }
  }
}

/** Counts losses by rule. */
function countByRule(losses: readonly Loss[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const { rule } of losses) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** Writes losses as a short header: `cache-hint=2, no-field=1`. */
export function formatLossHeader(losses: readonly Loss[]): string {
  return Object.entries(countByRule(losses))
    .map(([rule, count]) => `${rule}=${count}`)
    .join(', ')
}
