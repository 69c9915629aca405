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

/**
 * Runs the writes of each session one after the other, before they use a connection. Writers that wait for the same
 * session would otherwise hold all connections of the pool, each waiting for the lock of the same row.
 */
export class SessionWriteQueue {
  /** Waiting writers share the error of the last one, if it gave up because another process holds the session. */
  readonly #queue = new KeyedQueue<{ lockTimeout: Error | undefined }>(() => ({ lockTimeout: undefined }))
  readonly #isLockTimeout: (error: unknown) => error is Error

  constructor(isLockTimeout: (error: unknown) => error is Error) {
    this.#isLockTimeout = isLockTimeout
  }

  /**
   * Runs `act` after the earlier writers of the session. If the writer before it gave up waiting for another process
   * and this one has waited as long, it fails with the same error.
   */
  run<T>(session: string, deadline: number, act: () => Promise<T>): Promise<T> {
    return this.#queue.run(session, async (waiting) => {
      if (waiting.lockTimeout !== undefined && Date.now() >= deadline) throw waiting.lockTimeout
      try {
        const result = await act()
        waiting.lockTimeout = undefined
        return result
      } catch (error) {
        waiting.lockTimeout = this.#isLockTimeout(error) ? error : undefined
        throw error
      }
    })
  }
}
