import { type FileHandle, open } from 'node:fs/promises'
import type { SqliteDatabase } from './sqlite-database.ts'
import { type SqliteFile, SqliteThread } from './sqlite-worker.ts'

/** Number of pages from which on the log is moved into the database; the default of SQLite. */
const CHECKPOINT_PAGES = 1000

/** Number of pages from which on the log is moved by the thread when a database is closed: starting it takes time, too. */
const CLOSING_PAGES = 250

/** Moves the logs of all databases of the process: one thread is enough, and an open database need not have its own. */
const checkpointThread = new SqliteThread()

/**
 * Moves the write-ahead log of a file into the database, in another thread. SQLite does it in the commit that makes the
 * log long, which then takes as long as writing all its pages to the disk; the process does nothing else meanwhile.
 */
export class WriteAheadLog {
  readonly #database: SqliteDatabase
  readonly #file: SqliteFile
  #checkpoint: Promise<void> | undefined
  #handle: Promise<FileHandle> | undefined

  constructor(database: SqliteDatabase, file: SqliteFile) {
    this.#database = database
    this.#file = file
    database.exec('pragma wal_autocheckpoint = 0')
  }

  /** The checkpoint that is running, if any. It never rejects. The log shrinks only if no write runs at the same time. */
  get checkpoint(): Promise<void> | undefined {
    return this.#checkpoint
  }

  /** Starts a checkpoint if the log has become long. */
  checkpointIfLong({ log, checkpointed }: { readonly log: number; readonly checkpointed: number }): void {
    if (log - checkpointed >= CHECKPOINT_PAGES) this.#start()
  }

  #start(): void {
    this.#checkpoint ??= checkpointThread
      .run(this.#file, ['pragma wal_checkpoint(passive)'])
      // Without threads, SQLite does it as usual.
      .catch(() => this.#database.exec('pragma wal_autocheckpoint = 1000'))
      .then(() => {
        this.#checkpoint = undefined
      })
  }

  /** Writes what a long transaction has added so far to the disk, so that its commit need not wait for all of it. */
  async flush(): Promise<void> {
    this.#handle ??= open(`${this.#file.file}-wal`, 'r+')
    await this.#handle.then((handle) => handle.datasync()).catch(() => undefined)
  }

  /** Ends the work on the log before the database is closed. */
  async close({ log, checkpointed }: { readonly log: number; readonly checkpointed: number }): Promise<void> {
    if (log - checkpointed >= CLOSING_PAGES) this.#start()
    await this.#checkpoint
    await this.#handle?.then((handle) => handle.close()).catch(() => undefined)
  }
}
