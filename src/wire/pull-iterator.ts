import { onAbort, waitBriefly } from './cancellation.ts'
import { withCallbacks, type CallbackReader, type ChunkParser, type PullStages } from './pull-stages.ts'
import type { StreamFailure, StreamTransform } from './pull-stages.ts'
import { ValueBuffer } from './value-buffer.ts'

type Result<Output> = IteratorResult<Output, undefined>
type Receive<Output> = (result: Result<Output>) => void
type Fail = (error: unknown) => void

/** A request for outputs that waits for the source. */
interface PendingRequest {
  /** Takes the outputs that it asks for. */
  readonly take: () => unknown
  readonly resolve: Receive<never>
  readonly reject: Fail
}

/** No more outputs than this are joined: the consumer gets the first ones before the rest of a long chunk is transformed. */
const MAX_JOINED_OUTPUTS = 64
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
export class PullIterator<Chunk, T, Output, Returned = Output> implements AsyncIterableIterator<Returned> {
  readonly #stages: PullStages<Chunk, T, Output, Returned>
  readonly #parser: ChunkParser<Chunk>
  readonly #transform: StreamTransform<T, Output>
  readonly #values = new ValueBuffer<T>()
  /** The outputs of the value that was read last. */
  #outputs: readonly Output[] = []
  #outputsTaken = 0
  #reader: CallbackReader<Chunk> | undefined
  #removeListener: () => void = ignore
  #hasEnded = false
  /** True once the source has ended, failed or been cancelled. */
  #isReleased = false
  /** True once the last outputs were requested from the transform, or are no longer wanted. */
  #isClosed = false
  #failure: StreamFailure | undefined
  /** The requests that wait for outputs, in their order. */
  readonly #requests: PendingRequest[] = []
  /** True while the requests are served: a source may call back at once, and is not read again before its chunk is parsed. */
  #isServing = false
  /** True while a chunk is awaited. */
  #isReading = false

  constructor(stages: PullStages<Chunk, T, Output, Returned>) {
    this.#stages = stages
    this.#transform = stages.transform
    this.#parser = stages.createParser((value) => this.#values.push(value))
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result<Returned>> {
    return this.#serve(this.#takeNext)
  }

  /**
   * Returns all outputs that are available without waiting, but waits for the first. A chain of iterators that reads batches
   * costs a wait for each chunk of the source, and not for each value.
   */
  nextBatch(): Promise<Result<readonly Returned[]>> {
    return this.#serve(this.#takeBatch)
  }

  /** Requests the next output: calls one of the functions once, perhaps at once. */
  requestValue(resolve: Receive<Returned>, reject: Fail): void {
    this.#addRequest({ take: this.#takeNext, resolve, reject })
  }

  /** Requests what `nextBatch` returns, in the same way. */
  requestBatch(resolve: Receive<readonly Returned[]>, reject: Fail): void {
    this.#addRequest({ take: this.#takeBatch, resolve, reject })
  }

  #serve<Taken>(take: () => Taken): Promise<Result<Taken>> {
    if (this.#requests.length === 0 && this.#isReady()) return Promise.resolve({ done: false, value: take() })
    return new Promise((resolve, reject) => this.#addRequest({ take, resolve, reject }))
  }

  #addRequest(request: PendingRequest): void {
    this.#requests.push(request)
    this.#serveRequests()
  }

  async return(): Promise<Result<Returned>> {
    await this.#leave()
    return END
  }

  async throw(error?: unknown): Promise<Result<Returned>> {
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
      if (this.#values.isEmpty) return false
      this.#transformValue(this.#values.take())
    }
    return true
  }

  #transformValue(value: T): void {
    try {
      this.#setOutputs(this.#transform.read(value))
      if (this.#transform.isDone === true) this.#close().catch(ignore)
    } catch (error) {
      this.#values.clear()
      this.#fail({ error, isFromTransform: true })
    }
  }

  #setOutputs(outputs: readonly Output[]): void {
    this.#outputs = outputs
    this.#outputsTaken = 0
  }

