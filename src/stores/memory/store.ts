import { closed } from '../failures.ts'
import { Queue } from '../queue.ts'
import type { Rows, RowStore } from '../rows/rows.ts'
import { MemoryRows } from './rows.ts'
import { type Change, Tables } from './tables.ts'

/** Rows in memory. What is to be kept elsewhere, too, is committed there before it counts. */
export class MemoryStore implements RowStore {
  readonly tables: Tables
  readonly #commit: (changes: readonly Change[]) => Promise<void>
  readonly #queue = new Queue()
  #closed = false

  constructor(
    tables: Tables = new Tables(),
    commit: (changes: readonly Change[]) => Promise<void> = () => Promise.resolve(),
  ) {
    this.tables = tables
    this.#commit = commit
  }

  read<T>(act: (rows: Rows) => Promise<T>): Promise<T> {
    return this.write(act)
  }

  write<T>(act: (rows: Rows) => Promise<T>): Promise<T> {
    return this.exclusive(async () => {
      const done: Change[] = []
      const undo: Change[] = []
      const rows = new MemoryRows(this.tables, (change) => {
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

  /** Runs an act while nothing else runs. */
  exclusive<T>(act: () => Promise<T>): Promise<T> {
    return this.#queue.run(() => {
      if (this.#closed) throw closed()
      return act()
    })
  }

  async close(): Promise<void> {
    await this.#queue.run(async () => {
      this.#closed = true
    })
  }
}
