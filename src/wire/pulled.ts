import { type ByteSource, type Chunk, type Input, openInput } from './input.ts'
import type { CreateParser, Failure, ParseOptions, Transform } from './source.ts'
import type { StreamParser } from './utf8.ts'

type Result<Given> = IteratorResult<Given, undefined>

/**
 * Written by hand: a generator costs twice as much per value, cannot be stopped while its source is silent, and does not
 * let go of a source that was never read.
 */
export class Pulled<T, Given> implements AsyncIterableIterator<Given> {
  readonly #source: ByteSource
  readonly #parser: StreamParser
  readonly #transform: Transform<T, Given>
  readonly #signal: AbortSignal | undefined
  readonly #values: T[] = []
  #read = 0
  /** What was made of the value that was read last. */
  #made: readonly Given[] = []
  #taken = 0
  #input: Input | undefined
  #listening = false
  #ended = false
  #released = false
  /** Whether what is given at last was asked for. */
  #closed = false
  #failure: Failure | undefined
  /** Set while the source is being read: ends the waiting. */
  #interrupt: (() => void) | undefined
  #lastTurn: Promise<unknown> = Promise.resolve()
  #turns = 0

  constructor(
    source: ByteSource,
    createParser: CreateParser<T>,
    transform: Transform<T, Given>,
    { limits, signal }: ParseOptions,
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
    if (this.#turns === 0 && this.#isReady()) return Promise.resolve(this.#take())
    // One after the other, for those who ask again without waiting.
    const turn = this.#turns++ === 0 ? this.#pull() : this.#lastTurn.then(() => this.#pull())
    this.#lastTurn = turn.then(this.#endTurn, this.#endTurn)
    return turn
  }

  async return(): Promise<Result<Given>> {
    const reading = this.#interrupt !== undefined
    this.#made = []
    this.#closed = true
    this.#stop()
    const letGo = this.#cancel(undefined)
    // A generator that waits for something cannot return before it comes.
    if (reading) letGo.catch(ignore)
    else await letGo
    return { done: true, value: undefined }
  }

  readonly #endTurn = (): void => {
    this.#turns--
  }

  /** Whether something can be given without waiting: what is left of a value, or what the next ones make. */
  #isReady(): boolean {
    while (this.#taken >= this.#made.length) {
      if (this.#read >= this.#values.length) return false
      this.#make(this.#values[this.#read++] as T)
    }
    return true
  }

  #make(value: T): void {
    try {
      this.#give(this.#transform.read(value))
    } catch (error) {
      this.#drop()
      this.#fail({ error })
    }
  }

  #give(made: readonly Given[]): void {
    this.#made = made
    this.#taken = 0
  }

  #take(): Result<Given> {
    return { done: false, value: this.#made[this.#taken++] as Given }
  }

  async #pull(): Promise<Result<Given>> {
    this.#listen()
    while (!this.#isReady()) {
      this.#drop()
      if (!this.#ended) await this.#fill()
      else if (this.#closed) return { done: true, value: undefined }
      else this.#close()
    }
    return this.#take()
  }

  /** What is given at last, once. */
  #close(): void {
    const failure = this.#failure
    this.#closed = true
    this.#stop()
    this.#give(this.#transform.end(failure))
  }

  async #fill(): Promise<void> {
    try {
      const chunk = await this.#next()
      this.#interrupt = undefined
      if (!this.#ended) this.#parse(chunk)
    } catch (error) {
      this.#interrupt = undefined
      // An interruption comes after the end.
      if (!this.#ended) this.#end(true, { error })
    }
  }

  #next(): Promise<Chunk> {
    return new Promise<Chunk>((resolve, reject) => {
      this.#interrupt = reject
      this.#input ??= openInput(this.#source)
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
      this.#released ||= done
      this.#fail({ error })
    }
  }

  /** Ends the reading by an error of ours: the source knows nothing of it. */
  #fail(failure: Failure): void {
    this.#end(this.#released, failure)
    this.#cancel(failure.error).catch(ignore)
  }

  #listen(): void {
    if (this.#listening || this.#ended || this.#signal === undefined) return
    this.#listening = true
    if (this.#signal.aborted) this.#abort()
    else this.#signal.addEventListener('abort', this.#abort)
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#signal?.reason
    this.#stop({ error: reason })
    this.#cancel(reason).catch(ignore)
  }

  #drop(): void {
    this.#values.length = this.#read = 0
  }

  /** Nothing more is given, but for the error. */
  #stop(failure?: Failure): void {
    this.#drop()
    this.#end(this.#released, failure)
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#interrupt?.()
  }

  /** Nothing more is read. A source that ended or failed has let go by itself. */
  #end(released: boolean, failure?: Failure): void {
    this.#ended = true
    this.#released = released
    this.#failure = failure
  }

  async #cancel(reason: unknown): Promise<void> {
    if (this.#released) return
    this.#released = true
    this.#input ??= openInput(this.#source)
    await this.#input.cancel(reason)
  }
}

function ignore(): void {}
