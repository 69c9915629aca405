import { KeyedQueue } from './serial-queue.ts'

/** What the writers of one session that wait in this process share. */
interface WaitingWriters {
  /** The error of the last writer, if it gave up because another process holds the session. */
  lockTimeout: Error | undefined
}

/**
 * Runs the writes of each session one after the other, before they use a connection. Writers that wait for the same
 * session would otherwise hold all connections of the pool, each waiting for the lock of the same row.
 */
export class SessionWriteQueue {
  readonly #queue = new KeyedQueue<WaitingWriters>(() => ({ lockTimeout: undefined }))
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
