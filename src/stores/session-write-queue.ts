import { KeyedQueue } from './serial-queue.ts'

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
