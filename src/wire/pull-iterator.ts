import { onAbort, waitBriefly } from './cancellation.ts'
import type { ChunkParser, PullStages, SourceReader, StreamFailure, StreamTransform } from './pull-stages.ts'

type Result<Output> = IteratorResult<Output, undefined>

/** A request for outputs that waits for the source. */
interface PendingRequest {
  readonly resolve: (result: Result<never>) => void
  readonly reject: (error: unknown) => void
}

/** A longer list of values is not kept for the next chunk. */
const MAX_KEPT_SLOTS = 1024
const END: Result<never> = { done: true, value: undefined }

/**
 * Iterates over the outputs of a source, a parser and a transform. The source is read only when an output is requested and
 * none is buffered. It is cancelled, once, when the consumer stops, when the parser or the transform fails, and on abort.
 * `return` and `throw` settle at once: they end a pending read, and do not wait for a source that never settles its
 * cancellation.
 *
 * Written by hand: a generator costs twice as much per value, cannot be stopped while its source is silent, and does not
 * cancel a source that was never read.
 */
export class PullIterator<Chunk, T, Output> implements AsyncIterableIterator<Output> {
  readonly #open: () => SourceReader<Chunk>
  readonly #parser: ChunkParser<Chunk>
  readonly #transform: StreamTransform<T, Output>
  readonly #signal: AbortSignal | undefined
  readonly #onClose: () => void
  /** The values that were parsed. The list keeps its memory: a new one for each chunk is slow. */
  readonly #values: (T | undefined)[] = []
  #valueCount = 0
  #valuesRead = 0
  /** The outputs of the value that was read last. */
  #outputs: readonly Output[] = []
  #outputsTaken = 0
  #reader: SourceReader<Chunk> | undefined
  #isListening = false
  #removeListener: () => void = ignore
  #hasEnded = false
  /** True once the source has ended, failed or been cancelled. */
  #isReleased = false
  /** True once the last outputs were requested from the transform, or are no longer wanted. */
  #isClosed = false
  #failure: StreamFailure | undefined
  /** The request that waits for outputs. */
  #request: PendingRequest | undefined
  /** Takes the outputs for the request. */
  #take: () => unknown = ignore
  /** True while a chunk is awaited. */
  #isReading = false
  #lastTurn: Promise<unknown> = Promise.resolve()
  #pendingTurns = 0

