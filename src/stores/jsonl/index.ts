import { open, realpath, stat } from 'node:fs/promises'
import { InterlinguaError } from '../../errors.ts'
import type { ConversationStorage, Damage } from '../contract.ts'
import { unusable } from '../failures.ts'
import { MemoryStore } from '../memory/store.ts'
import { Tables } from '../memory/tables.ts'
import type { RowStore } from '../rows/rows.ts'
import { storageOver, type StorageOptions } from '../storage.ts'
import { Journal, type QuarantinedLine } from './journal.ts'
import { type Lock, lockFile } from './lock.ts'

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
  const { file, lock } = await taken(path)
  const tables = new Tables()
  const journal = await Journal.open(file, tables).catch(async (error: unknown) => {
    await lock.release()
    throw error instanceof InterlinguaError ? error : unusable(error)
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

/** The file by its one true name, which links lead to, and its lock. */
async function taken(path: string): Promise<{ readonly file: string; readonly lock: Lock }> {
  try {
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile() === false) throw new Error('it is no file')
    if (found === undefined) await (await open(path, 'a')).close()
    const file = await realpath(path)
    return { file, lock: await lockFile(file) }
  } catch (error) {
    throw error instanceof InterlinguaError ? error : unusable(error)
  }
}
