import { setTimeout } from 'node:timers/promises'
import { createId, InterlinguaError, user } from 'interlingua'
import type { ConversationStorage } from 'interlingua/stores'
import { postgresStorage } from 'interlingua/stores/postgres'
import { redisStorage } from 'interlingua/stores/redis'
import { describe, expect, test } from 'vitest'
import { canStartRedis } from './redis.ts'
import { startRedis } from './redis-server.ts'

const ROUNDS = process.env['SOAK'] ? 30 : 2
const WRITERS = 4

/** A server that a test kills with SIGKILL and starts again with the same data. */
interface KillableServer {
  readonly url: string
  kill(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

interface PostgresScript {
  startPostgres(options: { readonly durable: boolean }): Promise<KillableServer>
}

const script: PostgresScript = await import(new URL('../../scripts/start-postgres.js', import.meta.url).href)

interface ServerStore {
  readonly start: () => Promise<KillableServer>
  readonly open: (url: string) => Promise<ConversationStorage>
}

const stores: Readonly<Record<string, ServerStore>> = {
  PostgreSQL: { start: () => script.startPostgres({ durable: true }), open: postgresStorage },
  ...(canStartRedis && {
    Redis: { start: () => startRedis({ durable: true }), open: (url: string) => redisStorage({ url }) },
  }),
}

/** Repeats an operation while its error is one that a repetition can solve, such as a server that starts. */
async function retry<T>(operation: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await operation()
    } catch (error) {
      if (!(error instanceof InterlinguaError) || !error.retryable) throw error
      await setTimeout(5)
    }
  }
}

describe.each(Object.entries(stores))('a %s server that is killed', (name, { start, open }) => {
  test('loses no acknowledged message, and stores each write completely or not at all', async () => {
    const server = await start()
    const storages = await Promise.all(Array.from({ length: WRITERS }, () => open(server.url)))
    try {
      const acknowledged: string[] = []
      let isRunning = true
      /** Appends two messages at a time, and repeats what was not acknowledged. */
      const write = async (storage: ConversationStorage): Promise<void> => {
        while (isRunning) {
          const id = createId('msg')
          const pair = [user('A message', { id }), user('and its shadow', { id: `${id}-shadow` })]
          await retry(() => storage.append('session', pair))
          acknowledged.push(id)
        }
      }
      await storages[0]?.createSession({ id: 'session' })
      const writers = Promise.all(storages.map(write))
      // A failed writer ends the rounds.
      const crashes = (async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const before = acknowledged.length
          await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before + WRITERS)
          await setTimeout(Math.random() * 100)
          await server.kill()
          await setTimeout(Math.random() * 50)
          await server.restart()
        }
        isRunning = false
      })()
      await Promise.all([crashes, writers])
      const storage = await open(server.url)
      storages.push(storage)
      const path = await storage.messages('session')
      expect(acknowledged.filter((id) => !path.has(id) || !path.has(`${id}-shadow`))).toEqual([])
      expect(path.size).toBe(acknowledged.length * 2)
      expect(await storage.verify()).toEqual([])
      expect(acknowledged.length).toBeGreaterThan(ROUNDS * WRITERS)
      if (process.env['SOAK'])
        console.log(`${name}: ${acknowledged.length} acknowledged pairs, ${ROUNDS} crashes`)
    } finally {
      for (const storage of storages) await storage.close()
      await server.stop()
    }
  })
})
