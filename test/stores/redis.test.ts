import { InterlinguaError, user } from 'interlingua'
import type { ConversationStorage } from 'interlingua/stores'
import { type RedisOptions, redisStorage } from 'interlingua/stores/redis'
import { createClient, createCluster } from 'redis'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { canStartRedis } from './redis.ts'
import { findFreePort, type RedisServer, startRedis } from './redis-server.ts'

/** How long servers may take to find each other. */
const WAIT = { timeout: 15_000, interval: 20 } as const

let server: RedisServer
const cleanUps: (() => Promise<unknown>)[] = []

/** Starts another server for one test. */
async function startOwn(...settings: readonly string[]): Promise<RedisServer> {
  const own = await startRedis({ settings })
  cleanUps.push(() => own.stop())
  return own
}

async function open(url: string, options?: RedisOptions): Promise<ConversationStorage> {
  const storage = await redisStorage({ url }, options)
  cleanUps.push(() => storage.close())
  return storage
}

/** Connects a client of the test's own. */
async function connect(url: string): Promise<ReturnType<typeof createClient>> {
  const client = createClient({ url })
  client.on('error', () => undefined)
  await client.connect()
  cleanUps.push(async () => client.destroy())
  return client as ReturnType<typeof createClient>
}

/** Runs a function that must fail, and returns its error. */
async function catchError(act: () => Promise<unknown>): Promise<InterlinguaError> {
  const error: unknown = await act().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(InterlinguaError)
  return error as InterlinguaError
}

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

