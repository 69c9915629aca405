import { Worker } from 'node:worker_threads'
import type { SqlRow } from '../sql/sql-driver.ts'

/** Runs in the worker. Its connection is closed with the thread, also if a statement fails. */
const WORKER_CODE = `
const { parentPort, workerData } = require('node:worker_threads')
function run({ module, file, statements }) {
  const { DatabaseSync } = require(module ?? 'node:sqlite')
  const database = new DatabaseSync(file)
  let rows = []
  for (const text of statements) rows = database.prepare(text).all()
  database.close()
  return rows.map((row) => ({ ...row }))
}
try {
  parentPort.postMessage({ rows: run(workerData) })
} catch (error) {
  parentPort.postMessage({ error: error.message })
}
`

/** A SQLite file, and how a worker opens it. */
export interface SqliteFile {
  readonly file: string
  /** Path of the package that opens it; undefined for the SQLite of Node. */
  readonly module: string | undefined
}

/**
 * Runs statements in a thread of their own, on a connection of their own, and returns the rows of the last one. For
 * statements that take long and cannot be divided: this thread does other work in the meantime.
 */
export function runInSqliteWorker(
  { file, module }: SqliteFile,
  statements: readonly string[],
): Promise<readonly SqlRow[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER_CODE, { eval: true, workerData: { file, module, statements } })
    worker.once('message', (result: { readonly rows?: readonly SqlRow[]; readonly error?: string }) => {
      if (result.rows === undefined) reject(new Error(result.error))
      else resolve(result.rows)
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the worker ended without a result')))
  })
}
