import fc from 'fast-check'
import { user } from 'interlingua'
import { type ConversationStorage, memoryStorage } from 'interlingua/stores'
import { postgresStorage } from 'interlingua/stores/postgres'
import { redisStorage } from 'interlingua/stores/redis'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from './postgres.ts'
import { hasRedis, openTestRedis, type TestRedis } from './redis.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let redis: TestRedis | undefined
beforeAll(async () => {
  database = await freshDatabase()
  if (hasRedis) redis = await openTestRedis()
})
afterAll(async () => {
  await database.drop()
  await redis?.stop()
})

const backends: Readonly<Record<string, () => Promise<ConversationStorage>>> = {
  memory: async () => memoryStorage(),
  sqlite: () => sqliteStorage(':memory:'),
  postgres: () => postgresStorage(database.url),
  ...(hasRedis && {
    redis: () => redisStorage({ url: redis?.url ?? '' }, { keyPrefix: redis?.keyPrefix ?? '' }),
  }),
}

/** Texts that would have an effect inside a statement, a pattern, a path or an object shape. */
const name = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        `'`,
        `"`,
        '`',
        ';',
        '--',
        '/*',
        '\\',
        '%',
        '_',
        '?',
        '$1',
        '{',
        '}',
        ':',
        '*',
        ':a',
        '@p',
        '(',
        ')',
        '\n',
        ' ',
      ),
      fc.constantFrom(
        'or 1=1',
        'union select',
        'drop table interlingua_sessions',
        '__proto__',
        '../',
        '{"$ne":1}',
      ),
      fc.string({ maxLength: 5 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.join('').replaceAll('\0', ''))
  .filter((text) => text !== '' && text.length <= 200 && !/\p{Cs}/u.test(text))

const RUNS = process.env['SOAK'] ? 500 : 10

/** Returns everything that a tenant can see. */
async function seen(storage: ConversationStorage): Promise<string> {
  const { sessions } = await storage.sessions({ limit: 1000 })
  const lines: string[] = []
  for (const { id } of sessions) for await (const line of storage.exportSession(id)) lines.push(line)
  return lines.join('\n')
}

/** Calls every method with hostile texts in every argument; errors are fine, effects on others are not. */
function attempts(storage: ConversationStorage, a: string, b: string): readonly (() => Promise<unknown>)[] {
  return [
    () => storage.createSession({ id: a, title: b, labels: [a, b], parameters: { [a]: b } }),
    () => storage.append(a, user(b, { id: b, name: a, metadata: { [b]: a } }), { section: b }),
    () => storage.append(a, 'Hello', { expectedHead: b, section: b }),
    () => storage.syncHistory(a, [user(b), user(a)], { section: a }),
    () => storage.label(a, b, a),
    () => storage.unlabel(a, a, b),
    () => storage.labels(a),
    () => storage.get(a, b),
    () => storage.replace(a, b, 'Changed'),
    () => storage.setHead(a, b),
    () => storage.messages(a, { section: b, to: b }),
    () => storage.branches(a, { section: b }),
    () => storage.sessions({ search: a, label: b }),
    () => storage.sessions({ cursor: `${a}~${b}` }),
    () => storage.usage({ session: a, from: b, to: a }),
    () => storage.fork(a, { id: b, at: b }),
    () => storage.updateSession(a, { title: a, labels: [b] }),
    () => storage.loadStore(a),
    () => storage.verify(a),
    () => storage.remove(a, b),
    () => storage.deleteSession(b),
    () => storage.deleteSession(a),
  ]
}

/** Titles that match every title if they are taken for patterns, and the ids of their sessions. */
const WILDCARDS: [string, string][] = [
  ['percent', '%'],
  ['underscore', '_'],
]

describe.each(Object.entries(backends))('%s', (_name, open) => {
  test('[S1, S2, S3, S18, S19] hostile texts do not affect another tenant, and work like plain ones', async () => {
    const storage = await open()
    const victim = storage.forTenant('victim')
    await victim.createSession({ id: 'mine', title: 'Mine' })
    await victim.append('mine', ['One', 'Two'])
    const before = await seen(victim)
    let count = 0
    await fc.assert(
      fc.asyncProperty(name, name, async (a, b) => {
        fc.pre(a !== b)
        const attacker = storage.forTenant(`${a}${++count}`)
        for (const attempt of attempts(attacker, a, b)) {
          await attempt().catch((error: unknown) => {
            // Errors come from the storage, never from the database.
            expect(error).toMatchObject({ name: 'InterlinguaError' })
          })
        }
        await attacker.createSession({ id: a, title: b })
        // Found only by a text that is taken for a pattern.
        await attacker.createSession({ id: `other ${a}`, title: '§' })
        const { sessions } = await attacker.sessions({ search: b.toLowerCase() })
        expect(sessions.map(({ id }) => id)).toEqual([a])
        for (const attempt of attempts(storage.forTenant(b), 'mine', a))
          await attempt().catch(() => undefined)
        expect(await seen(victim)).toBe(before)
      }),
      { numRuns: RUNS, examples: WILDCARDS },
    )
    expect(await victim.verify()).toEqual([])
    await storage.close()
  })
})