describe.runIf(canStartRedis)('a Redis server of the test', () => {
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  test('a server that forgot the scripts gets them again', async () => {
    const storage = await open(server.url, { tenant: 'scripts' })
    await storage.createSession({ id: 'a' })
    await (await connect(server.url)).sendCommand(['SCRIPT', 'FLUSH'])
    await storage.append('a', 'Hello')
    expect((await storage.messages('a')).size).toBe(1)
  })

  test('a lost connection is a retryable error, and the storage works again after it', async () => {
    const own = await startRedis({ durable: true })
    cleanUps.push(() => own.stop())
    const storage = await open(own.url)
    await storage.createSession({ id: 'a' })
    await own.kill()
    const error = await catchError(() => storage.append('a', 'Hello'))
    expect([error.code, error.retryable]).toEqual(['storage-unavailable', true])
    await own.restart()
    const message = user('Hello', { id: 'm' })
    await expect
      .poll(
        () =>
          storage.append('a', message).then(
            () => true,
            () => false,
          ),
        WAIT,
      )
      .toBe(true)
    expect((await storage.messages('a')).size).toBe(1)
  })

  test('a server that does not answer is given up after commandTimeoutMs', async () => {
    const own = await startOwn()
    const storage = await open(own.url, { commandTimeoutMs: 500 })
    await storage.createSession({ id: 'a' })
    own.signal('SIGSTOP')
    const error = await catchError(() => storage.append('a', 'Hello'))
    own.signal('SIGCONT')
    expect([error.code, error.retryable]).toEqual(['storage-unavailable', true])
    expect(error.hint).toContain('commandTimeoutMs')
    await expect
      .poll(
        () =>
          storage.messages('a').then(
            ({ size }) => size,
            () => -1,
          ),
        WAIT,
      )
      .toBe(0)
  })

  test('a server that accepts connections and does not answer is given up after connectTimeoutMs', async () => {
    const own = await startOwn()
    own.signal('SIGSTOP')
    const error = await catchError(() => redisStorage({ url: own.url }, { connectTimeoutMs: 100 }))
    expect([error.code, error.retryable]).toEqual(['storage-unavailable', true])
    expect(error.hint).toContain('connectTimeoutMs')
  })

  test('a replica is read, and refuses writes', async () => {
    const storage = await open(server.url, { tenant: 'replica' })
    await storage.createSession({ id: 'a' })
    const replica = await startOwn('--replicaof', `127.0.0.1 ${server.port}`)
    const copy = await open(replica.url, { tenant: 'replica' })
    await expect
      .poll(
        () =>
          copy.session('a').then(
            (found) => found?.id,
            () => '',
          ),
        WAIT,
      )
      .toBe('a')
    const error = await catchError(() => copy.append('a', 'Hello'))
    expect([error.code, error.retryable]).toEqual(['storage-unavailable', false])
    expect(error.message).toContain('replica')
  })

  test('with `replicas`, a write waits until they have received it', async () => {
    const own = await startOwn()
    const storage = await open(own.url, { replicas: 1, commandTimeoutMs: 400 })
    const error = await catchError(() => storage.createSession({ id: 'a' }))
    expect([error.code, error.retryable, error.found]).toEqual(['storage-unavailable', true, '0 replicas'])
    await startOwn('--replicaof', `127.0.0.1 ${own.port}`)
    await expect
      .poll(
        () =>
          storage.append('a', user('Hello', { id: 'm' })).then(
            () => true,
            () => false,
          ),
        WAIT,
      )
      .toBe(true)
    expect((await storage.messages('a')).size).toBe(1)
  })

  test('a full server refuses writes and keeps what it has', async () => {
    const own = await startOwn('--maxmemory', '3mb', '--maxmemory-policy', 'noeviction')
    const storage = await open(own.url)
    await storage.createSession({ id: 'a' })
    let stored = 0
    const fill = async (): Promise<never> => {
      for (; ; stored++) await storage.append('a', 'x'.repeat(100_000))
    }
    const error = await catchError(fill)
    expect([error.code, error.retryable]).toEqual(['storage-unavailable', false])
    expect(error.hint).toContain('maxmemory')
    expect((await storage.messages('a')).size).toBe(stored)
    expect(await storage.verify()).toEqual([])
    // What was refused can be deleted although the memory is full.
    expect(await storage.deleteSession('a')).toBe(true)
  })

  test('a server that deletes keys when its memory is full is refused', async () => {
    const own = await startOwn('--maxmemory-policy', 'allkeys-lru')
    const error = await catchError(() => redisStorage({ url: own.url }))
    expect([error.code, error.found, error.expected]).toEqual(['unsupported', 'allkeys-lru', 'noeviction'])
  })

  test('a user without the right to read the settings can use the storage', async () => {
    const own = await startOwn()
    const rules = ['on', '>p', '~interlingua:*', '+@all', '-@dangerous', '-@admin']
    await (await connect(own.url)).sendCommand(['ACL', 'SETUSER', 'app', ...rules])
    const storage = await open(own.url.replace('//', '//app:p@'))
    await storage.createSession({ id: 'a' })
    expect((await storage.append('a', 'Hello')).length).toBe(1)
    const refused = await open(own.url.replace('//', '//app:p@'), { keyPrefix: 'other' })
    const error = await catchError(() => refused.createSession())
    expect([error.code, error.retryable]).toEqual(['storage-unavailable', false])
    expect(error.message).toContain('permission')
  })

  test.each(['redis://:wrong-secret@', 'redis://nobody:wrong-secret@'])('%s is refused', async (start) => {
    const own = await startOwn('--requirepass', 'right-secret')
    const error = await catchError(() => redisStorage({ url: own.url.replace('redis://', start) }))
    expect([error.code, error.retryable]).toEqual(['storage-unavailable', false])
    expect(JSON.stringify(error) + String(error.stack) + String(error.cause)).not.toContain('secret')
  })

  test('a cluster keeps all keys of a tenant in one slot', async () => {
    const own = await startOwn('--cluster-enabled', 'yes', '--cluster-port', String(await findFreePort()))
    const client = await connect(own.url)
    await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383'])
    await expect
      .poll(async () => JSON.stringify(await client.sendCommand(['CLUSTER', 'INFO'])), WAIT)
      .toContain('state:ok')
    const cluster = createCluster({ rootNodes: [{ url: own.url }] })
    cluster.on('error', () => undefined)
    await cluster.connect()
    cleanUps.push(async () => cluster.destroy())
    const storage = await redisStorage({ cluster }, { tenant: 'a{b}c' })
    await storage.createSession({ id: 'a' })
    await storage.append('a', ['One', 'Two'])
    const fork = await storage.fork('a', { id: 'b' })
    await storage.append(fork.id, 'Three')
    await storage.deleteSession('a')
    expect((await storage.messages('b')).size).toBe(3)
    expect(await storage.verify()).toEqual([])
    const keys = (await client.sendCommand(['KEYS', '*'])) as unknown as string[]
    const slots = await Promise.all(keys.map((key) => client.sendCommand(['CLUSTER', 'KEYSLOT', key])))
    expect(new Set(slots).size).toBe(1)
  })

  test('a client that the caller passes stays open', async () => {
    const client = await connect(server.url)
    const storage = await redisStorage({ client }, { tenant: 'given' })
    await storage.createSession({ id: 'a' })
    await storage.close()
    expect((await catchError(() => storage.session('a'))).code).toBe('storage-closed')
    expect(await client.ping()).toBe('PONG')
  })

  test('messages of a deleted session that a crash left behind are removed by the next write', async () => {
    const client = await connect(server.url)
    const storage = await open(server.url, { keyPrefix: 'left-behind' })
    const countKeys = async (): Promise<number> =>
      ((await client.sendCommand(['KEYS', 'left-behind:*message:*'])) as unknown as string[]).length
    await storage.createSession({ id: 'a' })
    await storage.append(
      'a',
      Array.from({ length: 1_200 }, (_, index) => `Message ${index}`),
    )
    // The process ends after the session was removed, before its messages were.
    const script = client.sendCommand.bind(client)
    let calls = 0
    const ending = await redisStorage(
      {
        client: {
          sendCommand: async (args: readonly string[]) => {
            if (args.includes('500') && args[0]?.startsWith('EVAL') === true && ++calls > 1)
              throw new Error('ended')
            return script([...args])
          },
        },
      },
      { keyPrefix: 'left-behind' },
    )
    await catchError(() => ending.deleteSession('a'))
    expect(await countKeys()).toBeGreaterThan(0)
    expect(await storage.session('a')).toBeUndefined()
    await storage.createSession({ id: 'b' })
    expect(await countKeys()).toBe(0)
  })
})
