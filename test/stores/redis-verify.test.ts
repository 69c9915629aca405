import { assistant, user } from 'interlingua'
import type { ConversationStorage } from 'interlingua/stores'
import { redisStorage } from 'interlingua/stores/redis'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeyPrefix, escapeId } from '../../src/stores/redis/redis-keys.ts'
import { canStartRedis } from './redis.ts'
import { type RedisServer, startRedis } from './redis-server.ts'

let server: RedisServer
let send: (...args: string[]) => Promise<unknown>
let close: () => void

/** A change that another program makes to the stored keys. */
interface Damage {
  /** Beginning of the keys after that of the tenant. */
  readonly keys: string
  readonly damage: (key: string) => Promise<unknown>
}

const setField =
  (field: string, value: string) =>
  (key: string): Promise<unknown> =>
    send('HSET', key, field, value)
const remove = (key: string): Promise<unknown> => send('DEL', key)

/** Changes of the keys of a session with three messages, a fork and a label. */
const damages: Readonly<Record<string, Damage>> = {
  'a changed body': { keys: 'message:', damage: setField('body', '{}') },
  'a changed position': { keys: 'message:', damage: setField('depth', '7') },
  'a changed hash': { keys: 'message:', damage: setField('hash', 'x') },
  'changed usage': { keys: 'message:', damage: setField('usage', '{"inputTokens":1}') },
  'a removed message': { keys: 'message:', damage: remove },
  'a changed session': { keys: 'session:', damage: setField('row', `${'0'.repeat(64)} {"title":"x"}`) },
  'an unreadable session': { keys: 'session:', damage: setField('row', 'x') },
  'an unreadable section': { keys: 'sections:', damage: setField('messages', 'x') },
  'an unreadable label': { keys: 'labels:', damage: (key) => send('HSET', key, '["m1","star"]', 'x') },
  'a removed list of messages': { keys: 'own:', damage: remove },
  'a removed list of ids': { keys: 'ids:', damage: remove },
}

async function fill(storage: ConversationStorage): Promise<void> {
  const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 }
  await storage.createSession({ id: 'a', title: 'Kept' })
  await storage.append('a', [user('One', { id: 'm1' }), { ...assistant('Two', { id: 'm2' }), usage }])
  await storage.append('a', user('Three', { id: 'm3' }))
  await storage.label('a', 'm1', 'star')
  await storage.createSession({ id: 'intact' })
  await storage.append('intact', 'Intact')
}

describe.runIf(canStartRedis)('damage to the keys', () => {
  beforeAll(async () => {
    server = await startRedis()
    const client = createClient({ url: server.url })
    await client.connect()
    send = (...args) => client.sendCommand(args)
    close = () => client.destroy()
  })
  afterAll(async () => {
    close()
    await server.stop()
  })

  test.each(Object.entries(damages))('%s is found', async (name, { keys, damage }) => {
    const storage = await redisStorage({ url: server.url }, { tenant: name })
    const prefix = createKeyPrefix('interlingua', name)
    await fill(storage)
    expect(await storage.verify()).toEqual([])
    const session = String(await send('GET', `${prefix}id:${escapeId('a')}`))
    const own = (await send('ZRANGE', `${prefix}own:${session}`, '0', '-1')) as string[]
    for (const suffix of keys === 'message:' ? own.slice(1, 2) : [session])
      await damage(`${prefix}${keys}${suffix}`)
    const issues = await storage.verify()
    expect(issues.length).toBeGreaterThan(0)
    expect(issues.map((issue) => issue.session)).toEqual(issues.map(() => 'a'))
    // The other session stays usable, and the damaged one can be deleted.
    expect((await storage.messages('intact')).size).toBe(1)
    expect(await storage.deleteSession('a')).toBe(true)
    expect(await storage.verify()).toEqual([])
    await storage.close()
  })

  test('a tenant, a session or a message with any name stays within the keys of its tenant', async () => {
    const names = [
      '{',
      '}',
      '{}',
      '}{',
      'a:b',
      ':',
      '*',
      '?',
      '[a]',
      '\n',
      '\r\n',
      ' ',
      '%',
      '%x',
      '\\',
      "'",
      '😀',
      '../',
    ]
    const long = ['é'.repeat(256), '😀'.repeat(128), 'a'.repeat(256), `${'a'.repeat(255)}b`]
    const all = [
      ...names,
      ...long,
      ...names.map((name) => `default${name}`),
      'default}:',
      '{default}',
      'Default',
    ]
    const prefixes = all.map((name) => createKeyPrefix('interlingua', name))
    expect(new Set([...prefixes, createKeyPrefix('interlingua', 'default')]).size).toBe(all.length + 1)
    // No prefix is the beginning of another one, and each has one hash tag that is not empty.
    for (const prefix of prefixes) {
      expect(prefix).toMatch(/^interlingua:\{[^{}:\s]+\}:$/)
      expect(prefixes.filter((other) => other.startsWith(prefix))).toEqual([prefix])
    }
    await send('FLUSHALL')
    const storage = await redisStorage({ url: server.url })
    for (const name of all) {
      const tenant = storage.forTenant(name)
      await tenant.createSession({ id: name, labels: [name] })
      const [message] = (await tenant.append(name, user(name, { id: name }), { section: name })).added
      await tenant.label(name, message?.id ?? '', name)
      expect((await tenant.messages(name, { section: name })).size).toBe(1)
    }
    const keys = (await send('KEYS', '*')) as string[]
    expect(keys.filter((key) => !prefixes.some((prefix) => key.startsWith(prefix)))).toEqual([])
    await storage.close()
  })

  test.each(['', '\0', '\ud800', 'a\udc00', 'a'.repeat(257)])('the tenant %j is refused', async (tenant) => {
    const opening = redisStorage({ url: server.url }, { tenant })
    await expect(opening).rejects.toMatchObject({ code: 'invalid-value', path: '/tenant' })
  })

  test.each(['a{b', 'a}b'])('the key prefix %j is refused', async (keyPrefix) => {
    const opening = redisStorage({ url: server.url }, { keyPrefix })
    await expect(opening).rejects.toMatchObject({ code: 'invalid-value', path: '/keyPrefix' })
  })
})
