/** Counts the requests that use a configuration, and says when a replaced one is no longer used. */
export class ConfigUseCounter {
  readonly #onUnused: () => void
  #count = 0
  #isReplaced = false

  /** `onUnused` is called once, after `replace` and the end of the last use. */
  constructor(onUnused: () => void) {
    this.#onUnused = onUnused
  }

  /** Starts a use; returns a function that ends it. Calls after the first have no effect. */
  start(): () => void {
    this.#count += 1
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      this.#count -= 1
      this.#check()
    }
  }

  /** Another configuration is used for new requests. */
  replace(): void {
    this.#isReplaced = true
    this.#check()
  }

  #check(): void {
    if (this.#isReplaced && this.#count === 0) this.#onUnused()
  }
}
