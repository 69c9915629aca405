import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { user } from 'interlingua'
import { Agent } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { Conversation, type ConversationStorage, keepLast } from 'interlingua/stores'
import { postgresStorage } from 'interlingua/stores/postgres'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { measureLongestTurn } from './event-loop-delay.ts'
import { freshDatabase } from './postgres.ts'

const LONG = Number(process.env['LONG_SESSION'] ?? 200_000)
const SHORT = 200
const BATCH = 500
const ROUNDS = 40

/** Longest time in which an operation may keep the process from other work. */
const MAX_BLOCKED_MS = 50
/** Number of measurements in each of which an operation has to take longer before it counts as blocking. */
const MEASURED_ROUNDS = 5
/** Longest time in which the idle process is measured, for comparison. */
const MAX_IDLE_MS = 10_000

/** An operation, and what has to be stored before it. */
interface BlockingOperation {
  readonly prepare?: (round: number) => Promise<unknown>
  /** Does the same amount of work in each round. */
  readonly run: (round: number) => Promise<unknown>
}

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

/** A conversation whose model receives the last messages. */
function converse(storage: ConversationStorage, session: string): Conversation {
  const agent = new Agent({ model: scripted(() => 'Yes') })
  return new Conversation({ agent, storage, session, context: keepLast(40) })
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
        'send with keepLast': (session) => converse(storage, session).send('Now'),
        'resume with keepLast': (session) => converse(storage, session).resume(),
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
    const lines: string[] = []
    for await (const line of storage.exportSession('s')) lines.push(line)
    const archived: string[] = []
    const archive = async (_session: unknown, exported: AsyncIterable<string>): Promise<void> => {
      for await (const line of exported) archived.push(line)
    }
    const copy = async (id: string): Promise<void> => void (await storage.importSession(lines, { id }))
    const copyAndFork = async (id: string, fork: string): Promise<void> => {
      await copy(id)
      await storage.fork(id, { id: fork })
    }
    const operations: Readonly<Record<string, BlockingOperation>> = {
      messages: { run: () => storage.messages('s') },
      'messages with system messages': {
        run: () => storage.messages('s', { last: 10, includeSystem: true }),
      },
      loadStore: { run: () => storage.loadStore('s') },
      branches: { run: () => storage.branches('s') },
      usage: { run: () => storage.usage() },
      'usage of a session': { run: () => storage.usage({ session: 's' }) },
      replace: { run: (round) => storage.replace('s', `m${LONG - 100}`, `Changed ${round}`) },
      'setHead and append': {
        run: async () => {
          await storage.setHead('s', middle)
          await storage.append('s', 'Branch')
        },
      },
      syncHistory: { run: async () => storage.syncHistory('s', await storage.messages('s')) },
      'verify of a session': { run: () => storage.verify('s') },
      verify: { run: () => storage.verify() },
      exportSession: {
        run: async () => {
          for await (const line of storage.exportSession('s')) expect(line).not.toBe('')
        },
      },
      importSession: { run: (round) => copy(`copy ${round}`) },
      fork: { run: () => storage.fork('s') },
      deleteSession: {
        prepare: (round) => copy(`deleted ${round}`),
        run: (round) => storage.deleteSession(`deleted ${round}`),
      },
      'deleteSession of a forked session': {
        prepare: (round) => copyAndFork(`owner ${round}`, `heir ${round}`),
        run: (round) => storage.deleteSession(`owner ${round}`),
      },
      'prune with an archive': {
        prepare: async (round) => {
          await copy(`expired ${round}`)
          await storage.updateSession(`expired ${round}`, { expiresAt: new Date(0) })
        },
        run: () => storage.prune({ archive }),
      },
      'forget of a fork that has become the owner': {
        prepare: async (round) => {
          await copyAndFork(`former owner ${round}`, `new owner ${round}`)
          await storage.deleteSession(`former owner ${round}`)
        },
        run: (round) => storage.forget({ session: `new owner ${round}` }),
      },
      'replace of the first message': { run: (round) => storage.replace('s', 'm0', `Changed ${round}`) },
      maintain: { run: () => storage.maintain() },
    }
    const blocking: string[] = []
    for (const [operation, { prepare, run }] of Object.entries(operations)) {
      let shortest = Infinity
      // Only a stretch that comes again belongs to the operation: the machine does other work at the same time.
      for (let round = 0; round < MEASURED_ROUNDS; round++) {
        await prepare?.(round)
        const { longestMs, tookMs } = await measureLongestTurn(() => run(round))
        shortest = Math.min(shortest, longestMs)
        console.log(
          `SQLite: the longest stretch of ${operation} at ${LONG} messages took ${longestMs.toFixed(1)} ms (of ${tookMs.toFixed(0)} ms)`,
        )
        if (longestMs <= MAX_BLOCKED_MS) break
        const idle = await measureLongestTurn(() => setTimeout(Math.min(tookMs, MAX_IDLE_MS)))
        console.log(`the idle process, for as long: ${idle.longestMs.toFixed(1)} ms`)
      }
      if (shortest > MAX_BLOCKED_MS) blocking.push(`${operation}: ${shortest.toFixed(1)} ms`)
    }
    expect(blocking).toEqual([])
    expect(archived.length).toBeGreaterThan(LONG)
    await storage.close()
  })
})
