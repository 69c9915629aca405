/** The events of a running response, for any number of readers. Events are counted from 0. */
export class BackgroundRun {
  readonly #controller = new AbortController()
  readonly #onStop: () => void
  readonly #events: Uint8Array[] = []
  #hasEnded = false
  /** Wakes the readers that have read all events. */
  #wake: () => void = () => {}
  #changed: Promise<void>

  constructor(onStop: () => void) {
    this.#onStop = onStop
    this.#changed = this.#createChange()
  }

  /** Aborted when the run is stopped. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  #createChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #notify(): void {
    const wake = this.#wake
    this.#changed = this.#createChange()
    wake()
  }

  push(event: Uint8Array): void {
    this.#events.push(event)
    this.#notify()
  }

  end(): void {
    this.#hasEnded = true
    this.#notify()
  }

  /** Ends the run without a result: its response was cancelled or deleted. */
  stop(): void {
    this.#onStop()
    this.abort()
  }

  /** Ends the run as a failure. */
  abort(): void {
    this.#controller.abort()
  }

  /** Yields the events from a number on, and follows the run to its end. */
  async *read(first: number): AsyncGenerator<Uint8Array, void, undefined> {
    for (let index = Math.max(0, first); ; index++) {
      while (index >= this.#events.length) {
        if (this.#hasEnded) return
        await this.#changed
      }
      const event = this.#events[index]
      if (event !== undefined) yield event
    }
  }
}
