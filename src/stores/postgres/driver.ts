import { setTimeout } from 'node:timers/promises'
import { InterlinguaError } from '../../errors.ts'
import { closed, conflict, unavailable, unusable } from '../failures.ts'
import { loadOptional } from '../../wire/optional.ts'
import type { Sql, SqlDriver, SqlRow } from '../sql/driver.ts'

/** The part of a `pg` client that is used. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>
  release(error?: boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

/** The part of a `pg` pool that is used: anything alike can be handed in. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  end(): Promise<void>
}

/** A pool of our own; `pg` is loaded only when it is needed. */
export async function openPool(url: string, size: number): Promise<PostgresPool> {
  const { default: pg } = await loadOptional('pg', () => import('pg'))
  const pool = new pg.Pool({ connectionString: url, max: size })
  // A connection that breaks while nobody uses it is replaced; whoever uses one is told by his query.
  pool.on('error', () => undefined)
  return pool
}

const BEGIN_READ = 'begin isolation level repeatable read read only'
/** Durable means durable, whatever the server's default is. */
const BEGIN_WRITE = 'begin isolation level read committed; set local synchronous_commit to on'

/** How often a write is tried that the server ended in favour of another, and how long it waits before, in milliseconds. */
const ATTEMPTS = 5
const RETRY = 20

/** Any number will do, as long as it is always the same. */
const MIGRATION_LOCK = 7_461_208

/** A PostgreSQL database, or one that is compatible with it. */
export class PostgresDriver implements SqlDriver {
  readonly text: string = 'text collate "C"'
  readonly lock: string = ' for update'
  readonly #pool: PostgresPool
  readonly #owned: boolean
  #closed = false

  constructor(pool: PostgresPool, owned: boolean) {
    this.#pool = pool
    this.#owned = owned
  }

  async guard(sql: Sql): Promise<void> {
    await sql('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
  }

  read<T>(act: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#transaction(BEGIN_READ, act)
  }

  /** Two who wait for each other are told apart by the server: the one that gave way begins again. */
  async write<T>(act: (sql: Sql) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transaction(BEGIN_WRITE, act)
      } catch (error) {
        if (!hasCode(error, GAVE_WAY)) throw error
        if (attempt === ATTEMPTS) throw busy(error)
      }
      await setTimeout(Math.random() * RETRY * attempt)
    }
  }

  async #transaction<T>(begin: string, act: (sql: Sql) => Promise<T>): Promise<T> {
    if (this.#closed) throw closed()
    const client = await this.#connect()
    let broken = false
    // A connection that breaks tells its query, too; told to nobody else, it would end the process.
    const note = (): void => void (broken = true)
    client.on('error', note)
    try {
      await client.query(begin)
      const result = await act(async (text, values = []) => {
        const { rows } = await client.query(numbered(text), [...values])
        return rows as SqlRow[]
      })
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(note)
      if (hasCode(error, DUPLICATE)) throw taken()
      if (hasCode(error, FORBIDDEN)) throw unusable(error)
      throw broken || hasCode(error, FOR_NOW) ? unavailable(error) : error
    } finally {
      client.off('error', note)
      client.release(broken)
    }
  }

  async #connect(): Promise<PostgresClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw unavailable(error)
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    if (this.#owned) await this.#pool.end()
  }
}

/** PostgreSQL numbers its places. No statement of ours holds a question mark that is not one. */
function numbered(text: string): string {
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}

/** What the server says by codes, or classes of them, for which the first two characters stand. */
const DUPLICATE = ['23505']
/** A deadlock, or two writes that cannot both be. */
const GAVE_WAY = ['40P01', '40001']
/** No room, no connection, no time, or it is being shut down. */
const FOR_NOW = ['08', '53', '57', '58']
/** It can only be read, or not by this user. */
const FORBIDDEN = ['25006', '42501']

function hasCode(error: unknown, codes: readonly string[]): boolean {
  const found = error instanceof Error && 'code' in error ? String(error.code) : ''
  return found.length === 5 && codes.some((code) => found.startsWith(code))
}

function busy(cause: unknown): InterlinguaError {
  return new InterlinguaError('conflict', 'Others write to the same sessions all the time', {
    hint: 'Try again.',
    retryable: true,
    cause,
  })
}

function taken(): Error {
  return conflict(
    'Somebody else has just written a session or a message of that id',
    'Read again, then try again.',
  )
}
