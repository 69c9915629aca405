import type { ConversationStorage, Damage } from '../contract.ts'
import { MemoryStore } from '../memory/store.ts'
import { Tables } from '../memory/tables.ts'
import type { RowStore } from '../rows/rows.ts'
import { storageOver, type StorageOptions } from '../storage.ts'
import { Journal, type QuarantinedLine } from './journal.ts'
import { lockFile } from './lock.ts'

export type { QuarantinedLine }

/** A storage in a file of lines. */
export interface JsonlStorage extends ConversationStorage {
  /** Lines that could not be read when the file was opened. They stay in it until it is rewritten. */
  readonly quarantined: readonly QuarantinedLine[]
  /** Writes the file anew, without what has been changed or removed since; unreadable lines go to `<path>.quarantine`. */
  rewrite(): Promise<void>
}

/**
 * Conversations in a file of JSON lines, for one process: everything is in memory, and every change is a line on the disk
 * before it is acknowledged. A second one that opens the file gets a `conflict`.
 *
 * @example
 * const storage = await jsonlStorage('chat.jsonl')
 */
export async function jsonlStorage(path: string, options?: StorageOptions): Promise<JsonlStorage> {
  const lock = await lockFile(path)
  const tables = new Tables()
  const journal = await Journal.open(path, tables).catch(async (error: unknown) => {
    await lock.release()
    throw error
  })
  const memory = new MemoryStore(tables, (changes) => journal.commit(changes))
  const store: RowStore = {
    read: (act) => memory.read(act),
    write: (act) => memory.write(act),
    damages: () =>
      journal.quarantined.map(({ line, reason }): Damage => ({
        kind: 'line',
        reason: `Line ${line}: ${reason}`,
      })),
    close: async () => {
      await memory.close()
      await journal.close()
      await lock.release()
    },
  }
  return Object.freeze({
    ...storageOver(store, options),
    get quarantined() {
      return [...journal.quarantined]
    },
    rewrite: () => memory.exclusive(() => journal.rewrite(tables)),
  })
}
