import type { GatewayEntry } from '../../api/contract.ts'

/** Sums and counts over the shown requests. */
export interface RequestSummary {
  readonly requests: number
  readonly failed: number
  readonly retries: number
  readonly fallbacks: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** The known costs by currency. */
  readonly costs: ReadonlyMap<string, number>
  /** The number of losses by rule, the most frequent first. */
  readonly losses: readonly (readonly [rule: string, count: number])[]
}

export function summarizeRequests(entries: readonly GatewayEntry[]): RequestSummary {
  const sum = (read: (entry: GatewayEntry) => number | undefined): number =>
    entries.reduce((total, entry) => total + (read(entry) ?? 0), 0)
  const costs = new Map<string, number>()
  const losses = new Map<string, number>()
  for (const entry of entries) {
    if (entry.cost !== undefined)
      costs.set(entry.cost.currency, (costs.get(entry.cost.currency) ?? 0) + entry.cost.amount)
    for (const [rule, count] of Object.entries(entry.losses))
      losses.set(rule, (losses.get(rule) ?? 0) + count)
  }
  return {
    requests: entries.length,
    failed: entries.filter(isFailed).length,
    retries: sum(countRetries),
    fallbacks: sum(({ fallbacks }) => fallbacks),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    costs,
    losses: [...losses].toSorted(([, a], [, b]) => b - a),
  }
}

export function isFailed({ status, error }: GatewayEntry): boolean {
  return status >= 400 || error !== undefined
}

/** Returns how often a request was sent again to the same provider. */
export function countRetries({ attempts, fallbacks }: GatewayEntry): number {
  return Math.max(0, attempts - 1 - fallbacks)
}

/** Returns the value below which a share of the values is; undefined for no values. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
