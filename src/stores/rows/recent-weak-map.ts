/** Number of entries after which a new map is started. */
const MAX_ENTRIES = 20_000

/**
 * A WeakMap that forgets its oldest entries: it keeps at least the last 20,000. A large WeakMap copies all of its entries at once when it grows, and each
 * garbage collection visits them; the process does nothing else meanwhile.
 */
export class RecentWeakMap<K extends object, V> {
  #recent = new WeakMap<K, V>()
  #older = new WeakMap<K, V>()
  #count = 0

  get(key: K): V | undefined {
    return this.#recent.get(key) ?? this.#older.get(key)
  }

  set(key: K, value: V): void {
    if (this.#count >= MAX_ENTRIES) {
      this.#older = this.#recent
      this.#recent = new WeakMap()
      this.#count = 0
    }
    this.#recent.set(key, value)
    this.#count += 1
  }
}
