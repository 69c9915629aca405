import type { CarriedItem } from './carried-item.ts'

/** The highest number of calls that are remembered, of the characters of what is remembered, and for how long. */
const MAX_CALLS = 10_000
const MAX_CHARS = 64 * 1024 * 1024
const MAX_AGE_MS = 6 * 60 * 60 * 1000

interface Remembered {
  readonly items: readonly CarriedItem[]
  readonly chars: number
  readonly expiresAt: number
}

/**
 * Remembers by the id of a call what its provider wants back with it, for clients that drop everything they do not know. Bounded:
 * the oldest calls are forgotten first.
 */
export class CallMemory {
  readonly #calls = new Map<string, Remembered>()
  readonly #now: () => number
  #chars = 0

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Remembers items; `client` separates the calls of different keys, since their ids may be the same. */
  add(client: string, callId: string, items: readonly CarriedItem[]): void {
    if (items.length === 0) return
    const key = toKey(client, callId)
    this.#forget(key)
    const chars = JSON.stringify(items).length
    this.#calls.set(key, { items, chars, expiresAt: this.#now() + MAX_AGE_MS })
    this.#chars += chars
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= MAX_CALLS && this.#chars <= MAX_CHARS) break
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    this.#chars -= this.#calls.get(key)?.chars ?? 0
    this.#calls.delete(key)
  }

  get(client: string, callId: string): readonly CarriedItem[] {
    const found = this.#calls.get(toKey(client, callId))
    return found !== undefined && found.expiresAt > this.#now() ? found.items : []
  }
}

function toKey(client: string, callId: string): string {
  return JSON.stringify([client, callId])
}
