import { createRequire } from 'node:module'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { InterlinguaError } from '../../errors.ts'
import {
  createStorageClosedError,
  createConflictError,
  createDamagedDataError,
  createUnusableFileError,
} from '../storage-errors.ts'
import { loadOptionalPackage } from '../../wire/optional-package.ts'
import { SerialQueue } from '../serial-queue.ts'
import { runInSqliteWorker, type SqliteFile } from './sqlite-worker.ts'
import { createMissingFts5Error, OPTIMIZE_SEARCH_INDEX, SQLITE_SEARCH_INDEX } from './sqlite-search-index.ts'
import type { SqlExecutor, SqlDriver, SqlRow, SqlValue } from '../sql/sql-driver.ts'
import type { SqlSearchIndex } from '../sql/sql-search-index.ts'

/** The part of `node:sqlite` that is used; any compatible object works. */
export interface SqliteDatabase {
  exec(text: string): unknown
  prepare(text: string): { all(...values: SqlValue[]): unknown[] }
  close(): void
}

/** Version 3.51.3, as SQLite numbers it. Older ones can corrupt a database if two connections write at once. */
const MIN_SAFE_VERSION = 3_051_003

/** True if the SQLite of Node is recent enough; otherwise the package is used. */
const isBuiltInUsed = isSafeVersion(process.versions['sqlite'])

/** Returns what a worker needs to open a file in the same way. */
export function describeSqliteFile(file: string): SqliteFile {
  const { resolve } = createRequire(import.meta.url)
  return { file, module: isBuiltInUsed ? undefined : resolve('@photostructure/sqlite') }
}

/** Options of the constructor of a {@link SqliteDatabase}. */
export interface SqliteOpenOptions {
  /** True if the database may load extensions. Default: false. */
  readonly allowExtension?: boolean
}

/** Opens a file with the SQLite of Node if it is recent enough, otherwise with the package. */
export async function openSqliteDatabase(
  path: string,
  options: SqliteOpenOptions = {},
): Promise<SqliteDatabase> {
  const builtIn = isBuiltInUsed
    ? (process.getBuiltinModule('node:sqlite') as {
        DatabaseSync: new (path: string, options: SqliteOpenOptions) => SqliteDatabase
      })
    : undefined
  const { DatabaseSync } =
    builtIn ?? (await loadOptionalPackage('@photostructure/sqlite@1', () => import('@photostructure/sqlite')))
  return new DatabaseSync(path, options)
}

function isSafeVersion(version = '0'): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return major * 1_000_000 + minor * 1000 + patch >= MIN_SAFE_VERSION
}

const MAX_RETRY_DELAY_MS = 15

/** How long statements run before other work of the process has its turn. */
const MAX_SLICE_MS = 10

const MAX_PREPARED_STATEMENTS = 100

const BEGIN_WRITE = 'begin immediate'

/** Number of pages from which on the check of a database takes long. */
const LARGE_PAGE_COUNT = 500

/** A SQLite database with one connection and one transaction at a time. */
export class SqliteDriver implements SqlDriver {
  readonly backend: string = 'sqlite'
  readonly textType: string = 'text'
  readonly bytesType: string = 'blob'
  readonly rowLockClause: string = '' // a write transaction locks the whole database
  readonly combinesWrites: boolean = false
  readonly clockExpression: string = `(julianday('now') - 2440587.5) * 86400000`
  readonly tableQuery: string = `select name from sqlite_master where type = 'table' and name = ?`
  readonly search: SqlSearchIndex = SQLITE_SEARCH_INDEX
  readonly #database: SqliteDatabase
  readonly #queue = new SerialQueue()
  readonly #prepared = new Map<string, ReturnType<SqliteDatabase['prepare']>>()
  readonly #busyTimeoutMs: number
  readonly #file: SqliteFile | undefined
  #closed = false

  /** Creates a driver. With a `file`, long maintenance runs in a thread of its own. */
  constructor(database: SqliteDatabase, busyTimeoutMs: number, file?: SqliteFile) {
    this.#database = database
    this.#busyTimeoutMs = busyTimeoutMs
    this.#file = file
    database.exec('pragma busy_timeout = 10000')
    database.exec('pragma journal_mode = wal')
    database.exec('pragma synchronous = full')
    // Deleted text is overwritten, not only unlinked.
    database.exec('pragma secure_delete = on')
    // From now on, waiting is done in JavaScript: SQLite would block the process, and with it a transaction
    // it waits for.
    database.exec('pragma busy_timeout = 0')
    const [row] = database.prepare('select sqlite_version() as version').all() as SqlRow[]
    const version = String(row?.['version'])
    if (!isSafeVersion(version)) {
      const advice = 'can corrupt a database if several processes write to it; use 3.51.3 or newer'
      process.emitWarning(`SQLite ${version} ${advice}`, { code: 'INTERLINGUA_OLD_SQLITE' })
    }
  }

