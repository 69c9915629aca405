import { Worker } from 'node:worker_threads'
import type { SqlRow, SqlValue } from '../sql/sql-driver.ts'

/**
 * Runs in the worker. A `run` job has a connection of its own, which is closed also if a statement fails. The connection
 * of an `open` job is that of the `query` jobs after it, which fail once one of them has failed.
 */
const WORKER_CODE = `
const { parentPort } = require('node:worker_threads')
const toPlainRows = (rows) => rows.map((row) => ({ ...row }))
function connect({ module, file }) {
  const { DatabaseSync } = require(module ?? 'node:sqlite')
  return new DatabaseSync(file)
}
let connection
let failure
const prepared = new Map()
const jobs = {
  run({ statements, query, ...file }) {
    const database = connect(file)
    try {
      for (const text of statements) database.exec(text)
      return query === undefined ? [] : toPlainRows(database.prepare(query).all())
    } finally {
      database.close()
    }
  },
  open({ statements, ...file }) {
    connection = connect(file)
    for (const text of statements) connection.exec(text)
    return []
  },
  query({ text, values }) {
    // If the disk is full, SQLite has rolled back: later statements would take effect on their own.
    if (failure !== undefined) throw failure
    try {
      if (!prepared.has(text)) {
        if (prepared.size >= 100) prepared.clear()
        prepared.set(text, connection.prepare(text))
      }
      return toPlainRows(prepared.get(text).all(...values))
    } catch (error) {
      failure = error
      throw error
    }
  },
}
parentPort.on('message', ({ kind, ...job }) => {
  try {
    parentPort.postMessage({ rows: jobs[kind](job) })
  } catch (error) {
    parentPort.postMessage({ error: error.message })
  }
})
`

/** A SQLite file, and how a worker opens it. */
export interface SqliteFile {
  readonly file: string
  /** Path of the package that opens it; undefined for the SQLite of Node. */
  readonly module: string | undefined
}

interface Job {
  resolve(rows: readonly SqlRow[]): void
  reject(error: Error): void
}

/**
 * A thread that runs the statements of databases one job after the other. It starts with the first job, and does not
 * keep the process from ending once its jobs are done.
 */
export class SqliteThread {
  readonly #jobs: Job[] = []
  #worker: Worker | undefined

  /**
   * Runs statements on a new connection, and returns the rows of a query after them. After a query, the connection may
   * stay open until the thread ends: the package cannot finalize a prepared statement.
   */
  run(file: SqliteFile, statements: readonly string[], query?: string): Promise<readonly SqlRow[]> {
    return this.#post({ kind: 'run', ...file, statements, query })
  }

  /** Opens the connection of {@link query}, which stays open until the thread ends, and runs statements on it. */
  async open(file: SqliteFile, statements: readonly string[]): Promise<void> {
    await this.#post({ kind: 'open', ...file, statements })
  }

  /** Runs a statement on the open connection. Statements run in the order of the calls. */
  query(text: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    return this.#post({ kind: 'query', text, values })
  }

  #post(job: Readonly<Record<string, unknown>>): Promise<readonly SqlRow[]> {
    return new Promise((resolve, reject) => {
      const worker = (this.#worker ??= this.#start())
      worker.ref()
      this.#jobs.push({ resolve, reject })
      worker.postMessage(job)
    })
  }

  #start(): Worker {
    const worker = new Worker(WORKER_CODE, { eval: true })
    worker.on('message', (result: { readonly rows?: readonly SqlRow[]; readonly error?: string }) => {
      const job = this.#jobs.shift()
      if (this.#jobs.length === 0) worker.unref()
      if (result.rows === undefined) job?.reject(new Error(result.error))
      else job?.resolve(result.rows)
    })
    const fail = (error: Error): void => {
      if (this.#worker === worker) this.#worker = undefined
      for (const job of this.#jobs.splice(0)) job.reject(error)
    }
    worker.once('error', fail)
    worker.once('exit', () => fail(new Error('the worker ended without a result')))
    return worker
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }
}

/**
 * Runs statements in a thread of their own, and returns the rows of a query after them. For statements that take long
 * and cannot be divided: this thread does other work in the meantime.
 */
export async function runInSqliteWorker(
  file: SqliteFile,
  statements: readonly string[],
  query: string,
): Promise<readonly SqlRow[]> {
  const thread = new SqliteThread()
  try {
    return await thread.run(file, statements, query)
  } finally {
    await thread.close()
  }
}
