import { openPool, PostgresDriver } from '../postgres/postgres-driver.ts'
import type { SqlExecutor } from '../sql/sql-driver.ts'

export interface WorkerLeaseOptions {
  readonly url: string
  /** The worker that lives as long as it renews. */
  readonly workerId: string
  /** Milliseconds without a sign after which a worker counts as dead. */
  readonly durationMs: number
  /** Takes over what a dead worker has left. Called by one of those who live, and by another if that one dies over it. */
  readonly takeOver: (worker: string) => Promise<void>
  /** Told when the database could not be reached; the next beat tries again. */
  readonly onError: (error: unknown) => void
}

const CREATE_TABLE_SQL = `create table if not exists interlingua_workers (
  id text primary key,
  expires_at timestamptz not null
)`

const RENEW_SQL = `insert into interlingua_workers (id, expires_at) values (?, now() + ? * interval '1 millisecond')
  on conflict (id) do update set expires_at = excluded.expires_at`

/** A worker that is dead is given to one who lives for the length of a lease, to take over what it has left. */
const CLAIM_SQL = `update interlingua_workers set expires_at = now() + ? * interval '1 millisecond'
  where id in (select id from interlingua_workers where expires_at < now() and id <> ? for update skip locked)
  returning id`

const EXPIRE_SQL = `update interlingua_workers set expires_at = now() where id = ?`
const DELETE_SQL = 'delete from interlingua_workers where id = ?'

/** A table of who lives: each worker renews its row, and looks for those that did not. */
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
    const driver = new PostgresDriver(await openPool(options.url, 2), true)
    const lease = new WorkerLease(options, driver)
    await driver.write(async (sql) => {
      await driver.lockMigrations(sql)
      await sql(CREATE_TABLE_SQL)
      await lease.#renew(sql)
    })
    lease.#scheduleHeartbeat()
    return lease
  }

  /** Beats three times within a lease, one after the other. */
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

  /** Leaves in order once the work has ended. Where something is left to take over, the worker counts as dead from then on. */
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
