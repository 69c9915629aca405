import { type FileHandle, open } from 'node:fs/promises'
import type { SqliteDatabase } from './sqlite-database.ts'
import { type SqliteFile, SqliteThread } from './sqlite-worker.ts'

/** Number of pages from which on the log is moved into the database; the default of SQLite. */
const CHECKPOINT_PAGES = 1000

/** Number of pages from which on writes wait for the checkpoint, so that the log starts anew: 16 MB. */
const RESTART_PAGES = 4000

/** Number of pages from which on the log is moved by the thread when a database is closed: starting it takes time, too. */
const CLOSING_PAGES = 250

/** Number of writes after which the length of the log is read. A long write adds many pages at once, so it is small. */
const MEASURED_EVERY = 8

/** Numbers of pages in the log, and of those that are in the database already. */
export interface LogSize {
  readonly log: number
  readonly checkpointed: number
}

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
  #writeCount = 0
  /** Number of pages in the log, when it was read last. */
  #size = 0

  constructor(database: SqliteDatabase, file: SqliteFile) {
    this.#database = database
    this.#file = file
    database.exec('pragma wal_autocheckpoint = 0')
  }

  /** The checkpoint that is running, if any. It never rejects. */
  get checkpoint(): Promise<void> | undefined {
    return this.#checkpoint
  }

  /** The checkpoint that a write has to wait for: the log starts anew only if no write runs at the same time. */
  get blockingCheckpoint(): Promise<void> | undefined {
    return this.#size >= RESTART_PAGES ? this.#checkpoint : undefined
  }

  /** Starts a checkpoint if the log has become long. Called after each write; asks for the length after some of them only. */
  checkpointIfLong(readSize: () => LogSize): void {
    this.#writeCount += 1
    if (this.#writeCount % MEASURED_EVERY !== 0) return
    const { log, checkpointed } = readSize()
    this.#size = log
    if (log - checkpointed >= CHECKPOINT_PAGES || log >= RESTART_PAGES) this.#start()
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
  async close({ log, checkpointed }: LogSize): Promise<void> {
    if (log - checkpointed >= CLOSING_PAGES) this.#start()
    await this.#checkpoint
    await this.#handle?.then((handle) => handle.close()).catch(() => undefined)
  }
}
