/** A longer list of values is not kept for the next chunk. */
const MAX_KEPT_SLOTS = 1024

/** The values that were parsed from a chunk, in their order. The list keeps its memory: a new one for each chunk is slow. */
export class ValueBuffer<T> {
  readonly #values: (T | undefined)[] = []
  #count = 0
  #taken = 0

  get isEmpty(): boolean {
    return this.#taken >= this.#count
  }

  push(value: T): void {
    this.#values[this.#count++] = value
  }

  /** Returns the next value; there must be one. */
  take(): T {
    const value = this.#values[this.#taken] as T
    this.#values[this.#taken++] = undefined
    return value
  }

  /** Removes the values that were not taken. */
  clear(): void {
    if (!this.isEmpty || this.#values.length > MAX_KEPT_SLOTS) this.#values.length = 0
    this.#count = this.#taken = 0
  }
}
