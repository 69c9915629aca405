import { join } from 'node:path'
import type { ConversationStorage } from 'interlingua/stores'
import { postgresStorage } from 'interlingua/stores/postgres'
import { redisStorage } from 'interlingua/stores/redis'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRedis } from './redis.ts'
import { type Servers, startServers } from './start-servers.ts'

let servers: Servers
beforeAll(async () => {
  servers = await startServers('together')
})
afterAll(() => servers.stop())

const ROUNDS = process.env['SOAK'] ? 40 : 3

const backends: Readonly<Record<string, () => Promise<ConversationStorage>>> = {
  sqlite: () => sqliteStorage(join(servers.folder, 'a.db')),
  postgres: () => postgresStorage(servers.database.url),
  ...(hasRedis && {
    redis: () =>
      redisStorage({ url: servers.redis?.url ?? '' }, { keyPrefix: servers.redis?.keyPrefix ?? '' }),
  }),
}

describe.each(Object.entries(backends))('two processes with %s open', (_name, open) => {
  test('may change the same sessions concurrently: nothing hangs and nothing is damaged', async () => {
    const both = [await open(), await open()]
    for (let round = 0; round < ROUNDS; round++) await chaos(both, `round ${round}`)
    for (const storage of both) await storage.close()
  })
})

/** Concurrent forks, edits, appends and deletions of related sessions. */
async function chaos(storages: readonly ConversationStorage[], tenant: string): Promise<void> {
  const all = storages.map((storage) => storage.forTenant(tenant))
  const [one] = all as [ConversationStorage]
  await one.createSession({ id: 'root' })
  const { added } = await one.append('root', ['1', '2', '3', '4'])
  const ids = added.map(({ id }) => id)
  const acts = Array.from({ length: 40 }, (_, index) => {
    const storage = all[index % all.length] ?? one
    const name = index % 5 === 0 ? 'root' : `f${index % 7}`
    const id = ids[index % ids.length] ?? ''
    const deeds: (() => Promise<unknown>)[] = [
      () => storage.fork('root', { id: `f${index % 7}`, at: id }),
      () => storage.append(name, `text ${index}`),
      () => storage.replace(name, id, `changed ${index}`),
      () => storage.fork(name, { id: `g${index}` }),
      () => storage.remove(name, id),
      () => storage.deleteSession(`f${index % 7}`),
    ]
    const deed = deeds[index % deeds.length] ?? (() => Promise.resolve())
    return deed()
  })
  for (const outcome of await Promise.allSettled(acts)) {
    // Expected errors are those of the storage: unknown or conflicting ids. A deadlock or a violated
    // constraint would come from the database.
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'InterlinguaError' })
  }
  expect(await one.verify()).toEqual([])
  for (const { id } of (await one.sessions({ limit: 1000 })).sessions) await one.messages(id)
}
