import { type ByteSource, type Chunk, type Input, openInput, requireSource } from './input.ts'
import type { StreamLimits } from './limits.ts'
import type { StreamParser } from './utf8.ts'

/** How a stream is read. */
export interface ParseOptions {
  readonly limits?: StreamLimits
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Makes the push parser that does the work. */
export type CreateParser<T> = (onValue: (value: T) => void, limits?: StreamLimits) => StreamParser

/**
 * Runs a push parser over a source. The source is read only when a value is wanted and none is left; values found before
 * an error are given before it; errors of the source are passed on as they are. On abort the values that wait are
 * dropped. However it ends, the source is let go.
 *
 * @example
 * for await (const event of parseSource(response.body, createSseParser)) console.log(event.data)
 */
export function parseSource<T>(
  source: ByteSource,
  createParser: CreateParser<T>,
  options: ParseOptions = {},
): AsyncIterable<T> {
  requireSource(source)
  return new Pulled(source, createParser, options)
}

type Result<T> = IteratorResult<T, undefined>
type Failure = { readonly error: unknown }

/**
 * Written by hand: a generator costs twice as much per value, cannot be stopped while its source is silent, and does not
 * let go of a source that was never read.
 */
class Pulled<T> implements AsyncIterableIterator<T> {
  readonly #source: ByteSource
  readonly #parser: StreamParser
  readonly #signal: AbortSignal | undefined
  readonly #values: T[] = []
  #taken = 0
  #input: Input | undefined
  #listening = false
  #ended = false
  #released = false
  #failure: Failure | undefined
  /** Set while the source is being read: ends the waiting. */
  #interrupt: (() => void) | undefined
  #lastTurn: Promise<unknown> = Promise.resolve()
  #turns = 0

  constructor(source: ByteSource, createParser: CreateParser<T>, { limits, signal }: ParseOptions) {
    this.#source = source
    this.#signal = signal
    this.#parser = createParser((value) => this.#values.push(value), limits)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result<T>> {
    if (this.#turns === 0 && this.#taken < this.#values.length) return Promise.resolve(this.#take())
    // One after the other, for those who ask again without waiting.
    const turn = this.#turns++ === 0 ? this.#pull() : this.#lastTurn.then(() => this.#pull())
    this.#lastTurn = turn.then(this.#endTurn, this.#endTurn)
    return turn
  }

  async return(): Promise<Result<T>> {
    const reading = this.#interrupt !== undefined
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

  #take(): Result<T> {
    return { done: false, value: this.#values[this.#taken++] as T }
  }

  async #pull(): Promise<Result<T>> {
    this.#listen()
    while (this.#taken >= this.#values.length) {
      this.#drop()
      if (this.#ended) return this.#last()
      await this.#fill()
    }
    return this.#take()
  }

  /** The error if there was one, once; then the end. */
  #last(): Promise<Result<T>> | Result<T> {
    const failure = this.#failure
    this.#stop()
    return failure === undefined ? { done: true, value: undefined } : Promise.reject(failure.error)
  }

  async #fill(): Promise<void> {
    try {
      const chunk = await this.#read()
      this.#interrupt = undefined
      if (!this.#ended) this.#parse(chunk)
    } catch (error) {
      this.#interrupt = undefined
      // An interruption comes after the end.
      if (!this.#ended) this.#end(true, { error })
    }
  }

  #read(): Promise<Chunk> {
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
      this.#end(done, { error })
      this.#cancel(error).catch(ignore)
    }
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
    this.#values.length = this.#taken = 0
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
