import { setImmediate, setTimeout } from 'node:timers/promises'
import { isTurnLong } from '../event-loop-turns.ts'
import { createStorageClosedError } from '../storage-errors.ts'
import { SerialQueue } from '../write-queues.ts'
import type { SqlExecutor, SqlDriver, SqlRow, SqlStatement, SqlValue } from '../sql/sql-driver.ts'
import type { SqlSearchIndex } from '../sql/sql-search-index.ts'
import { finalizeStatements, isSafeVersion, type SqliteDatabase } from './sqlite-database.ts'
import { convertSqliteError, isBusy, isDamage } from './sqlite-errors.ts'
import { OPTIMIZE_SEARCH_INDEX, SQLITE_SEARCH_INDEX } from './sqlite-search-index.ts'
import { runInSqliteWorker, type SqliteFile } from './sqlite-worker.ts'
import { MAX_WRITE_MS, openWriteThread, writeInThread } from './write-in-worker-thread.ts'
import { type LogSize, WriteAheadLog } from './write-ahead-log.ts'

const MAX_RETRY_DELAY_MS = 15

/** Number of slices of a transaction after which its log is written to the disk; a commit writes what is left. */
const FLUSHED_EVERY = 4

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
  readonly #maxWriteMs: number
  readonly #log: WriteAheadLog | undefined
  #closed = false

  /** Creates a driver. With a `file`, long writes and maintenance run in a thread of their own. */
  constructor(
    database: SqliteDatabase,
    busyTimeoutMs: number,
    file?: SqliteFile,
    maxWriteMs: number = MAX_WRITE_MS,
  ) {
    this.#database = database
    this.#busyTimeoutMs = busyTimeoutMs
    this.#file = file
    this.#maxWriteMs = maxWriteMs
    database.exec('pragma busy_timeout = 10000')
    database.exec('pragma journal_mode = wal')
    this.#log = file && new WriteAheadLog(database, file)
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

  writeWithoutSync<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    return this.#transaction(BEGIN_WRITE, act, true)
  }

  writeInOnePiece(statements: readonly SqlStatement[]): Promise<boolean> {
    return this.#repeatWhileBusy(BEGIN_WRITE, false, () => this.#runInOnePiece(statements))
  }

  #transaction<T>(begin: string, act: (sql: SqlExecutor) => Promise<T>, isUnsynced = false): Promise<T> {
    const file = isUnsynced ? undefined : this.#file
    return this.#repeatWhileBusy(begin, isUnsynced, () => this.#attempt(begin, act, file))
  }

  /** Runs a transaction after those before it, and again while another process is writing. */
  #repeatWhileBusy<T>(begin: string, isUnsynced: boolean, attempt: () => T | Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      const end = Date.now() + this.#busyTimeoutMs
      for (;;) {
        if (isTurnLong()) await setImmediate()
        if (begin === BEGIN_WRITE && this.#log?.blockingCheckpoint !== undefined)
          await this.#log.blockingCheckpoint
        try {
          if (isUnsynced) this.#tryExec('pragma synchronous = normal')
          const result = await attempt()
          if (begin === BEGIN_WRITE) this.#log?.checkpointIfLong(() => this.#readLogSize())
          return result
        } catch (error) {
          if (!isBusy(error) || Date.now() >= end) throw convertSqliteError(error)
        } finally {
          if (isUnsynced) this.#tryExec('pragma synchronous = full')
        }
        await setTimeout(1 + Math.random() * MAX_RETRY_DELAY_MS)
      }
    })
  }

  #runInOnePiece(statements: readonly SqlStatement[]): boolean {
    if (this.#closed) throw createStorageClosedError()
    this.#run(BEGIN_WRITE)
    try {
      const isDone = statements.every(
        ({ text, values, isConditional = false }) => this.#run(text, values).length > 0 || !isConditional,
      )
      this.#run(isDone ? 'commit' : 'rollback')
      return isDone
    } catch (error) {
      // If the disk is full, SQLite has rolled back already.
      this.#tryExec('rollback')
      throw error
    }
  }

  /**
   * Runs a transaction. Throws without effect if another process is writing, so that it can be retried. A long write is
   * repeated in a thread, unless there is no `file` that one can open.
   */
  async #attempt<T>(
    begin: string,
    act: (sql: SqlExecutor) => Promise<T>,
    file: SqliteFile | undefined,
  ): Promise<T> {
    if (this.#closed) throw createStorageClosedError()
    this.#run(begin)
    const isWrite = begin === BEGIN_WRITE
    let sliceCount = 0
    let statementMs = 0
    let isTooLong = false
    let failure: { readonly error: unknown } | undefined
    /** Runs a statement before it returns: the next one may be sent without waiting. Then others have their turn. */
    const execute = async (text: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]> => {
      // If the disk is full, SQLite has rolled back: later statements would take effect on their own.
      if (failure !== undefined && isWrite) throw failure.error
      try {
        const start = performance.now()
        const rows = this.#run(text, values)
        statementMs += performance.now() - start
        isTooLong ||= isWrite && file !== undefined && statementMs > this.#maxWriteMs
        if (isTooLong) throw new Error('the transaction is repeated in a thread')
        if (!isTurnLong()) return rows
        sliceCount += 1
        if (isWrite && sliceCount % FLUSHED_EVERY === 0) await this.#log?.flush()
        await setImmediate()
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
      if (isWrite) {
        if (sliceCount >= FLUSHED_EVERY) await this.#log?.flush()
        if (isTurnLong()) await setImmediate()
        if (failure !== undefined) throw failure.error
      }
      this.#run('commit')
      return result
    } catch (error) {
      // If the disk is full, SQLite has rolled back already.
      this.#tryExec('rollback')
      if (!isTooLong || file === undefined) throw error
    }
    const thread = await openWriteThread(file, this.#busyTimeoutMs)
    return thread === undefined ? this.#attempt(begin, act, undefined) : writeInThread(thread, act)
  }

  #readLogSize(): LogSize {
    try {
      const [row] = this.#run('pragma wal_checkpoint(noop)')
      return { log: Number(row?.['log']), checkpointed: Number(row?.['checkpointed']) }
    } catch {
      return { log: 0, checkpointed: 0 } // what was written is durable in the log, too
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
      throw isDamage(error) ? convertSqliteError(error) : error
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
      ? runInSqliteWorker(this.#file, [], 'pragma integrity_check')
      : sql('pragma integrity_check'))
    const reports = rows.map((row) => String(Object.values(row)[0]))
    return reports.filter((report) => report !== 'ok')
  }

  /** Erases deleted data from the file and its log, and frees the space. */
  maintain(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#closed) throw createStorageClosedError()
      const hasIndex = this.#run(this.tableQuery, ['interlingua_search']).length > 0
      const statements = ['pragma secure_delete = on', ...(hasIndex ? [OPTIMIZE_SEARCH_INDEX] : []), 'vacuum']
      const truncate = 'pragma wal_checkpoint(truncate)'
      try {
        await this.#log?.checkpoint
        const timeoutMs = Math.min(this.#busyTimeoutMs, 2 ** 31 - 1)
        if (this.#file === undefined) for (const text of statements) this.#database.exec(text)
        const [result] =
          this.#file === undefined
            ? (this.#database.prepare(truncate).all() as SqlRow[])
            : await runInSqliteWorker(
                this.#file,
                [`pragma busy_timeout = ${timeoutMs}`, ...statements],
                truncate,
              )
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
      await this.#log?.close(this.#readLogSize())
      this.#prepared.clear()
      // Moves the write-ahead log into the file, in case the driver cannot finalize its statements on close.
      // The data is durable in the log, too.
      this.#tryExec('pragma wal_checkpoint(truncate)')
      this.#database.close()
      if (this.#file !== undefined) await finalizeStatements()
    })
  }
}
