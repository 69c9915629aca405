import { setTimeout } from 'node:timers/promises'
import { checkMethods } from '../../wire/check-methods.ts'
import { checkCount, checkServerUrl, checkTimeout } from '../check-arguments.ts'
import { createStorageClosedError } from '../storage-errors.ts'
import { POSTGRES_SEARCH_INDEX } from './postgres-search-index.ts'
import type { SqlDriver, SqlExecutor, SqlSingleWrite } from '../sql/sql-driver.ts'
import type { SqlSearchIndex } from '../sql/sql-search-index.ts'
import { convertPostgresError, findPostgresErrorRule, toConnectionError } from './postgres-errors.ts'
import { openPostgresPool, type PostgresPool } from './postgres-pool.ts'
import { PostgresTransactionExecutor } from './postgres-transaction-executor.ts'
import { SessionWriteQueue } from '../write-queues.ts'

/** Limits of the statements of a {@link PostgresDriver}, in milliseconds. `Infinity` disables one. */
interface PostgresTimeouts {
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
}

/** Options of a {@link PostgresDriver}. */
interface PostgresDriverOptions extends PostgresTimeouts {
  readonly connections: number
  readonly connectTimeoutMs: number
  readonly preparedStatements: boolean
}

/** What `pg` connects to: a server, or the folder of a socket. */
const URL_PATTERN = /^(postgres|postgresql|socket):|^\//i

const DEFAULT_OPTIONS: PostgresDriverOptions = {
  connections: 10,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 10_000,
  preparedStatements: true,
}

const READ = 'isolation level repeatable read read only'
/** Ensures durability whatever the server's default is. */
const WRITE = 'isolation level read committed; set local synchronous_commit to on'

/** Number of attempts of a transaction that the server aborted because of a conflict, and the delay between them. */
const MAX_ATTEMPTS = 5
const RETRY_DELAY_MS = 20

/**
 * How long a transaction holds a connection while it waits for a lock. It then gives the connection back and waits
 * for the rest of the lock timeout without one, in several attempts.
 */
const LOCK_WAIT_MS = 250

/** How long the client waits for an answer, as a multiple of the server's limit: the server may be unreachable. */
const ANSWER_TIMEOUT_FACTOR = 2

/** Advisory lock id of migrations. Arbitrary, but must never change. */
const MIGRATION_LOCK = 7_461_208

/** A PostgreSQL database, or a compatible one. */
export class PostgresDriver implements SqlDriver {
  readonly backend: string = 'postgresql'
  readonly textType: string = 'text collate "C"'
  readonly bytesType: string = 'bytea'
  readonly rowLockClause: string = ' for update'
  readonly combinesWrites: boolean = true
  readonly clockExpression: string = 'extract(epoch from clock_timestamp()) * 1000'
  readonly tableQuery: string = 'select relname from pg_class where oid = to_regclass(?)'
  readonly search: SqlSearchIndex = POSTGRES_SEARCH_INDEX
  readonly singleWrite: SqlSingleWrite
  readonly #pool: PostgresPool
  readonly #isPoolOwned: boolean
  readonly #limits: PostgresDriverOptions
  readonly #writers = new SessionWriteQueue(isLockTimeout)
  #closed = false

