import { detachTimer } from '../../wire/cancellation.ts'
import { InterlinguaError } from '../../errors.ts'
import { throwInvalidType } from '../check-arguments.ts'
import { createConflictError } from '../storage-errors.ts'
import type { StreamBackend, StreamRow, StreamTimes, StreamUpdate } from './stream-backend.ts'
import { KeptBatches, type StreamBounds, type StreamTail } from './stream-tail.ts'
import type { StreamEnd, StreamLogWriter } from './stream-log.ts'

/** Options for storing chunks. */
export interface StreamLogWriterOptions extends StreamTimes, StreamBounds {
  readonly flushMs: number
  readonly flushBytes: number
}

/** Longest time until a writer without new chunks notices that it was asked to stop. */
const STOP_CHECK_MS = 500
const RENEWALS_PER_LEASE = 3

/** A batch has at most this part of what is kept, because whole batches are dropped. */
const MIN_BATCHES = 4

/** Delay before a failed write is repeated. */
const RETRY_MS = 100

/** Bytes of chunks that wait for the storage before `append` waits, too. */
const MAX_PENDING_BYTES = 1024 * 1024

/** Stores the chunks of a {@link StreamTail} in batches, and renews the lease of the stream. */
export class BatchingStreamLogWriter implements StreamLogWriter {
  readonly id: string
  readonly #backend: StreamBackend
  readonly #tail: StreamTail
  readonly #options: StreamLogWriterOptions
  readonly #kept: KeptBatches
  readonly #batchBounds: StreamBounds
  readonly #controller = new AbortController()
  readonly #onClose: () => void
  #timer: NodeJS.Timeout | undefined
  #isFlushDue = false
  #writing: Promise<void> | undefined
  #ending: Promise<void> | undefined
  #lastWriteMs = performance.now()
  #failure: { readonly error: unknown } | undefined

  constructor(
    id: string,
    backend: StreamBackend,
    tail: StreamTail,
    options: StreamLogWriterOptions,
    onClose: () => void,
  ) {
    this.id = id
    this.#backend = backend
    this.#tail = tail
    this.#options = options
    this.#kept = new KeptBatches(options)
    this.#batchBounds = {
      maxEvents: Math.ceil(options.maxEvents / MIN_BATCHES),
      maxBytes: options.maxBytes / MIN_BATCHES,
    }
    this.#onClose = onClose
    this.#schedule(this.#idleMs)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get #idleMs(): number {
    return Math.min(this.#options.leaseMs / RENEWALS_PER_LEASE, STOP_CHECK_MS)
  }

  async append(data: string): Promise<void> {
    if (typeof data !== 'string') throwInvalidType('data', data, 'a string')
    if (this.#failure !== undefined) throw this.#failure.error
    if (this.#ending !== undefined) throw createEndedError()
    this.#tail.push(data)
    if (this.#tail.pendingBytes >= this.#options.flushBytes) void this.#write()
    else if (!this.#isFlushDue && this.#writing === undefined) {
      this.#isFlushDue = true
      this.#schedule(this.#options.flushMs)
    }
    while (this.#tail.pendingBytes > MAX_PENDING_BYTES && this.#failure === undefined) await this.#write()
  }

  end(reason: 'complete' | 'failed' | 'aborted' = 'complete', code?: string): Promise<void> {
    return (this.#ending ??= this.#end({ type: 'end', reason, ...(code !== undefined && { code }) }))
  }

  /** Aborts the signal, as if another process had asked for it. */
  stop(): void {
    this.#controller.abort(createStopError())
  }

  async #end(end: StreamEnd): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
    clearTimeout(this.#timer)
    try {
      while (this.#failure === undefined && this.#tail.pendingBytes > 0) await this.#write()
      if (this.#failure === undefined) await this.#write(end)
      if (this.#failure !== undefined) throw this.#failure.error
      this.#tail.finish(end)
    } finally {
      clearTimeout(this.#timer)
      this.#tail.finish({ type: 'end', reason: 'interrupted' })
      this.#onClose()
    }
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer)
    if (this.#ending !== undefined || this.#failure !== undefined) return
    this.#timer = setTimeout(() => void this.#write(), delayMs)
    // The run keeps the process alive, not its log.
    detachTimer(this.#timer)
  }

  /** Stores what is not stored yet; never rejects. Only one write is under way at a time. */
  #write(end?: StreamEnd): Promise<void> {
    this.#writing ??= this.#writeUntilStored(end).finally(() => {
      this.#writing = undefined
      this.#isFlushDue = this.#tail.pendingBytes > 0
      this.#schedule(this.#isFlushDue ? this.#options.flushMs : this.#idleMs)
    })
    return this.#writing
  }

  async #writeUntilStored(end: StreamEnd | undefined): Promise<void> {
    const renewalMs = this.#options.leaseMs / RENEWALS_PER_LEASE
    const isRenewalDue = performance.now() - this.#lastWriteMs + STOP_CHECK_MS >= renewalMs
    const shouldWrite = end !== undefined || this.#tail.pendingBytes > 0 || isRenewalDue
    // One body is repeated until it is stored: the outcome of a failed write is unknown.
    const update = shouldWrite ? this.#buildUpdate(end) : undefined
    for (;;) {
      try {
        const state = update ? await this.#backend.update(this.id, update) : await this.#readState()
        if (state === undefined) return this.#fail(createReplacedError())
        if (update !== undefined) this.#lastWriteMs = performance.now()
        if (update !== undefined) this.#tail.markStored(update.lastEvent)
        if (state.isStopRequested) this.stop()
        return
      } catch (error) {
        if (performance.now() - this.#lastWriteMs > this.#options.leaseMs || !isRetryable(error))
          return this.#fail(error)
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  /** Reads whether the stream was asked to stop, which is cheaper than a write. */
  async #readState(): Promise<Pick<StreamRow, 'isStopRequested'> | undefined> {
    const page = await this.#backend.read(this.#tail.tenant, this.id, this.#tail.lastEvent + 1)
    return page?.row.status === 'active' ? page.row : undefined
  }

  #buildUpdate(end: StreamEnd | undefined): StreamUpdate {
    const { leaseMs, retentionMs } = this.#options
    const data = this.#tail.pendingData(this.#batchBounds)
    const lastEvent = this.#tail.lastStored + data.length
    const batch =
      data.length === 0
        ? undefined
        : { firstEvent: this.#tail.lastStored + 1, lastEvent, body: JSON.stringify(data) }
    if (batch !== undefined) this.#kept.add(batch)
    return {
      tenant: this.#tail.tenant,
      leaseMs,
      retentionMs,
      ...(batch && { batch }),
      firstEvent: this.#kept.firstEvent,
      lastEvent,
      status: end === undefined || end.reason === 'expired' ? 'active' : end.reason,
      code: end?.code ?? null,
    }
  }

  /** Ends the stream for its readers: what cannot be stored would be missing for the next one. */
  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#controller.abort(error)
    this.#tail.finish({ type: 'end', reason: 'interrupted' })
    this.#onClose()
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof InterlinguaError && error.retryable
}

function createReplacedError(): InterlinguaError {
  return createConflictError(
    'The chunk was not stored: another writer has replaced the stream, or it was removed',
    'Stop this run; the other writer continues the topic.',
  )
}

function createEndedError(): InterlinguaError {
  return createConflictError('The chunk was not stored: the stream has ended', 'Open a new stream.')
}

function createStopError(): InterlinguaError {
  return new InterlinguaError('aborted', 'The stream was stopped at the request of a client', {
    hint: 'No action is needed.',
  })
}
