import { PostgresDriver } from '../postgres/postgres-driver.ts'
import { sleep } from '../../wire/cancellation.ts'
import type { SqlExecutor } from '../sql/sql-driver.ts'

export interface WorkerHeartbeatOptions {
  readonly url: string
  /** Id of the worker whose row is renewed. */
  readonly workerId: string
  /** Milliseconds without renewal after which a worker counts as dead. */
  readonly durationMs: number
  /** Starts DBOS, which creates or migrates its tables; workers do so one after the other. */
  readonly launch: () => Promise<void>
  /** Returns the ids of the workers that execute unfinished runs. */
  readonly listBusyWorkers: () => Promise<readonly string[]>
  /** Takes over the runs of a dead worker. Called by one worker, and by another if that one dies, too. */
  readonly takeOver: (worker: string) => Promise<void>
  /** Called when the database cannot be reached; the next heartbeat retries. */
  readonly onError: (error: unknown) => void
}

const CREATE_TABLE_SQL = `create table if not exists interlingua_workers (
  id text primary key,
  expires_at timestamptz not null
)`

const RENEW_SQL = `insert into interlingua_workers (id, expires_at) values (?, now() + ? * interval '1 millisecond')
  on conflict (id) do update set expires_at = excluded.expires_at`

/**
 * Adds workers that have no row. A worker that was stopped for a while has none after others have taken over its runs,
 * and may have started another run before it died. One that is alive renews the row before it expires.
 */
const ADD_UNKNOWN_SQL = `insert into interlingua_workers (id, expires_at)
  select id, now() + ? * interval '1 millisecond' from jsonb_array_elements_text(cast(? as jsonb)) as busy (id)
  on conflict (id) do nothing`

/** Claims expired workers for as long as a row is valid, to take over their runs. */
const CLAIM_SQL = `update interlingua_workers set expires_at = now() + ? * interval '1 millisecond'
  where id in (select id from interlingua_workers where expires_at < now() and id <> ? for update skip locked)
  returning id, cast(expires_at as text) as claimed_until`

/** Deletes a worker whose runs were taken over, unless it is alive and has renewed its row meanwhile. */
const DELETE_CLAIMED_SQL =
  'delete from interlingua_workers where id = ? and expires_at = cast(? as timestamptz)'

const EXPIRE_SQL = `update interlingua_workers set expires_at = now() where id = ?`
const DELETE_SQL = 'delete from interlingua_workers where id = ?'

/**
 * Shows that this worker is alive: it renews its row, and takes over the runs of workers whose row has expired. Workers launch DBOS
 * one after the other.
 */
export class WorkerHeartbeat {
  readonly #options: WorkerHeartbeatOptions
  readonly #driver: PostgresDriver
  #timer: NodeJS.Timeout | undefined
  #heartbeat: Promise<void> = Promise.resolve()
  #isStopped = false

  private constructor(options: WorkerHeartbeatOptions, driver: PostgresDriver) {
    this.#options = options
    this.#driver = driver
  }

  static async start(options: WorkerHeartbeatOptions): Promise<WorkerHeartbeat> {
    const driver = await PostgresDriver.open(options.url, { connections: 2 })
    const heartbeat = new WorkerHeartbeat(options, driver)
    try {
      await heartbeat.#register().catch(async (error: unknown) => {
        if (!isMissingDatabase(error)) throw error
        // DBOS creates the database.
        await options.launch()
        await heartbeat.#register()
      })
      await launchInTurn(driver, options.launch)
      await driver.write((sql) => heartbeat.#renew(sql))
    } catch (error) {
      await driver.close()
      throw error
    }
    heartbeat.#scheduleHeartbeat()
    return heartbeat
  }

  /** Schedules the next heartbeat; three fit in the validity of a row. */
  #scheduleHeartbeat(): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      this.#heartbeat = this.#renewAndTakeOver()
        .catch(this.#options.onError)
        .then(() => this.#scheduleHeartbeat())
    }, this.#options.durationMs / 3)
  }

  async #renewAndTakeOver(): Promise<void> {
    const { workerId, durationMs, listBusyWorkers, takeOver } = this.#options
    await this.#driver.write((sql) => this.#renew(sql))
    const busy = await listBusyWorkers()
    await this.#driver.write((sql) => sql(ADD_UNKNOWN_SQL, [durationMs, JSON.stringify(busy)]))
    const dead = await this.#driver.write((sql) => sql(CLAIM_SQL, [durationMs, workerId]))
    for (const { id, claimed_until: claimedUntil } of dead) {
      await takeOver(String(id))
      await this.#driver.write((sql) => sql(DELETE_CLAIMED_SQL, [String(id), String(claimedUntil)]))
    }
  }

  /** Stores the row before DBOS starts runs: they are taken over if the worker dies meanwhile. */
  async #register(): Promise<void> {
    await this.#driver.migrate(async (sql) => {
      await sql(CREATE_TABLE_SQL)
      await this.#renew(sql)
    })
  }

  async #renew(sql: SqlExecutor): Promise<void> {
    await sql(RENEW_SQL, [this.#options.workerId, this.#options.durationMs])
  }

  /** Stops the worker. If it has unfinished runs, its row expires at once so that they are taken over. */
  async stop(end: () => Promise<void>, unfinished: boolean): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#heartbeat
    try {
      await end()
      await this.#driver.write((sql) => sql(unfinished ? EXPIRE_SQL : DELETE_SQL, [this.#options.workerId]))
    } finally {
      await this.#driver.close()
    }
  }
}

/** SQLSTATE of a database that does not exist. */
const MISSING_DATABASE_CODE = '3D000'

function isMissingDatabase(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === MISSING_DATABASE_CODE
}

/** Id of the row that the worker holds while it launches DBOS. It expires, in case the worker dies meanwhile. */
const LAUNCH_ROW = '~launch'
const LAUNCH_MS = 60_000
const LAUNCH_RETRY_MS = 50

const LOCK_LAUNCH_SQL = `insert into interlingua_workers (id, expires_at) values (?, now() + ? * interval '1 millisecond')
  on conflict (id) do update set expires_at = excluded.expires_at where interlingua_workers.expires_at < now()
  returning id`

/**
 * Launches DBOS while no other worker does, because its migrations fail if several processes run them at once. A row is
 * the lock: an open transaction would block the concurrent index builds of the migrations.
 */
async function launchInTurn(driver: PostgresDriver, launch: () => Promise<void>): Promise<void> {
  for (;;) {
    const locked = await driver.write((sql) => sql(LOCK_LAUNCH_SQL, [LAUNCH_ROW, LAUNCH_MS]))
    if (locked.length > 0) break
    await sleep(LAUNCH_RETRY_MS)
  }
  try {
    await launch()
  } finally {
    await driver.write((sql) => sql(DELETE_SQL, [LAUNCH_ROW]))
  }
}