  private constructor(pool: PostgresPool, isPoolOwned: boolean, limits: PostgresDriverOptions) {
    this.#pool = pool
    this.#isPoolOwned = isPoolOwned
    this.#limits = limits
    const lockWaitMs = toServerTimeout(Math.min(limits.lockTimeoutMs, LOCK_WAIT_MS))
    this.singleWrite = {
      settingsQuery: `select set_config('synchronous_commit', 'on', true), set_config('lock_timeout', '${lockWaitMs}', true)`,
      run: (text, values, session) =>
        this.#queueWrite(session, async (connection) => {
          const result = connection.send(text, values)
          await connection.finish()
          return result
        }),
    }
  }

  /** Creates a driver on a pool, or on a new pool for a URL, which `close` ends. */
  static async open(
    urlOrPool: string | PostgresPool,
    options: Partial<PostgresDriverOptions> = {},
  ): Promise<PostgresDriver> {
    const limits = { ...DEFAULT_OPTIONS, ...options }
    checkCount(limits.connections, 'connections')
    for (const name of ['connectTimeoutMs', 'statementTimeoutMs', 'lockTimeoutMs'] as const)
      checkTimeout(limits[name], name)
    const isPoolOwned = typeof urlOrPool !== 'object' || urlOrPool === null
    if (isPoolOwned) checkServerUrl(urlOrPool, URL_PATTERN, 'postgres://user@host/database')
    else checkMethods(urlOrPool, 'pool', 'a pool of the package pg', ['connect', 'end'])
    const pool = isPoolOwned ? await openPostgresPool(urlOrPool, limits) : urlOrPool
    return new PostgresDriver(pool, isPoolOwned, limits)
  }

  /** Runs without a statement timeout: an index of a large table takes long. */
  migrate<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    const timeouts = { ...this.#limits, statementTimeoutMs: Infinity }
    return this.#convertErrors(() =>
      this.#repeat(timeouts, Date.now() + timeouts.lockTimeoutMs, (connection) =>
        inTransaction(connection, WRITE, timeouts, async (sql) => {
          await sql('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
          return act(sql)
        }),
      ),
    )
  }

  read<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    const deadline = Date.now() + this.#limits.lockTimeoutMs
    return this.#convertErrors(() =>
      this.#repeat(this.#limits, deadline, (connection) =>
        inTransaction(connection, READ, this.#limits, act),
      ),
    )
  }

  write<T>(act: (sql: SqlExecutor) => Promise<T>, session?: string): Promise<T> {
    return this.#queueWrite(session, (connection) => inTransaction(connection, WRITE, this.#limits, act))
  }

  /** Runs a write after the earlier ones of the same session. */
  #queueWrite<T>(
    session: string | undefined,
    act: (connection: PostgresTransactionExecutor) => Promise<T>,
  ): Promise<T> {
    const deadline = Date.now() + this.#limits.lockTimeoutMs
    const run = (): Promise<T> => this.#repeat(this.#limits, deadline, act)
    return this.#convertErrors(() =>
      session === undefined ? run() : this.#writers.run(session, deadline, run),
    )
  }

  async #convertErrors<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      throw convertPostgresError(error)
    }
  }

  /** Runs a transaction, again if the server aborted it for another one's sake, or until the lock timeout. */
  async #repeat<T>(
    timeouts: PostgresTimeouts,
    deadline: number,
    act: (connection: PostgresTransactionExecutor) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#withConnection(timeouts, act)
      } catch (error) {
        if (findPostgresErrorRule(error)?.repeat === undefined) throw error
        if (isLockTimeout(error) ? Date.now() >= deadline : attempt === MAX_ATTEMPTS) throw error
      }
      await setTimeout(Math.random() * RETRY_DELAY_MS * Math.min(attempt, MAX_ATTEMPTS))
    }
  }

  async #withConnection<T>(
    { statementTimeoutMs }: PostgresTimeouts,
    act: (connection: PostgresTransactionExecutor) => Promise<T>,
  ): Promise<T> {
    if (this.#closed) throw createStorageClosedError()
    const connection = await this.#connect(statementTimeoutMs * ANSWER_TIMEOUT_FACTOR)
    try {
      return await act(connection)
    } catch (error) {
      throw await connection.rollBack(error)
    } finally {
      connection.release()
    }
  }

  async #connect(answerTimeoutMs: number): Promise<PostgresTransactionExecutor> {
    try {
      const { preparedStatements } = this.#limits
      return new PostgresTransactionExecutor(await this.#pool.connect(), {
        answerTimeoutMs,
        preparedStatements,
      })
    } catch (error) {
      throw toConnectionError(error)
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    if (this.#isPoolOwned) await this.#pool.end()
  }
}

/** Runs the statements of `act` in a transaction. */
async function inTransaction<T>(
  connection: PostgresTransactionExecutor,
  mode: string,
  { statementTimeoutMs, lockTimeoutMs }: PostgresTimeouts,
  act: (sql: SqlExecutor) => Promise<T>,
): Promise<T> {
  void connection.send(
    `begin ${mode}; set local statement_timeout to ${toServerTimeout(statementTimeoutMs)}; ` +
      `set local lock_timeout to ${toServerTimeout(Math.min(lockTimeoutMs, LOCK_WAIT_MS))}; ` +
      `set local idle_in_transaction_session_timeout to ${toServerTimeout(statementTimeoutMs)}; ` +
      'set local enable_seqscan to off',
  )
  const result = await act((text, values = []) => connection.send(text, values))
  void connection.send('commit')
  await connection.finish()
  return result
}

/** Returns a timeout as the server expects it: 0 disables it. */
function toServerTimeout(milliseconds: number): number {
  return Number.isFinite(milliseconds) ? milliseconds : 0
}

function isLockTimeout(error: unknown): error is Error {
  return findPostgresErrorRule(error)?.repeat === 'until-lock-timeout'
}
