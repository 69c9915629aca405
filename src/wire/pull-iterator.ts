import { waitBriefly } from './cancellation.ts'
import { onAbort } from './on-abort.ts'

/** Reads a source chunk by chunk; `End` is the value with which it ends. */
export interface SourceReader<Chunk, End = unknown> {
  read(): Promise<IteratorResult<Chunk, End>>
  /** Stops the source and releases what it holds. */
  cancel(reason: unknown): Promise<unknown>
}

/** Splits chunks into values, which it passes to the callback of its factory. */
interface ChunkParser<Chunk> {
  readonly push: (chunk: Chunk) => void
  readonly end: () => void
}

/** The error that ended the reading. */
export interface StreamFailure {
  readonly error: unknown
  /** True if the transform itself threw the error. */
  readonly isFromTransform?: true
}

/** Turns values into outputs. An error that `read` throws ends the reading, like an error of the source. */
export interface StreamTransform<T, Output> {
  /** True once no further output follows: the source is cancelled and `end` is not called. */
  readonly isDone?: boolean
  /** Returns the outputs of one value. It is called when the first of them is requested. */
  read(value: T): readonly Output[]
  /** Returns the last outputs, also after a failure; a failure that they do not report must be thrown. */
  end(failure: StreamFailure | undefined): readonly Output[]
}

/** The parts of a {@link PullIterator}. */
export interface PullStages<Chunk, T, Output> {
  /** Opens the source. It is called before the first read, or when an unread source is cancelled. */
  readonly open: () => SourceReader<Chunk>
  readonly createParser: (onValue: (value: T) => void) => ChunkParser<Chunk>
  readonly transform: StreamTransform<T, Output>
  readonly signal?: AbortSignal | undefined
  /** Called when no further output follows, however the iteration ends; calls after the first must have no effect. */
  readonly onClose?: (() => void) | undefined
}

type Result<Output> = IteratorResult<Output, undefined>

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
  readonly #values: T[] = []
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
  /** Set while a read is pending: ends the waiting. */
  #interrupt: (() => void) | undefined
  #lastTurn: Promise<unknown> = Promise.resolve()
  #pendingTurns = 0

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

  #serve<Taken>(take: () => Taken): Promise<Result<Taken>> {
    if (this.#pendingTurns === 0 && this.#isReady()) return Promise.resolve({ done: false, value: take() })
    // Calls that do not await the previous one are served one after the other.
    const pull = (): Promise<Result<Taken>> => this.#pull(take)
    const turn = this.#pendingTurns++ === 0 ? pull() : this.#lastTurn.then(pull, pull)
    this.#lastTurn = turn
    return turn
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
    this.#isClosed = true
    this.#stop()
    this.#onClose()
    if (!this.#isReleased) await waitBriefly(this.#cancel(undefined))
  }

  /** Returns true if an output is available without waiting: a buffered one, or one of the values that were parsed. */
  #isReady(): boolean {
    while (this.#outputsTaken >= this.#outputs.length) {
      if (this.#valuesRead >= this.#values.length) return false
      this.#transformValue(this.#values[this.#valuesRead++] as T)
    }
    return true
  }

  #transformValue(value: T): void {
    try {
      this.#setOutputs(this.#transform.read(value))
      if (this.#transform.isDone === true) this.#close()
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
    const batch: Output[] = []
    while (this.#isReady()) batch.push(this.#takeOne())
    return batch
  }

  async #pull<Taken>(take: () => Taken): Promise<Result<Taken>> {
    try {
      this.#listenForAbort()
      while (!this.#isReady()) {
        this.#discardValues()
        if (!this.#hasEnded) await this.#readChunk()
        else if (this.#isClosed) return END
        else this.#addFinalOutputs()
      }
      return { done: false, value: take() }
    } finally {
      this.#pendingTurns--
    }
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

  async #readChunk(): Promise<void> {
    try {
      const chunk = await this.#nextChunk()
      this.#interrupt = undefined
      if (!this.#hasEnded) this.#parse(chunk)
    } catch (error) {
      this.#interrupt = undefined
      // An interrupted read rejects after the end.
      if (!this.#hasEnded) this.#end(true, { error })
    }
  }

  #nextChunk(): Promise<IteratorResult<Chunk, unknown>> {
    return new Promise((resolve, reject) => {
      this.#interrupt = reject
      this.#reader ??= this.#open()
      this.#reader.read().then(resolve, reject)
    })
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

  /** Ends the reading because the transform is done; its last outputs are still returned. */
  #close(): void {
    this.#isClosed = true
    this.#stop()
    this.#onClose()
    this.#cancel(undefined).catch(ignore)
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
    this.#values.length = this.#valuesRead = 0
  }

  /** Ends the reading and discards the values that were not transformed. */
  #stop(failure?: StreamFailure): void {
    this.#discardValues()
    this.#end(this.#isReleased, failure)
    this.#removeListener()
    this.#interrupt?.()
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
