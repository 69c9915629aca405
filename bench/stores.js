// @ts-check
// The cost of a long history: append and fork in a session of 100,000 messages compared with a short one, on disk. The cost
// of the library: an append compared with a bare insert, and loading compared with a select and JSON.parse.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toJson, user } from 'interlingua'
import pg from 'pg'
import { postgresStorage } from 'interlingua/stores/postgres'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { startPostgres } from '../scripts/start-postgres.js'

/** @typedef {import('interlingua/stores').ConversationStorage} Storage */
/** @typedef {import('./measure.js').Benchmark} Benchmark */

const LONG = 100_000
const SEARCHED = 50_000
const BATCH = 5_000
/** Appends per measurement; a single one varies too much with the disk. */
const TIMES = 10

/**
 * @param {Storage} storage
 * @param {number} size
 */
async function sessionOf(storage, size) {
  const { id } = await storage.createSession()
  for (let start = 0; start < size; start += BATCH) {
    const count = Math.min(BATCH, size - start)
    await storage.append(
      id,
      Array.from({ length: count }, (_, index) => user(`Message ${start + index}`)),
    )
  }
  return id
}

/**
 * @param {Storage} storage
 * @param {string} id
 */
async function append(storage, id) {
  let added = 0
  for (let count = 0; count < TIMES; count++) added += (await storage.append(id, 'One more')).added.length
  return added
}

/**
 * @param {Storage} storage
 * @param {string} id
 */
async function fork(storage, id) {
  const { sections } = await storage.fork(id)
  return sections.length
}

/**
 * @param {string} name
 * @param {Storage} storage
 * @returns {Promise<readonly Benchmark[]>}
 */
async function rowsOf(name, storage) {
  const long = await sessionOf(storage, LONG)
  const short = await sessionOf(storage, 100)
  const tiny = await sessionOf(storage, 10)
  const label = LONG.toLocaleString('en')
  return [
    {
      name: `${name}: append at ${label} messages, against 100`,
      target: 2,
      ours: () => append(storage, long),
      plain: () => append(storage, short),
    },
    {
      name: `${name}: fork of ${label} messages, against 10`,
      target: 3,
      ours: () => fork(storage, long),
      plain: () => fork(storage, tiny),
    },
  ]
}

/** The text that an append stores of a message, for a bare insert. */
const BODY = JSON.stringify(toJson({ ...user('One more'), parentId: user('').id }))
const CREATE_BARE = 'create table bare (key text primary key, session text, body text)'

let bareKeys = 0

/** Waiting times of this thread, on Linux: nanoseconds on a processor and nanoseconds of waiting for one. */
const SCHEDULER_FILE = '/proc/thread-self/schedstat'

/**
 * Returns the clock without the time in which other programs had the processor. A durable write mostly waits for the disk
 * or the server, which processor time does not contain.
 */
function readElapsedMs() {
  if (!existsSync(SCHEDULER_FILE)) return performance.now()
  return performance.now() - Number(readFileSync(SCHEDULER_FILE, 'utf8').split(' ')[1]) / 1e6
}

const DURABLE = { target: 1.5, readOursMs: readElapsedMs, readPlainMs: readElapsedMs }

/**
 * @param {(values: string[]) => unknown} insert
 * @returns {() => Promise<number>}
 */
const bareInserts = (insert) => async () => {
  for (let count = 0; count < TIMES; count++) await insert([`k${++bareKeys}`, 's', BODY])
  return TIMES
}

/**
 * @param {Storage} sqlite
 * @param {string} file
 * @param {Storage} postgres
 * @param {import('pg').Pool} pool
 * @returns {Promise<readonly Benchmark[]>}
 */
async function overheadRows(sqlite, file, postgres, pool) {
  const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite')
  const database = new DatabaseSync(file)
  database.exec('pragma synchronous = full')
  database.exec(CREATE_BARE)
  await pool.query(CREATE_BARE)
  const insert = database.prepare('insert into bare values (?, ?, ?)')
  const [inSqlite, inPostgres, loaded] = [
    await sessionOf(sqlite, 100),
    await sessionOf(postgres, 100),
    await sessionOf(sqlite, 1_000),
  ]
  // The key in a subquery: SQLite runs a join of the two tables as a scan of all messages.
  const select = `select body from interlingua_messages where session =
    (select key from interlingua_sessions where tenant = 'default' and id = ?) order by depth`
  return [
    {
      name: 'SQLite: durable append, against an insert',
      ...DURABLE,
      ours: () => append(sqlite, inSqlite),
      plain: bareInserts((values) => insert.run(...values)),
    },
    {
      name: 'PostgreSQL: durable append, against an insert',
      ...DURABLE,
      ours: () => append(postgres, inPostgres),
      plain: bareInserts((values) => pool.query('insert into bare values ($1, $2, $3)', values)),
    },
    {
      name: 'SQLite: load 1,000 messages, against select and parse',
      target: 3,
      ours: async () => (await sqlite.messages(loaded)).size,
      // A statement does not keep its database open.
      plain: async () =>
        database
          .prepare(select)
          .all(loaded)
          .map((/** @type {{ body: string }} */ { body }) => JSON.parse(body)).length,
    },
  ]
}

/**
 * The index of searches: what it adds to an append, and how the cost of a search grows with the store.
 *
 * @param {string} name
 * @param {Storage} indexed
 * @param {Storage} plain
 * @returns {Promise<readonly Benchmark[]>}
 */
async function searchRows(name, indexed, plain) {
  const [withIndex, without] = [await sessionOf(indexed, 1_000), await sessionOf(plain, 1_000)]
  const large = indexed.forTenant('large')
  for (let count = 0; count < 10; count++) await sessionOf(large, SEARCHED / 10)
  const small = indexed.forTenant('small')
  await sessionOf(small, 1_000)
  const label = SEARCHED.toLocaleString('en')
  /** @type {(storage: Storage, query: string) => () => Promise<number>} */
  const search = (storage, query) => async () => Math.min((await storage.search({ query })).hits.length, 1)
  return [
    {
      name: `${name}: append with an index of searches, against without`,
      ours: () => append(indexed, withIndex),
      plain: () => append(plain, without),
    },
    ...['message', '777', 'mess*'].map((query) => ({
      name: `${name}: search ${query} in ${label} messages, against 1,000`,
      ours: search(large, query),
      plain: search(small, query),
    })),
  ]
}

/** Fills the databases; `close` removes them. */
export async function stores() {
  const folder = await mkdtemp(join(tmpdir(), 'interlingua-bench-'))
  const server = await startPostgres({ durable: true })
  const file = join(folder, 'bench.db')
  const sqlite = await sqliteStorage(file)
  const postgres = await postgresStorage(server.url)
  const pool = new pg.Pool({ connectionString: server.url })
  const indexedSqlite = await sqliteStorage(join(folder, 'indexed.db'), { search: true })
  // Storages that are open do not notice the index.
  const indexedPostgres = await postgresStorage(server.url, { search: true })
  return {
    rows: [
      ...(await searchRows('SQLite', indexedSqlite, sqlite)),
      ...(await searchRows('PostgreSQL', indexedPostgres, postgres)),
      ...(await overheadRows(sqlite, file, postgres, pool)),
      ...(await rowsOf('SQLite', sqlite)),
      ...(await rowsOf('PostgreSQL', postgres)),
    ],
    close: async () => {
      await pool.end()
      await sqlite.close()
      await indexedSqlite.close()
      await indexedPostgres.close()
      await postgres.close()
      await server.stop()
      await rm(folder, { recursive: true })
    },
  }
}
