import { setTimeout } from 'node:timers/promises'
import { InterlinguaError } from '../../errors.ts'
import { closedError, damagedError, unusableError } from '../storage-errors.ts'
import { loadOptionalPackage } from '../../wire/optional-package.ts'
import { SerialQueue } from '../serial-queue.ts'
import type { SqlExecutor, SqlDriver, SqlRow, SqlValue } from '../sql/sql-driver.ts'

/** The part of `node:sqlite` that is used; any compatible object works. */
export interface SqliteDatabase {
  exec(text: string): unknown
  prepare(text: string): { all(...values: SqlValue[]): unknown[] }
  close(): void
}

/** Older versions can corrupt a database if two connections write at the same instant. */
const MIN_SAFE_VERSION = [3, 51, 3]

/** Opens a file with the SQLite of Node if it is recent enough, otherwise with the package. */
export async function openDatabase(path: string): Promise<SqliteDatabase> {
  const builtIn = isSafeVersion(process.versions['sqlite'])
    ? (process.getBuiltinModule('node:sqlite') as { DatabaseSync: new (path: string) => SqliteDatabase })
    : undefined
  if (builtIn !== undefined) return new builtIn.DatabaseSync(path)
  const { DatabaseSync } = await loadOptionalPackage(
    '@photostructure/sqlite@1',
    () => import('@photostructure/sqlite'),
  )
  return new DatabaseSync(path)
}

function isSafeVersion(version = '0'): boolean {
  const parts = version.split('.').map(Number)
  const differs = MIN_SAFE_VERSION.findIndex((part, index) => (parts[index] ?? 0) !== part)
  return differs === -1 || (parts[differs] ?? 0) > (MIN_SAFE_VERSION[differs] ?? 0)
}

const MAX_RETRY_DELAY_MS = 15

const MAX_PREPARED_STATEMENTS = 100

/** A SQLite database with one connection and one transaction at a time. */
export class SqliteDriver implements SqlDriver {
  readonly textType: string = 'text'
  readonly rowLockClause: string = '' // a write transaction locks the whole database
  readonly #database: SqliteDatabase
  readonly #queue = new SerialQueue()
  readonly #prepared = new Map<string, ReturnType<SqliteDatabase['prepare']>>()
  readonly #busyTimeoutMs: number
  #closed = false

  constructor(database: SqliteDatabase, busyTimeoutMs: number) {
    this.#database = database
    this.#busyTimeoutMs = busyTimeoutMs
    database.exec('pragma busy_timeout = 10000')
    database.exec('pragma journal_mode = wal')
    database.exec('pragma synchronous = full')
    // From now on, waiting is done in JavaScript: SQLite would block the process, and with it a transaction
    // it waits for.
    database.exec('pragma busy_timeout = 0')
    const [row] = database.prepare('select sqlite_version() as version').all() as SqlRow[]
    if (!isSafeVersion(String(row?.['version']))) {
      process.emitWarning(
        `SQLite ${String(row?.['version'])} can corrupt a database if several processes write to it; use 3.51.3 or newer`,
        { code: 'INTERLINGUA_OLD_SQLITE' },
      )
    }
  }

  async lockMigrations(): Promise<void> {
    // A write transaction locks the whole database.
  }

  read<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    return this.#transaction('begin', act)
  }

  write<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    return this.#transaction('begin immediate', act)
  }

  #transaction<T>(begin: string, act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      const end = Date.now() + this.#busyTimeoutMs
      for (;;) {
        try {
          return await this.#attempt(begin, act)
        } catch (error) {
          if (!isBusy(error) || Date.now() >= end) throw toStorageError(error)
        }
        await setTimeout(1 + Math.random() * MAX_RETRY_DELAY_MS)
      }
    })
  }

  /**
   * Runs a transaction atomically. Throws without effect if another process is writing, so that the caller
   * can retry.
   */
  async #attempt<T>(begin: string, act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    if (this.#closed) throw closedError()
    this.#run(begin)
    try {
      const result = await act(async (text, values) => this.#run(text, values))
      this.#run('commit')
      return result
    } catch (error) {
      this.#rollBack()
      throw error
    }
  }

  /** Rolls back. If the disk is full, SQLite has rolled back already. */
  #rollBack(): void {
    try {
      this.#database.exec('rollback')
    } catch {
      // No transaction is active, as intended.
    }
  }

  /**
   * Moves the write-ahead log into the database file, in case the driver cannot finalize its statements on
   * close.
   */
  #checkpoint(): void {
    try {
      this.#database.exec('pragma wal_checkpoint(truncate)')
    } catch {
      // The data is durable in the write-ahead log, too.
    }
  }

  #run(text: string, values: readonly SqlValue[] = []): readonly SqlRow[] {
    return this.#prepare(text).all(...values) as SqlRow[]
  }

  #prepare(text: string): ReturnType<SqliteDatabase['prepare']> {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    if (this.#prepared.size >= MAX_PREPARED_STATEMENTS) this.#prepared.clear()
    const statement = this.#database.prepare(text)
    this.#prepared.set(text, statement)
    return statement
  }

  close(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#closed) return
      this.#closed = true
      this.#prepared.clear()
      this.#checkpoint()
      this.#database.close()
    })
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /database is locked|SQLITE_BUSY/.test(error.message)
}

/** Patterns of SQLite messages; not every error of every driver has a code. */
const DAMAGED_PATTERN = /malformed|not a database/
const UNUSABLE_PATTERN = /is full|readonly database|unable to open|I\/O error|permission/

/** Converts a SQLite error into a storage error; returns any other error unchanged. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof InterlinguaError) return error
  if (isBusy(error)) return busyError(error)
  if (DAMAGED_PATTERN.test(error.message))
    return damagedError('The file is damaged or not a SQLite database', error)
  return UNUSABLE_PATTERN.test(error.message) ? unusableError(error) : error
}

function busyError(cause: unknown): InterlinguaError {
  return new InterlinguaError('conflict', 'The database is locked by another process', {
    hint: 'Try again, or set a longer `busyTimeoutMs`.',
    retryable: true,
    cause,
  })
}
