/** Lines of which the first one can be read before the others; they are iterated once. */
export class PeekedLines implements AsyncIterable<string> {
  readonly #source: AsyncIterator<string> | Iterator<string>
  #header: string | undefined

  constructor(lines: Iterable<string> | AsyncIterable<string>) {
    this.#source = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]()
  }

  /** Returns the first line that is not blank, or an empty text. */
  async readHeader(): Promise<string> {
    while (this.#header === undefined) {
      const { done, value } = await this.#source.next()
      if (done === true) return ''
      // The import itself refuses what is not a text.
      if (typeof value !== 'string' || value.trim() !== '') this.#header = value
    }
    return this.#header
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      if ((await this.readHeader()) === '') return
      yield this.#header ?? ''
      for (;;) {
        const { done, value } = await this.#source.next()
        if (done === true) return
        yield value
      }
    } finally {
      await this.#source.return?.()
    }
  }
}
