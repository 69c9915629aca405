import type { GatewayLimit, LimitPeriod } from './config.ts'
import type { GatewayState, UsedAmounts } from './state/gateway-state.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** The lengths of the periods. */
export const PERIOD_MS: { readonly [period in LimitPeriod]: number } = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: DAY_MS,
  month: 30 * DAY_MS,
}

/** What is left of one amount of a limit, for the headers of the answer. */
export interface RemainingAmount {
  readonly amount: keyof UsedAmounts
  readonly limit: number
  readonly remaining: number
  readonly resetMs: number
}

/** The result of counting a request. */
export interface LimitCheck {
  readonly remaining: readonly RemainingAmount[]
  /** The time to wait; absent if the request is within all limits. */
  readonly retryAfterMs?: number
}

const AMOUNTS = ['requests', 'tokens', 'cost'] as const
const ONE_REQUEST: UsedAmounts = { requests: 1, tokens: 0, cost: 0 }

/** Counts what one client uses in the periods of its limits. */
export class UsageLimits {
  readonly #client: string
  readonly #limits: readonly GatewayLimit[]
  readonly #state: GatewayState
  readonly #now: () => number

  constructor(client: string, limits: readonly GatewayLimit[], state: GatewayState, now: () => number) {
    this.#client = client
    this.#limits = limits
    this.#state = state
    this.#now = now
  }

  /** Counts a request. One that is refused is not counted, so that it does not use up a longer period. */
  async start(): Promise<LimitCheck> {
    const sums = await this.#add(ONE_REQUEST)
    const now = this.#now()
    const remaining = this.#limits.flatMap((limit) => listRemaining(limit, sums.get(limit.per), now))
    const waits = remaining.flatMap(({ amount, remaining: left, resetMs }) =>
      // This request is counted already; tokens and cost are only known afterwards.
      (amount === 'requests' ? left < 0 : left <= 0) ? [resetMs] : [],
    )
    if (waits.length === 0) return { remaining }
    await this.#add({ requests: -1, tokens: 0, cost: 0 })
    return { remaining, retryAfterMs: waits.reduce((longest, wait) => Math.max(longest, wait), 0) }
  }

  /** Counts what an answer has used. */
  async finish(tokens: number, cost: number): Promise<void> {
    if (tokens > 0 || cost > 0) await this.#add({ requests: 0, tokens, cost })
  }

  async #add(amounts: UsedAmounts): Promise<ReadonlyMap<LimitPeriod, UsedAmounts>> {
    const now = this.#now()
    const periods = [...new Set(this.#limits.map(({ per }) => per))]
    const sums = periods.map(async (per) => {
      const periodMs = PERIOD_MS[per]
      const key = JSON.stringify(['used', this.#client, per, Math.floor(now / periodMs)])
      return [per, await this.#state.add(key, amounts, periodMs)] as const
    })
    return new Map(await Promise.all(sums))
  }
}

function listRemaining(
  limit: GatewayLimit,
  used: UsedAmounts | undefined,
  now: number,
): readonly RemainingAmount[] {
  const periodMs = PERIOD_MS[limit.per]
  return AMOUNTS.flatMap((amount) => {
    const highest = limit[amount]
    if (highest === undefined) return []
    const remaining = highest - (used?.[amount] ?? 0)
    return [{ amount, limit: highest, remaining, resetMs: periodMs - (now % periodMs) }]
  })
}
