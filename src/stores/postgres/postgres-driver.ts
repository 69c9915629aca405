import { setTimeout } from 'node:timers/promises'
import {
  createStorageClosedError,
  createConflictError,
  createUnavailableError,
  createUnusableFileError,
} from '../storage-errors.ts'
import { loadOptionalPackage } from '../../wire/optional-package.ts'
import type { SqlExecutor, SqlDriver, SqlRow } from '../sql/sql-driver.ts'

/** The part of a `pg` client that is used. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>
  release(error?: boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

/** The part of a `pg` pool that is used; any compatible object works. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  end(): Promise<void>
}

/** Creates a pool; `pg` is loaded only when needed. */
export async function openPostgresPool(url: string, size: number): Promise<PostgresPool> {
  const { default: pg } = await loadOptionalPackage('pg', () => import('pg'))
  const pool = new pg.Pool({ connectionString: url, max: size })
  // A broken idle connection is replaced. A broken active one rejects its query.
  pool.on('error', () => undefined)
  return pool
}

const BEGIN_READ = 'begin isolation level repeatable read read only'
/** Ensures durability whatever the server's default is. */
const BEGIN_WRITE = 'begin isolation level read committed; set local synchronous_commit to on'

/** Number of attempts of a write that the server aborted because of a conflict, and the delay between them. */
const MAX_ATTEMPTS = 5
const RETRY_DELAY_MS = 20

/** Advisory lock id of migrations. Arbitrary, but must never change. */
const MIGRATION_LOCK = 7_461_208

/** A PostgreSQL database, or a compatible one. */
export class PostgresDriver implements SqlDriver {
  readonly textType: string = 'text collate "C"'
  readonly rowLockClause: string = ' for update'
  readonly clockExpression: string = 'extract(epoch from clock_timestamp()) * 1000'
  readonly #pool: PostgresPool
  readonly #isPoolOwned: boolean
  #closed = false

  constructor(pool: PostgresPool, owned: boolean) {
    this.#pool = pool
    this.#isPoolOwned = owned
  }

  async lockMigrations(sql: SqlExecutor): Promise<void> {
    await sql('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
  }

  read<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    return this.#transaction(BEGIN_READ, act)
  }

  /** Retries after a deadlock, for which the server aborts one of the transactions. */
  async write<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transaction(BEGIN_WRITE, act)
      } catch (error) {
        if (!hasCode(error, CONFLICT_CODES)) throw error
        const message = 'Gave up after repeated write conflicts on this session'
        if (attempt === MAX_ATTEMPTS)
          throw createConflictError(message, 'Try again.', { retryable: true, cause: error })
      }
      await setTimeout(Math.random() * RETRY_DELAY_MS * attempt)
    }
  }

  async #transaction<T>(begin: string, act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    if (this.#closed) throw createStorageClosedError()
    const client = await this.#connect()
    let broken = false
    // A broken connection also rejects its query. An `error` event without a listener would end the process.
    const note = (): void => void (broken = true)
    client.on('error', note)
    try {
      await client.query(begin)
      const result = await act(async (text, values = []) => {
        const { rows } = await client.query(toNumberedParameters(text), [...values])
        return rows as SqlRow[]
      })
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(note)
      if (hasCode(error, DUPLICATE_CODES)) throw duplicateRow()
      if (hasCode(error, PERMISSION_CODES)) throw createUnusableFileError(error)
      throw broken || hasCode(error, UNAVAILABLE_CODES) ? createUnavailableError(error) : error
    } finally {
      client.off('error', note)
      client.release(broken)
    }
  }

  async #connect(): Promise<PostgresClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw createUnavailableError(error)
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    if (this.#isPoolOwned) await this.#pool.end()
  }
}

/** Converts `?` to numbered parameters. No statement contains any other question mark. */
function toNumberedParameters(text: string): string {
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}

/** SQLSTATE codes, or classes of them by their first two characters. */
const DUPLICATE_CODES = ['23505']
/** Deadlock or serialization failure. */
const CONFLICT_CODES = ['40P01', '40001']
/** Out of disk space or connections, a timeout, or a shutdown. */
const UNAVAILABLE_CODES = ['08', '53', '57', '58']
/** Read-only, or permission denied. */
const PERMISSION_CODES = ['25006', '42501']

function hasCode(error: unknown, codes: readonly string[]): boolean {
  const found = error instanceof Error && 'code' in error ? String(error.code) : ''
  return found.length === 5 && codes.some((code) => found.startsWith(code))
}

function duplicateRow(): Error {
  return createConflictError(
    'Another writer has just stored a session or message with the same id',
    'Read the session again, then retry.',
  )
}