  constructor({ open, createParser, transform, signal, onClose = ignore }: PullStages<Chunk, T, Output>) {
    this.#open = open
    this.#transform = transform
    this.#signal = signal
    this.#onClose = onClose
    this.#parser = createParser((value) => {
      this.#values[this.#valueCount++] = value
    })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result<Output>> {
    return this.#serve(this.#takeOne)
  }

  /**
   * Returns all outputs that are available without waiting, but waits for the first. A chain of iterators that reads batches
   * costs a wait for each chunk of the source, and not for each value.
   */
  nextBatch(): Promise<Result<readonly Output[]>> {
    return this.#serve(this.#takeAll)
  }

  #serve<Taken>(take: () => Taken): Promise<Result<Taken>> {
    if (this.#pendingTurns === 0 && this.#isReady()) return Promise.resolve({ done: false, value: take() })
    const turn = this.#pendingTurns++ === 0 ? this.#pull(take) : this.#pullNext(take)
    this.#lastTurn = turn
    return turn
  }

  /** Serves a request whose caller did not await the previous one, after that. */
  #pullNext<Taken>(take: () => Taken): Promise<Result<Taken>> {
    return this.#lastTurn.catch(ignore).then(() => this.#pull(take))
  }

  async return(): Promise<Result<Output>> {
    await this.#leave()
    return END
  }

  async throw(error?: unknown): Promise<Result<Output>> {
    await this.#leave().catch(ignore)
    throw error
  }

  async #leave(): Promise<void> {
    this.#outputs = []
    const wasReleased = this.#isReleased
    const cancelled = this.#close()
    if (!wasReleased) await waitBriefly(cancelled)
  }

  /** Returns true if an output is available without waiting: a buffered one, or one of the values that were parsed. */
  #isReady(): boolean {
    while (this.#outputsTaken >= this.#outputs.length) {
      if (this.#valuesRead >= this.#valueCount) return false
      const value = this.#values[this.#valuesRead] as T
      this.#values[this.#valuesRead++] = undefined
      this.#transformValue(value)
    }
    return true
  }

  #transformValue(value: T): void {
    try {
      this.#setOutputs(this.#transform.read(value))
      if (this.#transform.isDone === true) this.#close().catch(ignore)
    } catch (error) {
      this.#discardValues()
      this.#fail({ error, isFromTransform: true })
    }
  }

  #setOutputs(outputs: readonly Output[]): void {
    this.#outputs = outputs
    this.#outputsTaken = 0
  }

  readonly #takeOne = (): Output => this.#outputs[this.#outputsTaken++] as Output

  readonly #takeAll = (): readonly Output[] => {
    const first = this.#outputsTaken === 0 ? this.#outputs : this.#outputs.slice(this.#outputsTaken)
    this.#outputsTaken = this.#outputs.length
    // Most chunks contain one value.
    if (!this.#isReady()) return first
    const batch = [...first]
    while (this.#isReady()) batch.push(this.#takeOne())
    return batch
  }

  /**
   * Serves a request for outputs. It creates one promise, and no function, whichever number of chunks it reads: an async
   * function for each step would create a promise per step, which costs more than to parse a small chunk.
   */
  #pull<Taken>(take: () => Taken): Promise<Result<Taken>> {
    this.#take = take
    const turn = new Promise<Result<Taken>>(this.#openRequest)
    this.#advance()
    return turn
  }

  readonly #openRequest = (resolve: PendingRequest['resolve'], reject: PendingRequest['reject']): void => {
    this.#request = { resolve, reject }
  }

  /** Serves the pending request, or starts to read a chunk, after which it is called again. */
  readonly #advance = (): void => {
    if (this.#request === undefined) return
    try {
      this.#listenForAbort()
      while (!this.#isReady()) {
        this.#discardValues()
        if (!this.#hasEnded) {
          if (this.#startReading()) return
        } else if (this.#isClosed) return this.#takeRequest()?.resolve(END)
        else this.#addFinalOutputs()
      }
      this.#takeRequest()?.resolve({ done: false, value: this.#take() as never })
    } catch (error) {
      this.#takeRequest()?.reject(error)
    }
  }

  #takeRequest(): PendingRequest | undefined {
    const request = this.#request
    if (request !== undefined) this.#pendingTurns--
    this.#request = undefined
    return request
  }

  #addFinalOutputs(): void {
    const failure = this.#failure
    this.#isClosed = true
    this.#stop()
    try {
      this.#setOutputs(this.#transform.end(failure))
    } finally {
      this.#onClose()
    }
  }

  /** Requests a chunk. Returns false if the source failed at once. */
  #startReading(): boolean {
    // Set first, since a source may abort its own reading.
    this.#isReading = true
    try {
      this.#reader ??= this.#open()
      this.#reader.read().then(this.#receiveChunk, this.#receiveError)
      return true
    } catch (error) {
      this.#isReading = false
      if (!this.#hasEnded) this.#end(true, { error })
      return false
    }
  }

  // An interrupted read settles after the end.
  readonly #receiveChunk = (chunk: IteratorResult<Chunk, unknown>): void => {
    if (!this.#isReading) return
    this.#isReading = false
    this.#parse(chunk)
    this.#advance()
  }

  readonly #receiveError = (error: unknown): void => {
    if (!this.#isReading) return
    this.#isReading = false
    this.#end(true, { error })
    this.#advance()
  }

  #parse(chunk: IteratorResult<Chunk, unknown>): void {
    const done = chunk.done === true
    try {
      if (done) this.#parser.end()
      else this.#parser.push(chunk.value)
      if (done) this.#end(true)
    } catch (error) {
      this.#isReleased ||= done
      this.#fail({ error })
    }
  }

  /** Ends the reading after an error of the parser or the transform, and cancels the source. */
  #fail(failure: StreamFailure): void {
    this.#end(this.#isReleased, failure)
    this.#cancel(failure.error).catch(ignore)
  }

  /** Ends the reading because no further output is wanted; the last outputs are still returned. */
  #close(): Promise<void> {
    this.#isClosed = true
    this.#stop()
    this.#onClose()
    return this.#cancel(undefined)
  }

  #listenForAbort(): void {
    if (this.#isListening || this.#hasEnded || this.#signal === undefined) return
    this.#isListening = true
    if (this.#signal.aborted) this.#abort()
    else this.#removeListener = onAbort(this.#signal, this.#abort)
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#signal?.reason
    this.#stop({ error: reason })
    this.#cancel(reason).catch(ignore)
  }

  #discardValues(): void {
    if (this.#valuesRead < this.#valueCount || this.#values.length > MAX_KEPT_SLOTS) this.#values.length = 0
    this.#valueCount = this.#valuesRead = 0
  }

  /** Ends the reading and discards the values that were not transformed. */
  #stop(failure?: StreamFailure): void {
    this.#discardValues()
    this.#end(this.#isReleased, failure)
    this.#removeListener()
    if (!this.#isReading) return
    this.#isReading = false
    queueMicrotask(this.#advance)
  }

  /** Ends the reading. A source that ended or failed is released by itself. */
  #end(isReleased: boolean, failure?: StreamFailure): void {
    this.#hasEnded = true
    this.#isReleased = isReleased
    this.#failure = failure
  }

  async #cancel(reason: unknown): Promise<void> {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#reader ??= this.#open()
    await this.#reader.cancel(reason)
  }
}

function ignore(): void {}
