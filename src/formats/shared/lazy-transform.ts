import { writeSse } from '../../wire/sse.ts'

/** Turns what comes in into what goes out. */
export interface StreamTransformer<In, Out> {
  /** Whether nothing more will be said, whatever comes. */
  readonly done: boolean
  write(value: In): readonly Out[]
  /** What is still to be said when all has come. */
  end(): readonly Out[]
  /** What is said when the source fails. */
  fail(error: unknown): readonly Out[]
}

type Source<In> = Iterable<In> | AsyncIterable<In>
type Result<Out> = IteratorResult<Out, undefined>

/**
 * Runs an outlet over a source. The source is read only when something is wanted and nothing is left, and let go when the
 * reader stops, even while it is silent: a generator would wait for it. Its errors are told by the outlet, those of the outlet
 * itself (a refused loss) are thrown.
 */
export class LazyTransform<In, Out> implements AsyncIterableIterator<Out> {
  readonly #source: Source<In>
  readonly #transformer: StreamTransformer<In, Out>
  #iterator: Iterator<In> | AsyncIterator<In> | undefined
  #buffer: readonly Out[] = []
  #position = 0
  #hasEnded = false
  #interrupt: (() => void) | undefined
  #lastRead: Promise<unknown> = Promise.resolve()

  constructor(source: Source<In>, outlet: StreamTransformer<In, Out>) {
    this.#source = source
    this.#transformer = outlet
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result<Out>> {
    // One after the other, for those who ask again without waiting.
    const turn = this.#lastRead.then(() => this.#pull())
    this.#lastRead = turn.catch(ignore)
    return turn
  }

  async return(): Promise<Result<Out>> {
    const reading = this.#interrupt
    const wasOpen = !this.#hasEnded
    this.#hasEnded = true
    this.#buffer = []
    this.#position = 0
    reading?.()
    const cancelled = wasOpen ? this.#cancelSource() : Promise.resolve()
    // A source that waits for something may not answer before it comes.
    if (reading === undefined) await cancelled
    else cancelled.catch(ignore)
    return { done: true, value: undefined }
  }

  async #pull(): Promise<Result<Out>> {
    while (this.#position >= this.#buffer.length) {
      if (this.#hasEnded) return { done: true, value: undefined }
      this.#buffer = await this.#readMore()
      this.#position = 0
    }
    return { done: false, value: this.#buffer[this.#position++] as Out }
  }

  async #readMore(): Promise<readonly Out[]> {
    let read: IteratorResult<In, unknown> | undefined
    try {
      read = await this.#read()
    } catch (error) {
      this.#hasEnded = true
      return this.#transformer.fail(error)
    }
    if (read === undefined) return []
    return this.#transform(read)
  }

  #transform(read: IteratorResult<In, unknown>): readonly Out[] {
    try {
      if (read.done === true) this.#hasEnded = true
      const output = read.done === true ? this.#transformer.end() : this.#transformer.write(read.value)
      if (this.#transformer.done && !this.#hasEnded) this.#stop()
      return output
    } catch (error) {
      if (!this.#hasEnded) this.#stop()
      throw error
    }
  }

  /** What the source gives next; undefined when the reader stopped before it came. */
  #read(): Promise<IteratorResult<In, unknown> | undefined> {
    return new Promise((resolve, reject) => {
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          this.#interrupt = undefined
          settle(value)
        }
      this.#interrupt = () => settled(resolve)(undefined)
      Promise.resolve(this.#openIterator().next()).then(settled(resolve), settled(reject))
    })
  }

  #openIterator(): Iterator<In> | AsyncIterator<In> {
    this.#iterator ??=
      Symbol.asyncIterator in this.#source
        ? this.#source[Symbol.asyncIterator]()
        : this.#source[Symbol.iterator]()
    return this.#iterator
  }

  #stop(): void {
    this.#hasEnded = true
    this.#cancelSource().catch(ignore)
  }

  async #cancelSource(): Promise<void> {
    await this.#openIterator().return?.()
  }
}

function ignore(): void {}

/** What a server sends with server-sent events, so that nothing on the way keeps them back. */
export const eventStreamHeaders: { readonly [name: string]: string } = Object.freeze({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
})

/** Server-sent events, one for each value, made only when the other side asks; `last` is the data of a last event. */
export function toEventStream(values: AsyncIterator<object>, last?: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await values.next()
        const data = done === true ? last : JSON.stringify(value)
        if (data !== undefined) controller.enqueue(encoder.encode(writeSse({ data })))
        if (done === true) controller.close()
      },
      async cancel() {
        await values.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
