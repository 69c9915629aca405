import { InterlinguaError } from '../errors.ts'

/**
 * A queue between a producer that pushes values and one reader that awaits them.
 *
 * @example
 * const queue = new AsyncQueue<number>()
 * queue.push(1)
 * queue.end()
 * for await (const value of queue) console.log(value) // 1
 */
export class AsyncQueue<T> implements AsyncIterable<T> {
  readonly #values: T[] = []
  #hasEnded = false
  #wake: () => void = () => {}

  push(value: T): void {
    this.#values.push(value)
    this.#wake()
  }

  /** Ends the iteration after the values that were pushed before. */
  end(): void {
    this.#hasEnded = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      yield* this.#values.splice(0)
      if (this.#values.length > 0) continue
      if (this.#hasEnded) return
      await new Promise<void>((wake) => (this.#wake = wake))
    }
  }
}

/** Creates the error for a second iteration over a stream; `result` is its property with the complete result. */
export function createSecondReaderError(result: string): InterlinguaError {
  return new InterlinguaError('invalid-stream', 'The stream is already being read', {
    found: 'a second reader',
    expected: 'one reader',
    hint: `Iterate once, and await \`${result}\` before or after. To read it twice, store the events.`,
  })
}
