import { openPool, PostgresDriver } from '../postgres/driver.ts'
import type { Sql } from '../sql/driver.ts'

export interface LeaseOptions {
  readonly url: string
  /** The worker that lives as long as it renews. */
  readonly worker: string
  /** Milliseconds without a sign after which a worker counts as dead. */
  readonly duration: number
  /** Takes over what a dead worker has left. Called by one of those who live, and by another if that one dies over it. */
  readonly takeOver: (worker: string) => Promise<void>
  /** Told when the database could not be reached; the next beat tries again. */
  readonly onError: (error: unknown) => void
}

const TABLE = `create table if not exists interlingua_workers (
  id text primary key,
  expires_at timestamptz not null
)`

const RENEW = `insert into interlingua_workers (id, expires_at) values (?, now() + ? * interval '1 millisecond')
  on conflict (id) do update set expires_at = excluded.expires_at`

/** A worker that is dead is given to one who lives for the length of a lease, to take over what it has left. */
const CLAIM = `update interlingua_workers set expires_at = now() + ? * interval '1 millisecond'
  where id in (select id from interlingua_workers where expires_at < now() and id <> ? for update skip locked)
  returning id`

const EXPIRE = `update interlingua_workers set expires_at = now() where id = ?`
const FORGET = 'delete from interlingua_workers where id = ?'

/** A table of who lives: each worker renews its row, and looks for those that did not. */
export class Lease {
  readonly #options: LeaseOptions
  readonly #driver: PostgresDriver
  #timer: NodeJS.Timeout | undefined
  #beat: Promise<void> = Promise.resolve()
  #ended = false

  private constructor(options: LeaseOptions, driver: PostgresDriver) {
    this.#options = options
    this.#driver = driver
  }

  static async take(options: LeaseOptions): Promise<Lease> {
    const driver = new PostgresDriver(await openPool(options.url, 2), true)
    const lease = new Lease(options, driver)
    await driver.write(async (sql) => {
      await driver.guard(sql)
      await sql(TABLE)
      await lease.#renew(sql)
    })
    lease.#next()
    return lease
  }

  /** Beats three times within a lease, one after the other. */
  #next(): void {
    if (this.#ended) return
    this.#timer = setTimeout(() => {
      this.#beat = this.#work()
        .catch(this.#options.onError)
        .then(() => this.#next())
    }, this.#options.duration / 3)
  }

  async #work(): Promise<void> {
    const { worker, duration, takeOver } = this.#options
    await this.#driver.write((sql) => this.#renew(sql))
    const dead = await this.#driver.write((sql) => sql(CLAIM, [duration, worker]))
    for (const { id } of dead) {
      await takeOver(String(id))
      await this.#driver.write((sql) => sql(FORGET, [String(id)]))
    }
  }

  async #renew(sql: Sql): Promise<void> {
    await sql(RENEW, [this.#options.worker, this.#options.duration])
  }

  /** Leaves in order once the work has ended. Where something is left to take over, the worker counts as dead from then on. */
  async release(end: () => Promise<void>, unfinished: boolean): Promise<void> {
    this.#ended = true
    clearTimeout(this.#timer)
    await this.#beat
    try {
      await end()
      await this.#driver.write((sql) => sql(unfinished ? EXPIRE : FORGET, [this.#options.worker]))
    } finally {
      await this.#driver.close()
    }
  }
}