  migrate<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    return this.write(act)
  }

  read<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    return this.#transaction('begin', act)
  }

  write<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    return this.#transaction(BEGIN_WRITE, act)
  }

  #transaction<T>(begin: string, act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      const end = Date.now() + this.#busyTimeoutMs
      for (;;) {
        try {
          return await this.#attempt(begin, act)
        } catch (error) {
          if (!isBusy(error) || Date.now() >= end) throw convertSqliteError(error)
        }
        await setTimeout(1 + Math.random() * MAX_RETRY_DELAY_MS)
      }
    })
  }

  /** Runs a transaction. Throws without effect if another process is writing, so that it can be retried. */
  async #attempt<T>(begin: string, act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    if (this.#closed) throw createStorageClosedError()
    this.#run(begin)
    let sliceStart = performance.now()
    let failure: { readonly error: unknown } | undefined
    /** Runs a statement before it returns: the next one may be sent without waiting. Then others have their turn. */
    const execute = async (text: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]> => {
      // If the disk is full, SQLite has rolled back: later statements would take effect on their own.
      if (failure !== undefined && begin === BEGIN_WRITE) throw failure.error
      try {
        const rows = this.#run(text, values)
        if (performance.now() - sliceStart < MAX_SLICE_MS) return rows
        await setImmediate()
        sliceStart = performance.now()
        return rows
      } catch (error) {
        failure ??= { error }
        throw error
      }
    }
    try {
      const result = await act((text, values) => {
        const rows = execute(text, values)
        rows.catch(() => undefined) // reported below
        return rows
      })
      if (failure !== undefined && begin === BEGIN_WRITE) throw failure.error
      this.#run('commit')
      return result
    } catch (error) {
      // If the disk is full, SQLite has rolled back already.
      this.#tryExec('rollback')
      throw error
    }
  }

  /** Runs a statement that need not succeed. */
  #tryExec(text: string): void {
    try {
      this.#database.exec(text)
    } catch {
      // Nothing is lost; see the callers.
    }
  }

  #run(text: string, values: readonly SqlValue[] = []): readonly SqlRow[] {
    try {
      return this.#prepare(text).all(...values) as SqlRow[]
    } catch (error) {
      // Damage is one error among others to `verify()`, which continues. Other errors end the transaction.
      throw error instanceof Error && DAMAGED_PATTERN.test(error.message) ? convertSqliteError(error) : error
    }
  }

  #prepare(text: string): ReturnType<SqliteDatabase['prepare']> {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    if (this.#prepared.size >= MAX_PREPARED_STATEMENTS) this.#prepared.clear()
    const statement = this.#database.prepare(text)
    this.#prepared.set(text, statement)
    return statement
  }

  async checkDatabase(sql: SqlExecutor): Promise<readonly string[]> {
    const [size] = await sql('pragma page_count')
    const isLarge = Number(size?.['page_count']) > LARGE_PAGE_COUNT
    const rows = await (isLarge && this.#file !== undefined
      ? runInSqliteWorker(this.#file, ['pragma integrity_check'])
      : sql('pragma integrity_check'))
    const reports = rows.map((row) => String(Object.values(row)[0]))
    return reports.filter((report) => report !== 'ok')
  }

  /** Erases deleted data from the file and its log, and frees the space. */
  maintain(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#closed) throw createStorageClosedError()
      const hasIndex = this.#run(this.tableQuery, ['interlingua_search']).length > 0
      const statements = [
        `pragma busy_timeout = ${Math.min(this.#busyTimeoutMs, 2 ** 31 - 1)}`,
        'pragma secure_delete = on',
        ...(hasIndex ? [OPTIMIZE_SEARCH_INDEX] : []),
        'vacuum',
        'pragma wal_checkpoint(truncate)',
      ]
      try {
        const [result] =
          this.#file === undefined
            ? statements
                .slice(1)
                .map((text) => this.#database.prepare(text).all()[0] as SqlRow)
                .slice(-1)
            : await runInSqliteWorker(this.#file, statements)
        if (Number(result?.['busy'] ?? 0) !== 0) throw new Error('database is locked')
      } catch (error) {
        throw convertSqliteError(error)
      }
    })
  }

  close(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#closed) return
      this.#closed = true
      this.#prepared.clear()
      // Moves the write-ahead log into the file, in case the driver cannot finalize its statements on close.
      // The data is durable in the log, too.
      this.#tryExec('pragma wal_checkpoint(truncate)')
      this.#database.close()
      if (!isBuiltInUsed && this.#file !== undefined) await finalizeStatements()
    })
  }
}

/**
 * Collects garbage. The package cannot finalize a prepared statement, and SQLite keeps the files of a closed database
 * open until its last statement is collected: a file could not be deleted on Windows, and its space would not be freed.
 */
async function finalizeStatements(): Promise<void> {
  await setImmediate() // the statements may still be on the stack
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  setFlagsFromString('--no-expose-gc')
  await setImmediate() // finalizers run after the collection
}

/** Tests whether another connection holds a lock on the database. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /database is locked|SQLITE_BUSY/.test(error.message)
}

/** Patterns of SQLite messages; not every error of every driver has a code. */
const DAMAGED_PATTERN = /malformed|not a database/
const UNUSABLE_PATTERN = /is full|readonly database|unable to open|I\/O error|permission/

/** Converts a SQLite error into a storage error; returns any other error unchanged. */
export function convertSqliteError(error: unknown, path?: string): unknown {
  if (!(error instanceof Error) || error instanceof InterlinguaError) return error
  if (isBusy(error)) {
    const hint = 'Try again, or set a longer `busyTimeoutMs`.'
    return createConflictError('The database is locked by another process', hint, {
      retryable: true,
      cause: error,
    })
  }
  if (/no such module: fts5/.test(error.message)) return createMissingFts5Error(error)
  if (DAMAGED_PATTERN.test(error.message))
    return createDamagedDataError('The file is damaged or not a SQLite database', error)
  return UNUSABLE_PATTERN.test(error.message) ? createUnusableFileError(error, path) : error
}
