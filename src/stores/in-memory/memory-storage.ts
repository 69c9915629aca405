import { createStorageClosedError } from '../storage-errors.ts'
import { SerialQueue } from '../write-queues.ts'
import type { RowTransaction, RowStore } from '../rows/row-store.ts'
import { createInMemoryRowTransaction } from './in-memory-row-transaction.ts'
import { type RowChange, InMemoryTables } from './in-memory-tables.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import { createStorage, type StorageOptions } from '../create-storage.ts'

/**
 * Creates a storage in memory, for tests and for data that need not survive the process.
 *
 * @example
 * const storage = memoryStorage()
 * const { id } = await storage.createSession()
 * await storage.append(id, 'Hello')
 */
export function memoryStorage(options?: StorageOptions): ConversationStorage {
  return createStorage(new InMemoryRowStore(), options)
}

/** Rows in memory. `commit` may persist a transaction before it takes effect. */
export class InMemoryRowStore implements RowStore {
  readonly backend: string = 'memory'
  readonly tables: InMemoryTables
  readonly #commit: (changes: readonly RowChange[]) => Promise<void>
  readonly #queue = new SerialQueue()
  #closed = false

  constructor(
    tables: InMemoryTables = new InMemoryTables(),
    commit: (changes: readonly RowChange[]) => Promise<void> = async () => undefined,
  ) {
    this.tables = tables
    this.#commit = commit
  }

  read<T>(act: (rows: RowTransaction) => Promise<T>): Promise<T> {
    return this.write(act)
  }

  write<T>(act: (rows: RowTransaction) => Promise<T>): Promise<T> {
    return this.runExclusively(async () => {
      const done: RowChange[] = []
      const undo: RowChange[] = []
      const rows = createInMemoryRowTransaction(this.tables, (change) => {
        undo.push(this.tables.apply(change))
        done.push(change)
      })
      try {
        const result = await act(rows)
        if (done.length > 0) await this.#commit(done)
        return result
      } catch (error) {
        for (const change of undo.toReversed()) this.tables.apply(change)
        throw error
      }
    })
  }

  /** Runs `act` while no other transaction runs. */
  runExclusively<T>(act: () => Promise<T>): Promise<T> {
    return this.#queue.run(() => {
      if (this.#closed) throw createStorageClosedError()
      return act()
    })
  }

  async close(): Promise<void> {
    await this.#queue.run(async () => {
      this.#closed = true
    })
  }
}
