import { detachTimer } from '../../wire/cancellation.ts'

/** The events of a running response, for any number of readers. Events are counted from 0. */
export class RunningResponse {
  readonly #controller = new AbortController()
  readonly #onStop: () => void
  readonly #events: Uint8Array[] = []
  #byteLength = 0
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

  /** The size of all events. */
  get byteLength(): number {
    return this.#byteLength
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
    this.#byteLength += event.length
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

/** For how long, for how many runs, and how much of their events is kept after the end: a client may connect again. */
const KEPT_MS = 10 * 60 * 1000
const MAX_KEPT = 100
const MAX_KEPT_BYTES = 64 * 1024 * 1024

/** The runs that have ended, the oldest first. Their events can be written again from the stored response. */
export class EndedResponses {
  readonly #runs = new Map<string, RunningResponse>()
  #byteLength = 0

  add(id: string, run: RunningResponse): void {
    this.#runs.set(id, run)
    this.#byteLength += run.byteLength
    for (const oldest of this.#runs.keys()) {
      if (this.#runs.size <= MAX_KEPT && this.#byteLength <= MAX_KEPT_BYTES) break
      this.delete(oldest)
    }
    const timer: unknown = setTimeout(() => this.delete(id), KEPT_MS)
    // The timer of Node would keep the process running.
    detachTimer(timer)
  }

  get(id: string): RunningResponse | undefined {
    return this.#runs.get(id)
  }

  delete(id: string): void {
    this.#byteLength -= this.#runs.get(id)?.byteLength ?? 0
    this.#runs.delete(id)
  }
}
