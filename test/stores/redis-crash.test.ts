import { setTimeout } from 'node:timers/promises'
import { createId, InterlinguaError, user } from 'interlingua'
import { type ConversationStorage } from 'interlingua/stores'
import { redisStorage } from 'interlingua/stores/redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canStartRedis } from './redis.ts'
import { type RedisServer, startRedis } from './redis-server.ts'

const ROUNDS = process.env['SOAK'] ? 30 : 3
const WRITERS = 4

let server: RedisServer
const storages: ConversationStorage[] = []

describe.runIf(canStartRedis)('a Redis server that is killed', () => {
  beforeAll(async () => {
    server = await startRedis({ durable: true })
  })
  afterAll(async () => {
    for (const storage of storages) await storage.close()
    await server.stop()
  })

  test('loses no acknowledged message, and stores each write completely or not at all', async () => {
    const acknowledged: string[] = []
    let isRunning = true
    /** Appends two messages at a time, and repeats what was not acknowledged. */
    const write = async (storage: ConversationStorage): Promise<void> => {
      while (isRunning) {
        const id = createId('msg')
        const pair = [user('A message', { id }), user('and its shadow', { id: `${id}-shadow` })]
        while (isRunning) {
          try {
            await storage.append('session', pair)
            acknowledged.push(id)
            break
          } catch (error) {
            if (!(error instanceof InterlinguaError) || !error.retryable) throw error
            await setTimeout(5)
          }
        }
      }
    }
    for (let count = 0; count < WRITERS; count++) storages.push(await redisStorage({ url: server.url }))
    await storages[0]?.createSession({ id: 'session' })
    const writers = Promise.all(storages.map(write))
    for (let round = 0; round < ROUNDS; round++) {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(before + WRITERS)
      await setTimeout(Math.random() * 100)
      await server.kill()
      await setTimeout(Math.random() * 50)
      await server.restart()
    }
    isRunning = false
    await writers
    const storage = await redisStorage({ url: server.url })
    storages.push(storage)
    const path = await storage.messages('session')
    expect(acknowledged.filter((id) => !path.has(id) || !path.has(`${id}-shadow`))).toEqual([])
    expect(path.size % 2).toBe(0)
    expect(await storage.verify()).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(ROUNDS * WRITERS)
  })
})
