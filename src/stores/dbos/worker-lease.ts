import { PostgresDriver } from '../postgres/postgres-driver.ts'
import type { SqlExecutor } from '../sql/sql-driver.ts'

export interface WorkerLeaseOptions {
  readonly url: string
  /** Id of the worker that renews the lease. */
  readonly workerId: string
  /** Milliseconds without renewal after which a worker counts as dead. */
  readonly durationMs: number
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

/** Claims expired workers for the duration of a lease, to take over their runs. */
const CLAIM_SQL = `update interlingua_workers set expires_at = now() + ? * interval '1 millisecond'
  where id in (select id from interlingua_workers where expires_at < now() and id <> ? for update skip locked)
  returning id`

const EXPIRE_SQL = `update interlingua_workers set expires_at = now() where id = ?`
const DELETE_SQL = 'delete from interlingua_workers where id = ?'

/** The lease of a worker: a row that it renews. Workers take over others whose row has expired. */
export class WorkerLease {
  readonly #options: WorkerLeaseOptions
  readonly #driver: PostgresDriver
  #timer: NodeJS.Timeout | undefined
  #heartbeat: Promise<void> = Promise.resolve()
  #isReleased = false

  private constructor(options: WorkerLeaseOptions, driver: PostgresDriver) {
    this.#options = options
    this.#driver = driver
  }

  static async acquire(options: WorkerLeaseOptions): Promise<WorkerLease> {
    const driver = await PostgresDriver.open(options.url, { connections: 2 })
    const lease = new WorkerLease(options, driver)
    await driver.migrate(async (sql) => {
      await sql(CREATE_TABLE_SQL)
      await lease.#renew(sql)
    })
    lease.#scheduleHeartbeat()
    return lease
  }

  /** Schedules the next heartbeat; three fit in one lease. */
  #scheduleHeartbeat(): void {
    if (this.#isReleased) return
    this.#timer = setTimeout(() => {
      this.#heartbeat = this.#renewAndTakeOver()
        .catch(this.#options.onError)
        .then(() => this.#scheduleHeartbeat())
    }, this.#options.durationMs / 3)
  }

  async #renewAndTakeOver(): Promise<void> {
    const { workerId, durationMs, takeOver } = this.#options
    await this.#driver.write((sql) => this.#renew(sql))
    const dead = await this.#driver.write((sql) => sql(CLAIM_SQL, [durationMs, workerId]))
    for (const { id } of dead) {
      await takeOver(String(id))
      await this.#driver.write((sql) => sql(DELETE_SQL, [String(id)]))
    }
  }

  async #renew(sql: SqlExecutor): Promise<void> {
    await sql(RENEW_SQL, [this.#options.workerId, this.#options.durationMs])
  }

  /** Stops the worker. If it has unfinished runs, its row expires at once so that they are taken over. */
  async release(end: () => Promise<void>, unfinished: boolean): Promise<void> {
    this.#isReleased = true
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
