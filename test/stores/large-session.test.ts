import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { user } from 'interlingua'
import type { ConversationStorage } from 'interlingua/stores'
import { postgresStorage } from 'interlingua/stores/postgres'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from './postgres.ts'

const LONG = 200_000
const SHORT = 200
const BATCH = 500
const ROUNDS = 40

let folder = ''
let database: Awaited<ReturnType<typeof freshDatabase>>

/** Creates a session of a number of messages and returns the id of one in the middle. */
async function fill(storage: ConversationStorage, session: string, size: number): Promise<string> {
  await storage.createSession({ id: session })
  for (let start = 0; start < size; start += BATCH) {
    const count = Math.min(BATCH, size - start)
    const number = (index: number): number => start + index
    await storage.append(
      session,
      Array.from({ length: count }, (_, index) =>
        user(`Message ${number(index)}`, { id: `m${number(index)}` }),
      ),
    )
  }
  return `m${size / 2}`
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

/** Returns how much longer an operation takes in the long session, alternating between both. */
async function measureRatio(run: (session: 'long' | 'short') => Promise<unknown>): Promise<number> {
  const times = { long: [] as number[], short: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const session of ['long', 'short'] as const) {
      const start = performance.now()
      await run(session)
      times[session].push(performance.now() - start)
    }
  }
  return median(times.long.slice(5)) / median(times.short.slice(5))
}

/**
 * Returns the milliseconds of the longest turn of the event loop during an operation. A turn counts as long as this thread
 * can have worked: no longer than the clock, which also counts other processes, and the processor time of all threads.
 */
async function measureLongestTurn(run: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isDone = false
  const done = run().finally(() => (isDone = true))
  while (!isDone) {
    const [start, cpu] = [performance.now(), process.cpuUsage()]
    await setImmediate()
    const { user: own, system } = process.cpuUsage(cpu)
    longest = Math.max(longest, Math.min(performance.now() - start, (own + system) / 1000))
  }
  await done
  return longest
}

const backends: Readonly<Record<string, () => Promise<ConversationStorage>>> = {
  SQLite: () => sqliteStorage(join(folder, 'large.db')),
  PostgreSQL: () => postgresStorage(database.url),
}

describe.runIf(process.env['SOAK'])('a session of 200,000 messages', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'interlingua-large-'))
    database = await freshDatabase()
  })
  afterAll(async () => {
    await rm(folder, { recursive: true })
    await database.drop()
  })

  test.each(Object.entries(backends))(
    '%s: the frequent operations do not depend on its length',
    async (name, open) => {
      const storage = await open()
      const middle = { long: await fill(storage, 'long', LONG), short: await fill(storage, 'short', SHORT) }
      const heads = { long: await storage.head('long'), short: await storage.head('short') }
      const operations: Readonly<Record<string, (session: 'long' | 'short') => Promise<unknown>>> = {
        append: (session) => storage.append(session, 'One more'),
        tail: (session) => storage.messages(session, { last: 20 }),
        fork: (session) => storage.fork(session),
        setHead: async (session) => {
          await storage.setHead(session, middle[session])
          await storage.setHead(session, heads[session] ?? null)
        },
      }
      for (const [operation, run] of Object.entries(operations)) {
        const ratio = await measureRatio(run)
        console.log(
          `${name}: ${operation} at ${LONG} messages takes ${ratio.toFixed(2)} times as long as at ${SHORT}`,
        )
        expect({ operation, isFlat: ratio <= 2 }).toEqual({ operation, isFlat: true })
      }
      await storage.close()
    },
  )

  test('SQLite: no operation blocks the process for long', async () => {
    const storage = await sqliteStorage(join(folder, 'blocking.db'))
    const middle = await fill(storage, 's', LONG)
    const operations: Readonly<Record<string, () => Promise<unknown>>> = {
      messages: () => storage.messages('s'),
      branches: () => storage.branches('s'),
      usage: () => storage.usage(),
      verify: () => storage.verify('s'),
      replace: () => storage.replace('s', `m${LONG - 100}`, 'Changed'),
      'setHead and append': async () => {
        await storage.setHead('s', middle)
        await storage.append('s', 'Branch')
      },
      maintain: () => storage.maintain(),
      deleteSession: () => storage.deleteSession('s'),
    }
    for (const [operation, run] of Object.entries(operations)) {
      const longest = await measureLongestTurn(run)
      console.log(
        `SQLite: the longest stretch of ${operation} at ${LONG} messages took ${longest.toFixed(1)} ms`,
      )
      expect({ operation, isShort: longest <= 50 }).toEqual({ operation, isShort: true })
    }
    await storage.close()
  })
})
