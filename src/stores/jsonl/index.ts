import { InterlinguaError } from '../../errors.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import { createUnusableFileError } from '../storage-errors.ts'
import { refuseForeignFile, resolveStorageFile } from '../storage-file.ts'
import { InMemoryRowStore } from '../in-memory/memory-storage.ts'
import { InMemoryTables } from '../in-memory/in-memory-tables.ts'
import type { RowStore } from '../rows/row-store.ts'
import { checkStorageOptions, createStorage, type StorageOptions } from '../create-storage.ts'
import type { Keyring } from '../encryption/keyring.ts'
import { TransactionKeys } from '../encryption/transaction-keys.ts'
import { createInMemoryRowTransaction } from '../in-memory/in-memory-row-transaction.ts'
import { Journal } from './journal.ts'
import type { QuarantinedLine } from './read-journal.ts'
import type { MessageRowCipher } from './repair-missing-rows.ts'
import { acquireFileLock } from './file-lock.ts'

export type { QuarantinedLine }

/** A storage in a JSONL file. */
export interface JsonlStorage extends ConversationStorage {
  /** Lines that could not be read when the file was opened. They stay in the file until it is rewritten. */
  readonly quarantinedLines: readonly QuarantinedLine[]
  /** Rewrites the file without changed and removed data. Unreadable lines are moved to `<path>.quarantine`. */
  rewrite(): Promise<void>
}

/**
 * Opens a storage in a JSONL file, for one process. All data is in memory, and every change is on disk before
 * it is acknowledged. Opening the file a second time fails with `conflict`; a file that is not a JSONL storage is
 * refused with `foreign-file` and not changed.
 *
 * @example
 * const storage = await jsonlStorage('chat.jsonl')
 */
export async function jsonlStorage(path: string, options: StorageOptions = {}): Promise<JsonlStorage> {
  checkStorageOptions('jsonlStorage()', options)
  await refuseForeignFile(path, 'journal')
  const file = await resolveStorageFile(path)
  const release = await acquireFileLock(file)
  const tables = new InMemoryTables()
  const cipher = options.encryption && createMessageRowCipher(tables, options.encryption.keys)
  const journal = await Journal.open(file, tables, cipher).catch(async (error: unknown) => {
    await release()
    throw error instanceof InterlinguaError ? error : createUnusableFileError(error, path)
  })
  const memory = new InMemoryRowStore(tables, (changes) => journal.commit(changes))
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await memory.close()
    await journal.close()
    await release()
  }
  const store: RowStore = {
    backend: 'jsonl',
    read: (act) => memory.read(act),
    write: (act) => memory.write(act),
    integrityIssues: () => journal.issues,
    close: () => (closing ??= close()),
  }
  return Object.freeze({
    ...createStorage(store, options),
    get quarantinedLines() {
      return [...journal.quarantinedLines]
    },
    rewrite: () => memory.runExclusively(() => journal.rewrite(tables)),
  })
}

/** Returns what encrypts and decrypts messages of the tables, with the keys of their sessions. */
function createMessageRowCipher(tables: InMemoryTables, keyring: Keyring): MessageRowCipher {
  const refuseChange = (): never => {
    throw new Error('The tables are only read')
  }
  return new TransactionKeys(createInMemoryRowTransaction(tables, refuseChange), keyring)
}
