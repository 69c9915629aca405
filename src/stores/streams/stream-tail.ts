import { createAbortablePromise } from '../../wire/cancellation.ts'
import { countUtf8Bytes } from '../../wire/utf8-offsets.ts'
import type { StreamChunk, StreamEnd } from './stream-log.ts'
import type { StreamBatch } from './stream-backend.ts'

/** The limits of one stream. */
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

/** Bytes of stored chunks that stay in memory, so that readers in this process rarely need the storage. */
const MAX_STORED_BYTES = 256 * 1024

/** Bytes of a chunk besides its data, so that an empty one counts. */
const SEPARATOR_BYTES = 3

interface TailChunk extends StreamChunk {
  readonly bytes: number
}

/** The newest chunks of a stream that this process writes: all that are not stored yet, and some that are. */
export class StreamTail {
  readonly tenant: string
  end: StreamEnd | undefined
  #chunks: TailChunk[] = []
  /** Index in `#chunks` of the oldest chunk; those before it were dropped. */
  #start = 0
  #lastEvent = 0
  #lastStored = 0
  #storedBytes = 0
  #pendingBytes = 0
  readonly #waiting = new Set<() => void>()

  constructor(tenant: string) {
    this.tenant = tenant
  }

  get lastEvent(): number {
    return this.#lastEvent
  }

  /** Number of the newest chunk that is stored. */
  get lastStored(): number {
    return this.#lastStored
  }

  /** Bytes of the chunks that are not stored yet. */
  get pendingBytes(): number {
    return this.#pendingBytes
  }

  /** Number of the oldest chunk in memory, or of the next one. */
  get firstEvent(): number {
    return this.#lastEvent + 1 - (this.#chunks.length - this.#start)
  }

  push(data: string): void {
    this.#lastEvent += 1
    const bytes = countUtf8Bytes(data) + SEPARATOR_BYTES
    this.#chunks.push({ type: 'chunk', event: this.#lastEvent, data, bytes })
    this.#pendingBytes += bytes
    this.#wake()
  }

  /** Returns the chunk with a number that is in memory. */
  chunk(event: number): StreamChunk | undefined {
    const found = this.#chunks[this.#start + event - this.firstEvent]
    return found && { type: 'chunk', event, data: found.data }
  }

  /**
   * Returns the texts of the oldest chunks that are not stored yet: at least one, and no more than the bounds allow.
   */
  pendingData({ maxEvents, maxBytes }: StreamBounds): readonly string[] {
    const start = this.#start + this.#lastStored + 1 - this.firstEvent
    const data: string[] = []
    let bytes = 0
    for (let index = start; index < this.#chunks.length && data.length < maxEvents; index++) {
      const chunk = this.#chunks[index]
      if (chunk === undefined || (data.length > 0 && bytes + chunk.bytes > maxBytes)) break
      data.push(chunk.data)
      bytes += chunk.bytes
    }
    return data
  }

  /** Marks chunks as stored, and drops the oldest ones from memory. */
  markStored(lastStored: number): void {
    for (let event = this.#lastStored + 1; event <= lastStored; event++) {
      const { bytes = 0 } = this.#chunks[this.#start + event - this.firstEvent] ?? {}
      this.#pendingBytes -= bytes
      this.#storedBytes += bytes
    }
    this.#lastStored = lastStored
    while (this.#storedBytes > MAX_STORED_BYTES && this.firstEvent <= lastStored) {
      this.#storedBytes -= this.#chunks[this.#start]?.bytes ?? 0
      this.#start += 1
    }
    // Moving the rest only when half is unused keeps the cost of a chunk constant.
    if (this.#start * 2 > this.#chunks.length) {
      this.#chunks = this.#chunks.slice(this.#start)
      this.#start = 0
    }
  }

  finish(end: StreamEnd): void {
    this.end ??= end
    this.#wake()
  }

  /** Waits until there is a chunk with this number, or the end. */
  waitFor(event: number, signal: AbortSignal): Promise<void> {
    if (event <= this.#lastEvent || this.end !== undefined) return Promise.resolve()
    return createAbortablePromise(signal, (resolve) => {
      const wake = (): void => resolve(undefined)
      this.#waiting.add(wake)
      return () => this.#waiting.delete(wake)
    })
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }
}
