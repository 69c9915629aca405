import { setTimeout } from 'node:timers/promises'
import { InterlinguaError } from '../../errors.ts'
import { closedError, damagedError, unusableError } from '../storage-errors.ts'
import { loadOptionalPackage } from '../../wire/optional-package.ts'
import { SerialQueue } from '../serial-queue.ts'
import type { SqlExecutor, SqlDriver, SqlRow, SqlValue } from '../sql/sql-driver.ts'

/** The part of `node:sqlite` that is used: anything alike can be handed in. */
export interface SqliteDatabase {
  exec(text: string): unknown
  prepare(text: string): { all(...values: SqlValue[]): unknown[] }
  close(): void
}

/** Older ones can damage a database that two connections write to at the same instant. */
const MIN_SAFE_VERSION = [3, 51, 3]

/** Opens a file with what this Node brings if that is recent enough, else with the package. */
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

/** How long to wait before trying again, at most, in milliseconds. */
const MAX_RETRY_DELAY_MS = 15

/** How many prepared statements are kept. */
const MAX_PREPARED_STATEMENTS = 100

/** A SQLite database: one connection, on which one transaction runs at a time. */
export class SqliteDriver implements SqlDriver {
  readonly textType: string = 'text'
  readonly rowLockClause: string = '' // a write has the whole database
  readonly #database: SqliteDatabase
  readonly #queue = new SerialQueue()
  readonly #prepared = new Map<string, ReturnType<SqliteDatabase['prepare']>>()
  readonly #busyTimeoutMs: number
  #closed = false

  constructor(database: SqliteDatabase, busyTimeout: number) {
    this.#database = database
    this.#busyTimeoutMs = busyTimeout
    database.exec('pragma busy_timeout = 10000')
    database.exec('pragma journal_mode = wal')
    database.exec('pragma synchronous = full')
    // From here on we wait ourselves: SQLite would stop the whole process, and with it the one that is waited for.
    database.exec('pragma busy_timeout = 0')
    const [row] = database.prepare('select sqlite_version() as version').all() as SqlRow[]
    if (!isSafeVersion(String(row?.['version']))) {
      process.emitWarning(
        `SQLite ${String(row?.['version'])} can damage a database that several processes write to; 3.51.3 cannot`,
        { code: 'INTERLINGUA_OLD_SQLITE' },
      )
    }
  }

  async lockMigrations(): Promise<void> {
    // A write has the whole database.
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

  /** All or nothing; what met another process's write can be tried again. */
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

  /** What failed for want of room SQLite has rolled back by itself. */
  #rollBack(): void {
    try {
      this.#database.exec('rollback')
    } catch {
      // There is no transaction any more, which is what was wanted.
    }
  }

  /** Brings everything into the one file: a driver that cannot end its statements would leave it beside. */
  #checkpoint(): void {
    try {
      this.#database.exec('pragma wal_checkpoint(truncate)')
    } catch {
      // It is no less durable where it is.
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

/** SQLite tells what is wrong by its words: not every error of every driver has a number. */
const DAMAGED_PATTERN = /malformed|not a database/
const UNUSABLE_PATTERN = /is full|readonly database|unable to open|I\/O error|permission/

/** An error of SQLite as one of ours; every other stays as it is. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof InterlinguaError) return error
  if (isBusy(error)) return busyError(error)
  if (DAMAGED_PATTERN.test(error.message))
    return damagedError('The file is damaged, or is no database of SQLite', error)
  return UNUSABLE_PATTERN.test(error.message) ? unusableError(error) : error
}

function busyError(cause: unknown): InterlinguaError {
  return new InterlinguaError('conflict', 'Another process has the database for too long', {
    hint: 'Try again, or allow a longer busyTimeout.',
    retryable: true,
    cause,
  })
}
