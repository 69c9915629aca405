/** Amounts that limits count. */
export interface UsedAmounts {
  readonly requests: number
  readonly tokens: number
  readonly cost: number
}

/**
 * State of a gateway that expires: what is remembered of calls, and what clients have used. Keys and values are texts that the
 * gateway writes; an implementation only stores them. All methods may be called by several instances at the same time.
 *
 * @example
 * const state: GatewayState = await postgresGatewayState('postgres://localhost/gateway')
 * const gateway = createGateway({ routes, sealKeys, state })
 */
export interface GatewayState {
  /** Stores a value. After the time, or if the store is full, it is forgotten. */
  put(key: string, value: string, ttlMs: number): Promise<void>
  /** Returns the values of the keys that are stored. */
  get(keys: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Adds amounts to those of a key, in one step, and returns the sums. */
  add(key: string, amounts: UsedAmounts, ttlMs: number): Promise<UsedAmounts>
  close(): Promise<void>
}

/** The highest number of values that are stored, and of their characters with those of the keys. */
const MAX_VALUES = 10_000
const MAX_CHARS = 64 * 1024 * 1024

interface StoredValue {
  readonly value: string
  readonly expiresAt: number
}

/** State in this process. Bounded: the oldest values are forgotten first. */
export class InProcessGatewayState implements GatewayState {
  readonly #values = new Map<string, StoredValue>()
  readonly #used = new Map<string, UsedAmounts & { readonly expiresAt: number }>()
  readonly #now: () => number
  #chars = 0

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  async put(key: string, value: string, ttlMs: number): Promise<void> {
    this.#forget(key)
    this.#values.set(key, { value, expiresAt: this.#now() + ttlMs })
    this.#chars += key.length + value.length
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= MAX_VALUES && this.#chars <= MAX_CHARS) break
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    const found = this.#values.get(key)
    if (found !== undefined) this.#chars -= key.length + found.value.length
    this.#values.delete(key)
  }

  async get(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const now = this.#now()
    return new Map(
      keys.flatMap((key) => {
        const found = this.#values.get(key)
        return found !== undefined && found.expiresAt > now ? [[key, found.value] as const] : []
      }),
    )
  }

  async add(key: string, { requests, tokens, cost }: UsedAmounts, ttlMs: number): Promise<UsedAmounts> {
    const before = this.#used.get(key)
    if (before === undefined) this.#forgetExpiredAmounts()
    const sums = {
      requests: (before?.requests ?? 0) + requests,
      tokens: (before?.tokens ?? 0) + tokens,
      cost: (before?.cost ?? 0) + cost,
    }
    this.#used.set(key, { ...sums, expiresAt: before?.expiresAt ?? this.#now() + ttlMs })
    return sums
  }

  /** Called for each new period, so that there are never more amounts than keys and periods. */
  #forgetExpiredAmounts(): void {
    const now = this.#now()
    for (const [key, { expiresAt }] of this.#used) if (expiresAt <= now) this.#used.delete(key)
  }

  async close(): Promise<void> {}
}
