import { onAbort, waitBriefly } from './cancellation.ts'
import {
  type CallbackReader,
  type ChunkParser,
  type PullStages,
  type StreamFailure,
  type StreamTransform,
  withCallbacks,
} from './pull-stages.ts'
import { ValueBuffer } from './value-buffer.ts'

type Result<Output> = IteratorResult<Output, undefined>

/** A request for outputs that waits for the source. */
interface PendingRequest {
  /** Takes the outputs that it asks for. */
  readonly take: () => unknown
  readonly resolve: (result: Result<never>) => void
  readonly reject: (error: unknown) => void
}

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
  readonly #open: PullStages<Chunk, T, Output>['open']
  readonly #parser: ChunkParser<Chunk>
  readonly #transform: StreamTransform<T, Output>
  readonly #signal: AbortSignal | undefined
  readonly #onClose: () => void
  readonly #values = new ValueBuffer<T>()
  /** The outputs of the value that was read last. */
  #outputs: readonly Output[] = []
  #outputsTaken = 0
  #reader: CallbackReader<Chunk> | undefined
  #isListening = false
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

  constructor({ open, createParser, transform, signal, onClose = ignore }: PullStages<Chunk, T, Output>) {
    this.#open = open
    this.#transform = transform
    this.#signal = signal
    this.#onClose = onClose
    this.#parser = createParser((value) => this.#values.push(value))
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

  /** Requests the next output: calls one of the functions once, perhaps at once. */
  requestValue(resolve: (result: Result<Output>) => void, reject: (error: unknown) => void): void {
    this.#addRequest({ take: this.#takeOne, resolve, reject })
  }

  /** Requests what `nextBatch` returns, in the same way. */
  requestBatch(resolve: (result: Result<readonly Output[]>) => void, reject: (error: unknown) => void): void {
    this.#addRequest({ take: this.#takeAll, resolve, reject })
  }

  #serve<Taken>(take: () => Taken): Promise<Result<Taken>> {
    const isReady = this.#requests.length === 0 && this.#isReady()
    if (isReady) return Promise.resolve({ done: false, value: take() })
    return new Promise((resolve, reject) => this.#addRequest({ take, resolve, reject }))
  }

  #addRequest(request: PendingRequest): void {
    this.#requests.push(request)
    this.#serveRequests()
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

  readonly #takeAll = (): readonly Output[] => {
    const first = this.#outputsTaken === 0 ? this.#outputs : this.#outputs.slice(this.#outputsTaken)
    this.#outputsTaken = this.#outputs.length
    // Most chunks contain one value.
    if (!this.#isReady()) return first
    const batch = [...first]
    while (this.#isReady()) batch.push(this.#takeOne())
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
      this.#onClose()
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
    const opened = this.#open()
    return (this.#reader = 'request' in opened ? opened : withCallbacks(opened))
  }
}

function ignore(): void {}
