import { type ByteSource, type Chunk, type ByteReader, openByteReader } from './byte-source.ts'
import type {
  StreamParserFactory,
  StreamFailure,
  StreamParseOptions,
  StreamTransform,
} from './stream-parser.ts'
import type { StreamParser } from './utf8-reader.ts'

type Result<Given> = IteratorResult<Given, undefined>

/**
 * Written by hand: a generator costs twice as much per value, cannot be stopped while its source is silent, and does not
 * let go of a source that was never read.
 */
export class PullIterator<T, Given> implements AsyncIterableIterator<Given> {
  readonly #source: ByteSource
  readonly #parser: StreamParser
  readonly #transform: StreamTransform<T, Given>
  readonly #signal: AbortSignal | undefined
  readonly #values: T[] = []
  #valuesRead = 0
  /** What was made of the value that was read last. */
  #outputs: readonly Given[] = []
  #outputsTaken = 0
  #input: ByteReader | undefined
  #isListening = false
  #hasEnded = false
  #isReleased = false
  /** Whether what is given at last was asked for. */
  #isClosed = false
  #failure: StreamFailure | undefined
  /** Set while the source is being read: ends the waiting. */
  #interrupt: (() => void) | undefined
  #lastTurn: Promise<unknown> = Promise.resolve()
  #pendingTurns = 0

  constructor(
    source: ByteSource,
    createParser: StreamParserFactory<T>,
    transform: StreamTransform<T, Given>,
    { limits, signal }: StreamParseOptions,
  ) {
    this.#source = source
    this.#transform = transform
    this.#signal = signal
    this.#parser = createParser((value) => this.#values.push(value), limits)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result<Given>> {
    if (this.#pendingTurns === 0 && this.#isReady()) return Promise.resolve(this.#takeOutput())
    // One after the other, for those who ask again without waiting.
    const turn = this.#pendingTurns++ === 0 ? this.#pull() : this.#lastTurn.then(() => this.#pull())
    this.#lastTurn = turn.then(this.#endTurn, this.#endTurn)
    return turn
  }

  async return(): Promise<Result<Given>> {
    const reading = this.#interrupt !== undefined
    this.#outputs = []
    this.#isClosed = true
    this.#stop()
    const letGo = this.#cancel(undefined)
    // A generator that waits for something cannot return before it comes.
    if (reading) letGo.catch(ignore)
    else await letGo
    return { done: true, value: undefined }
  }

  readonly #endTurn = (): void => {
    this.#pendingTurns--
  }

  /** Whether something can be given without waiting: what is left of a value, or what the next ones make. */
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
    } catch (error) {
      this.#discardValues()
      this.#fail({ error })
    }
  }

  #setOutputs(made: readonly Given[]): void {
    this.#outputs = made
    this.#outputsTaken = 0
  }

  #takeOutput(): Result<Given> {
    return { done: false, value: this.#outputs[this.#outputsTaken++] as Given }
  }

  async #pull(): Promise<Result<Given>> {
    this.#listenForAbort()
    while (!this.#isReady()) {
      this.#discardValues()
      if (!this.#hasEnded) await this.#readChunk()
      else if (this.#isClosed) return { done: true, value: undefined }
      else this.#appendFinalOutputs()
    }
    return this.#takeOutput()
  }

  /** What is given at last, once. */
  #appendFinalOutputs(): void {
    const failure = this.#failure
    this.#isClosed = true
    this.#stop()
    this.#setOutputs(this.#transform.end(failure))
  }

  async #readChunk(): Promise<void> {
    try {
      const chunk = await this.#nextChunk()
      this.#interrupt = undefined
      if (!this.#hasEnded) this.#parse(chunk)
    } catch (error) {
      this.#interrupt = undefined
      // An interruption comes after the end.
      if (!this.#hasEnded) this.#end(true, { error })
    }
  }

  #nextChunk(): Promise<Chunk> {
    return new Promise<Chunk>((resolve, reject) => {
      this.#interrupt = reject
      this.#input ??= openByteReader(this.#source)
      this.#input.read().then(resolve, reject)
    })
  }

  #parse(chunk: Chunk): void {
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

  /** Ends the reading by an error of ours: the source knows nothing of it. */
  #fail(failure: StreamFailure): void {
    this.#end(this.#isReleased, failure)
    this.#cancel(failure.error).catch(ignore)
  }

  #listenForAbort(): void {
    if (this.#isListening || this.#hasEnded || this.#signal === undefined) return
    this.#isListening = true
    if (this.#signal.aborted) this.#abort()
    else this.#signal.addEventListener('abort', this.#abort)
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#signal?.reason
    this.#stop({ error: reason })
    this.#cancel(reason).catch(ignore)
  }

  #discardValues(): void {
    this.#values.length = this.#valuesRead = 0
  }

  /** Nothing more is given, but for the error. */
  #stop(failure?: StreamFailure): void {
    this.#discardValues()
    this.#end(this.#isReleased, failure)
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#interrupt?.()
  }

  /** Nothing more is read. A source that ended or failed has let go by itself. */
  #end(released: boolean, failure?: StreamFailure): void {
    this.#hasEnded = true
    this.#isReleased = released
    this.#failure = failure
  }

  async #cancel(reason: unknown): Promise<void> {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#input ??= openByteReader(this.#source)
    await this.#input.cancel(reason)
  }
}

function ignore(): void {}
