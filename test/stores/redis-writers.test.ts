import { setTimeout } from 'node:timers/promises'
import type { ConversationStorage } from 'interlingua/stores'
import { redisStorage } from 'interlingua/stores/redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRedis, openTestRedis, type TestRedis } from './redis.ts'

let server: TestRedis
const storages: ConversationStorage[] = []

async function open(tenant: string): Promise<ConversationStorage> {
  const { url, keyPrefix } = server
  const storage = await redisStorage({ url }, { keyPrefix, tenant })
  storages.push(storage)
  return storage
}

describe.runIf(hasRedis)('several clients at one session in Redis', () => {
  beforeAll(async () => {
    server = await openTestRedis()
  })
  afterAll(async () => {
    for (const storage of storages) await storage.close()
    await server.stop()
  })

  test('a session can be read and verified while another client writes to it all the time', async () => {
    const [reader, writer] = [await open('busy'), await open('busy')]
    await reader.createSession({ id: 'a' })
    await reader.append(
      'a',
      Array.from({ length: 600 }, (_, index) => `Message ${index}`),
    )
    let isRunning = true
    let written = 0
    const writing = (async () => {
      for (; isRunning; written++) await writer.append('a', 'More')
    })()
    for (let round = 0; round < 2; round++) {
      const { size } = await reader.messages('a')
      expect(size).toBeGreaterThanOrEqual(600)
      expect(await reader.verify()).toEqual([])
      expect((await reader.search({ query: 'Message' })).hits.length).toBeGreaterThan(0)
    }
    isRunning = false
    await writing
    expect((await reader.messages('a')).size).toBe(600 + written)
  })

  test('writers of several clients that change one session all succeed', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, () => open('writers')))
    await clients[0]?.createSession({ id: 'a' })
    const write = async (storage: ConversationStorage): Promise<void> => {
      for (let count = 0; count < 10; count++) await storage.append('a', 'Hello')
    }
    const read = async (storage: ConversationStorage): Promise<void> => {
      for (let count = 0; count < 10; count++) {
        const { size } = await storage.messages('a')
        expect((await storage.branches('a'))[0]?.length ?? size).toBeGreaterThanOrEqual(size)
        await setTimeout(1)
      }
    }
    await Promise.all(clients.flatMap((storage) => [write(storage), read(storage)]))
    expect((await clients[0]?.messages('a'))?.size).toBe(40)
    expect(await clients[0]?.verify()).toEqual([])
  })
})
