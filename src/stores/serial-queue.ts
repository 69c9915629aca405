/** Runs functions one at a time, in order. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#last.then(act)
    this.#last = result.catch(() => undefined)
    return result
  }
}

/** Runs the functions of each key one at a time, in order. They share a state, which is kept while one of them waits. */
export class KeyedQueue<S> {
  readonly #createState: () => S
  readonly #entries = new Map<string, { readonly queue: SerialQueue; readonly state: S; count: number }>()

  constructor(createState: () => S) {
    this.#createState = createState
  }

  async run<T>(key: string, act: (state: S) => Promise<T>): Promise<T> {
    const known = this.#entries.get(key)
    const entry = known ?? { queue: new SerialQueue(), state: this.#createState(), count: 0 }
    this.#entries.set(key, entry)
    entry.count += 1
    try {
      return await entry.queue.run(() => act(entry.state))
    } finally {
      entry.count -= 1
      if (entry.count === 0) this.#entries.delete(key)
    }
  }
}
