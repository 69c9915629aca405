import { writeSse } from '../../wire/sse.ts'

/** Turns what comes in into what goes out. */
export interface Outlet<In, Out> {
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
export class Pulled<In, Out> implements AsyncIterableIterator<Out> {
  readonly #source: Source<In>
  readonly #outlet: Outlet<In, Out>
  #iterator: Iterator<In> | AsyncIterator<In> | undefined
  #waiting: readonly Out[] = []
  #taken = 0
  #ended = false
  #interrupt: (() => void) | undefined
  #turn: Promise<unknown> = Promise.resolve()

  constructor(source: Source<In>, outlet: Outlet<In, Out>) {
    this.#source = source
    this.#outlet = outlet
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result<Out>> {
    // One after the other, for those who ask again without waiting.
    const turn = this.#turn.then(() => this.#pull())
    this.#turn = turn.catch(ignore)
    return turn
  }

  async return(): Promise<Result<Out>> {
    const reading = this.#interrupt
    const wasOpen = !this.#ended
    this.#ended = true
    this.#waiting = []
    this.#taken = 0
    reading?.()
    const letGo = wasOpen ? this.#letGo() : Promise.resolve()
    // A source that waits for something may not answer before it comes.
    if (reading === undefined) await letGo
    else letGo.catch(ignore)
    return { done: true, value: undefined }
  }

  async #pull(): Promise<Result<Out>> {
    while (this.#taken >= this.#waiting.length) {
      if (this.#ended) return { done: true, value: undefined }
      this.#waiting = await this.#more()
      this.#taken = 0
    }
    return { done: false, value: this.#waiting[this.#taken++] as Out }
  }

  async #more(): Promise<readonly Out[]> {
    let read: IteratorResult<In, unknown> | undefined
    try {
      read = await this.#read()
    } catch (error) {
      this.#ended = true
      return this.#outlet.fail(error)
    }
    if (read === undefined) return []
    return this.#told(read)
  }

  #told(read: IteratorResult<In, unknown>): readonly Out[] {
    try {
      if (read.done === true) this.#ended = true
      const told = read.done === true ? this.#outlet.end() : this.#outlet.write(read.value)
      if (this.#outlet.done && !this.#ended) this.#stop()
      return told
    } catch (error) {
      if (!this.#ended) this.#stop()
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
      Promise.resolve(this.#open().next()).then(settled(resolve), settled(reject))
    })
  }

  #open(): Iterator<In> | AsyncIterator<In> {
    this.#iterator ??=
      Symbol.asyncIterator in this.#source
        ? this.#source[Symbol.asyncIterator]()
        : this.#source[Symbol.iterator]()
    return this.#iterator
  }

  #stop(): void {
    this.#ended = true
    this.#letGo().catch(ignore)
  }

  async #letGo(): Promise<void> {
    await this.#open().return?.()
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
export function eventStream(values: AsyncIterator<object>, last?: string): ReadableStream<Uint8Array> {
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
