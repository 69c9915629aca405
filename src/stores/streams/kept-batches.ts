import { countUtf8Bytes } from '../../wire/utf8-offsets.ts'
import type { StreamBatch } from './stream-backend.ts'

/** How much of one stream is kept. */
export interface StreamBounds {
  readonly maxEvents: number
  readonly maxBytes: number
}

interface KeptBatch {
  readonly firstEvent: number
  readonly lastEvent: number
  readonly bytes: number
}

/** Decides which batches of a stream are kept: the newest ones within the bounds, and always the last one. */
export class KeptBatches {
  readonly #bounds: StreamBounds
  #batches: KeptBatch[] = []
  #start = 0
  #bytes = 0

  constructor(bounds: StreamBounds) {
    this.#bounds = bounds
  }

  /** Number of the oldest chunk that is kept. */
  get firstEvent(): number {
    return this.#batches[this.#start]?.firstEvent ?? 1
  }

  add({ firstEvent, lastEvent, body }: StreamBatch): void {
    const bytes = countUtf8Bytes(body)
    this.#batches.push({ firstEvent, lastEvent, bytes })
    this.#bytes += bytes
    const { maxEvents, maxBytes } = this.#bounds
    while (
      this.#start < this.#batches.length - 1 &&
      (this.#bytes > maxBytes || lastEvent - this.firstEvent + 1 > maxEvents)
    ) {
      this.#bytes -= this.#batches[this.#start]?.bytes ?? 0
      this.#start += 1
    }
    if (this.#start * 2 > this.#batches.length) {
      this.#batches = this.#batches.slice(this.#start)
      this.#start = 0
    }
  }
}
