import type { UsedAmounts } from '../state/gateway-state.ts'

/** Adds amounts to those of a key in one step, and returns the sums. */
type WriteUsage = (key: string, amounts: UsedAmounts, ttlMs: number) => Promise<UsedAmounts>

/** Amounts that wait for the write before, and are written together. */
interface UsageBatch {
  total: UsedAmounts
  readonly sums: Promise<UsedAmounts>
}

const NOTHING: UsedAmounts = { requests: 0, tokens: 0, cost: 0 }

/**
 * Adds to a key one write after the other, and together what waits: all requests of a client count in one row, whose lock would
 * make many of them wait for each other's connections.
 */
export class UsageQueue {
  readonly #write: WriteUsage
  readonly #waiting = new Map<string, UsageBatch>()
  readonly #lastWrites = new Map<string, Promise<UsedAmounts>>()

  constructor(write: WriteUsage) {
    this.#write = write
  }

  /** Adds amounts, and returns the sums with them and without those that were added after them. */
  async add(key: string, amounts: UsedAmounts, ttlMs: number): Promise<UsedAmounts> {
    const batch = this.#waiting.get(key) ?? this.#open(key, ttlMs)
    batch.total = combine(batch.total, amounts, 1)
    const own = batch.total
    const sums = await batch.sums
    return combine(sums, combine(batch.total, own, -1), -1)
  }

  #open(key: string, ttlMs: number): UsageBatch {
    const before = this.#lastWrites.get(key) ?? Promise.resolve(NOTHING)
    const write = (): Promise<UsedAmounts> => {
      this.#waiting.delete(key)
      return this.#write(key, batch.total, ttlMs).finally(() => {
        if (this.#lastWrites.get(key) === batch.sums) this.#lastWrites.delete(key)
      })
    }
    const batch: UsageBatch = { total: NOTHING, sums: before.then(write, write) }
    this.#waiting.set(key, batch)
    this.#lastWrites.set(key, batch.sums)
    return batch
  }
}

function combine(a: UsedAmounts, b: UsedAmounts, sign: 1 | -1): UsedAmounts {
  return {
    requests: a.requests + sign * b.requests,
    tokens: a.tokens + sign * b.tokens,
    cost: a.cost + sign * b.cost,
  }
}
