import fc from 'fast-check'
import { inProcessMemory, type MemoryStore, type MemoryStoreOptions } from 'interlingua/memory'
import { postgresMemory } from 'interlingua/memory/postgres'
import { sqliteMemory } from 'interlingua/memory/sqlite'
import { expect, test } from 'vitest'
import { freshDatabase } from '../stores/postgres.ts'

const START = Date.UTC(2026, 0)
const DAY = 86_400_000
const key = fc.constantFrom('a', 'b', 'ü', '\uff5e', '\u{1f99c}', "'")
const tenant = fc.constantFrom('t', 'T', 't ')
const word = fc.constantFrom('green', 'tea', 'in', 'Oslo', '茶', 'the')
const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '))
const topic = fc.constantFrom('x', 'y')
const vector = fc.record({
  model: fc.constantFrom('m', 'n'),
  values: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 2, maxLength: 3 }),
})
const memory = fc.record(
  { text, key, metadata: fc.record({ topic }), vector, expiresInDays: fc.integer({ min: 1, max: 4 }) },
  { requiredKeys: ['text'] },
)

/** An operation as data, so that a failure prints it. */
const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('put' as const), tenant, memory }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('delete' as const), tenant, key }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const), days: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('prune' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('forget' as const), tenant }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('words' as const), tenant, text }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('vector' as const), tenant, vector, topic }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('list' as const), tenant, limit: fc.constantFrom(1, 2, 9) }),
  },
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

async function apply(store: MemoryStore, prefix: string, step: Operation, now: number): Promise<unknown> {
  const owner = 'tenant' in step ? prefix + step.tenant : ''
  switch (step.type) {
    case 'put': {
      const { expiresInDays, ...rest } = step.memory
      const expiry = expiresInDays === undefined ? {} : { expiresAt: new Date(now + expiresInDays * DAY) }
      return store.put({ tenant: owner, ...rest, ...expiry })
    }
    case 'delete':
      return store.delete({ tenant: owner, key: step.key })
    case 'wait':
      return undefined
    case 'prune':
      return store.prune()
    case 'forget':
      return store.forget(owner)
    case 'words':
      return store.search({ tenant: owner, text: step.text })
    case 'vector':
      return store.search({
        tenant: owner,
        vector: step.vector,
        filter: { topic: step.topic },
        minScore: -1,
        limit: 3,
      })
    case 'list': {
      const first = await store.list({ tenant: owner, limit: step.limit })
      return [
        first,
        first.cursor && (await store.list({ tenant: owner, limit: step.limit, cursor: first.cursor })),
      ]
    }
  }
}

test('[law] every backend returns the same for the same operations', async () => {
  const database = await freshDatabase()
  let now = START
  const options: MemoryStoreOptions = { now: () => now, limits: { maxMemories: 5 } }
  const stores = {
    process: inProcessMemory(options),
    'sqlite-vec': await sqliteMemory(':memory:', { ...options, useSqliteVec: true }),
    sqlite: await sqliteMemory(':memory:', { ...options, useSqliteVec: false }),
    postgres: await postgresMemory(database.url, options),
  }
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 30 }), async (steps) => {
      round += 1
      now = START
      for (const step of steps) {
        if (step.type === 'wait') now += step.days * DAY
        const results: Record<string, unknown> = {}
        for (const [name, store] of Object.entries(stores)) {
          const result = await apply(store, `${round} `, step, now).catch((error: unknown) => ({
            error: (error as { readonly code?: string }).code,
          }))
          results[name] = result
        }
        const { process: expected, ...others } = results
        for (const [name, result] of Object.entries(others)) expect([name, result]).toEqual([name, expected])
      }
    }),
    { numRuns: process.env['SOAK'] ? 500 : 8 },
  )
  for (const store of Object.values(stores)) await store.close()
  await database.drop()
})
