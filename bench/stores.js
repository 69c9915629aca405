// @ts-check
// The cost of a long history: append and fork in a session of 100,000 messages compared with a short one, on disk.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { user } from 'interlingua'
import { postgresStorage } from 'interlingua/stores/postgres'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { startPostgres } from '../scripts/start-postgres.js'

/** @typedef {import('interlingua/stores').ConversationStorage} Storage */
/** @typedef {import('./messages.js').Benchmark} Benchmark */

const LONG = 100_000
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

/** Fills the databases; `close` removes them. */
export async function stores() {
  const folder = await mkdtemp(join(tmpdir(), 'interlingua-bench-'))
  const server = await startPostgres({ durable: true })
  const sqlite = await sqliteStorage(join(folder, 'bench.db'))
  const postgres = await postgresStorage(server.url)
  return {
    rows: [...(await rowsOf('SQLite', sqlite)), ...(await rowsOf('PostgreSQL', postgres))],
    close: async () => {
      await sqlite.close()
      await postgres.close()
      await server.stop()
      await rm(folder, { recursive: true })
    },
  }
}
