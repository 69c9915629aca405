import { InterlinguaError } from '../errors.ts'
import type { SourceReader } from './pull-stages.ts'

/**
 * A queue between a producer that pushes values and one reader that awaits them.
 *
 * @example
 * const queue = new AsyncQueue<number>()
 * queue.push(1)
 * queue.end()
 * for await (const value of forwardReader(() => queue)) console.log(value) // 1
 */
export class AsyncQueue<T> implements SourceReader<readonly T[], undefined> {
  #values: T[] = []
  #hasEnded = false
  #wake: () => void = () => {}

  push(value: T): void {
    this.#values.push(value)
    this.#wake()
  }

  /** Ends the reading after the values that were pushed before. */
  end(): void {
    this.#hasEnded = true
    this.#wake()
  }

  /** Returns all values that were pushed since the last read; waits for one. */
  async read(): Promise<IteratorResult<readonly T[], undefined>> {
    while (this.#values.length === 0) {
      if (this.#hasEnded) return { done: true, value: undefined }
      await new Promise<void>((wake) => (this.#wake = wake))
    }
    const values = this.#values
    this.#values = []
    return { done: false, value: values }
  }

  /** Does nothing: the producer decides whether it continues without a reader. */
  async cancel(): Promise<void> {}
}

/** Creates the error for a second iteration over a stream; `result` is its property with the complete result. */
export function createSecondReaderError(result: string): InterlinguaError {
  return new InterlinguaError('invalid-stream', 'The stream is already being read', {
    found: 'a second reader',
    expected: 'one reader',
    hint: `Iterate once, and await \`${result}\` before or after. To read the events twice, store them.`,
  })
}
