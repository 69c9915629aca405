import { type ConversationStorage, memoryStorage } from 'interlingua/stores'

/** A storage in memory whose clock only moves when a lease shall expire. */
export function createStorageWithClock(): {
  readonly storage: ConversationStorage
  readonly expireLeases: () => void
} {
  let now = Date.parse('2026-11-16T00:00:00Z')
  return {
    storage: memoryStorage({ now: () => now }),
    expireLeases: () => void (now += 3_600_000),
  }
}

/** A storage as a process sees it that ends: after `end`, no call returns, and none has an effect. */
export function createEndingProcess(storage: ConversationStorage): {
  readonly storage: ConversationStorage
  readonly end: () => void
} {
  let hasEnded = false
  const entries = Object.entries(storage).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'function') return [name, value]
    const call = value as (...given: readonly unknown[]) => unknown
    return [name, (...given: readonly unknown[]) => (hasEnded ? new Promise(() => {}) : call(...given))]
  })
  return {
    storage: Object.fromEntries(entries) as ConversationStorage,
    end: () => void (hasEnded = true),
  }
}