  readonly #takeOne = (): Output => this.#outputs[this.#outputsTaken++] as Output

  readonly #takeNext = (): Returned => {
    const { join } = this.#stages
    // Without `join`, outputs are returned as they are.
    return join === undefined ? (this.#takeOne() as never) : join(this.#takeMany(MAX_JOINED_OUTPUTS))
  }

  readonly #takeBatch = (): readonly Returned[] =>
    this.#stages.join === undefined ? (this.#takeMany(Infinity) as never) : [this.#takeNext()]

  #takeMany(limit: number): readonly Output[] {
    const first = this.#outputsTaken === 0 ? this.#outputs : this.#outputs.slice(this.#outputsTaken)
    this.#outputsTaken = this.#outputs.length
    // Most chunks contain one value.
    if (!this.#isReady()) return first
    const batch = [...first]
    while (batch.length < limit && this.#isReady()) batch.push(this.#takeOne())
    return batch
  }

  /** Serves requests until one waits for a chunk, after which it is called again. */
  readonly #serveRequests = (): void => {
    if (this.#isServing || this.#isReading) return
    this.#isServing = true
    while (this.#requests.length > 0 && this.#serveFirst()) continue
    this.#isServing = false
  }

  /** Serves the first request. Returns false if it waits for a chunk. */
  #serveFirst(): boolean {
    let result: Result<never> = END
    try {
      this.#listenForAbort()
      if (this.#readUntilReady()) result = { done: false, value: this.#requests[0]?.take() as never }
      else if (this.#isReading) return false
    } catch (error) {
      this.#requests.shift()?.reject(error)
      return true
    }
    this.#requests.shift()?.resolve(result)
    return true
  }

  /** Returns false if a chunk is awaited, or no output follows. */
  #readUntilReady(): boolean {
    while (!this.#isReady()) {
      this.#values.clear()
      if (!this.#hasEnded) this.#startReading()
      else if (this.#isClosed) return false
      else this.#addFinalOutputs()
      if (this.#isReading) return false
    }
    return true
  }

  #addFinalOutputs(): void {
    const failure = this.#failure
    this.#isClosed = true
    this.#stop()
    try {
      this.#setOutputs(this.#transform.end(failure))
    } finally {
      this.#stages.onClose?.()
    }
  }

  #startReading(): void {
    // Set first, since a source may call back at once, or abort its own reading.
    this.#isReading = true
    try {
      this.#getReader().request(this.#receiveChunk, this.#receiveError)
    } catch (error) {
      this.#isReading = false
      if (!this.#hasEnded) this.#end(true, { error })
    }
  }

  // An interrupted read settles after the end.
  readonly #receiveChunk = (chunk: IteratorResult<Chunk, unknown>): void => {
    if (!this.#isReading) return
    this.#isReading = false
    this.#parse(chunk)
    this.#serveRequests()
  }

  readonly #receiveError = (error: unknown): void => {
    if (!this.#isReading) return
    this.#isReading = false
    this.#end(true, { error })
    this.#serveRequests()
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
    this.#stages.onClose?.()
    return this.#cancel(undefined)
  }

  #listenForAbort(): void {
    const { signal } = this.#stages
    if (this.#removeListener !== ignore || this.#hasEnded || signal === undefined) return
    if (signal.aborted) this.#abort()
    else this.#removeListener = onAbort(signal, this.#abort)
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#stages.signal?.reason
    this.#stop({ error: reason })
    this.#cancel(reason).catch(ignore)
  }

  /** Ends the reading and discards the values that were not transformed. */
  #stop(failure?: StreamFailure): void {
    this.#values.clear()
    this.#end(this.#isReleased, failure)
    this.#removeListener()
    if (!this.#isReading) return
    this.#isReading = false
    queueMicrotask(this.#serveRequests)
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
    await this.#getReader().cancel(reason)
  }

  #getReader(): CallbackReader<Chunk> {
    if (this.#reader !== undefined) return this.#reader
    const opened = this.#stages.open()
    return (this.#reader = 'request' in opened ? opened : withCallbacks(opened))
  }
}

function ignore(): void {}
