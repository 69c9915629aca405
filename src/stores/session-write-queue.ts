/** The writers of one session that wait in this process. */
interface WaitingWriters {
  last: Promise<unknown>
  count: number
  /** The error of the last writer, if it gave up because another process holds the session. */
  lockTimeout: Error | undefined
}

/**
 * Runs the writes of each session one after the other, before they use a connection. Writers that wait for the same
 * session would otherwise hold all connections of the pool, each waiting for the lock of the same row.
 */
export class SessionWriteQueue {
  readonly #sessions = new Map<string, WaitingWriters>()
  readonly #isLockTimeout: (error: unknown) => error is Error

  constructor(isLockTimeout: (error: unknown) => error is Error) {
    this.#isLockTimeout = isLockTimeout
  }

  /**
   * Runs `act` after the earlier writers of the session. If the writer before it gave up waiting for another process
   * and this one has waited as long, it fails with the same error.
   */
  async run<T>(session: string, deadline: number, act: () => Promise<T>): Promise<T> {
    const waiting = this.#sessions.get(session) ?? {
      last: Promise.resolve(),
      count: 0,
      lockTimeout: undefined,
    }
    this.#sessions.set(session, waiting)
    waiting.count += 1
    const result = waiting.last.then(() => this.#act(waiting, deadline, act))
    waiting.last = result.catch(() => undefined)
    try {
      return await result
    } finally {
      waiting.count -= 1
      if (waiting.count === 0) this.#sessions.delete(session)
    }
  }

  async #act<T>(waiting: WaitingWriters, deadline: number, act: () => Promise<T>): Promise<T> {
    if (waiting.lockTimeout !== undefined && Date.now() >= deadline) throw waiting.lockTimeout
    try {
      const result = await act()
      waiting.lockTimeout = undefined
      return result
    } catch (error) {
      waiting.lockTimeout = this.#isLockTimeout(error) ? error : undefined
      throw error
    }
  }
}
