import { assert } from '../../stores/testing/assertions.ts'
import type { MemoryStore } from '../memory-store.ts'
import { createTenantName, expectError, listHitKeys, listKeys, type MemoryChecks } from './check-helpers.ts'

/** Names that break naive key building, patterns, objects used as maps, and normalization. */
const HOSTILE_NAMES: readonly string[] = [
  "'; drop table interlingua_memories; --",
  '" or ""="',
  '$1 ? :name @p1',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'a:b',
  'a/b',
  'a|b',
  '["a","b"]',
  '{"$gt":""}',
  '*',
  '%',
  '_',
  'a\nb\r\tc',
  ' ',
  'É',
  'E\u0301',
  'é',
  '\u202e\ufeff',
  '\u{1f99c}'.repeat(100),
]

/** Creates every operation that could reach a memory of another tenant, with the result that shows that it does not. */
async function expectInvisible(store: MemoryStore, tenant: string, key: string): Promise<void> {
  assert.equal(await store.get({ tenant, key }), undefined)
  assert.equal(await store.delete({ tenant, key }), false)
  assert.deepEqual((await store.list({ tenant })).memories, [])
  assert.deepEqual((await store.search({ tenant, text: 'secret' })).hits, [])
  const vector = { model: 'm', values: [1, 0] }
  assert.deepEqual(await store.search({ tenant, vector, minScore: -1 }), {
    hits: [],
    method: 'vector',
    notCompared: 0,
  })
  assert.deepEqual((await store.forget(tenant)).keys, [])
}

/** Checks of the separation of tenants, of hostile names, and of forgetting. */
export const memoryTenantChecks: MemoryChecks = {
  'memories of one tenant are invisible to another': async ({ tenant, open }) => {
    const store = await open()
    const other = createTenantName()
    const vector = { model: 'm', values: [1, 0] }
    const { memory } = await store.put({ tenant, key: 'k', text: 'The secret plan', vector })
    await expectInvisible(store, other, 'k')
    const { cursor = '' } = await (async () => {
      await store.put({ tenant, key: 'l', text: 'Another secret' })
      return store.list({ tenant, limit: 1 })
    })()
    assert.deepEqual((await store.list({ tenant: other, cursor })).memories, [])
    await store.put({ tenant: other, key: 'k', text: 'Something else' })
    assert.deepEqual(await store.get({ tenant, key: 'k' }), memory)
    await store.forget(other)
    assert.deepEqual(await store.get({ tenant, key: 'k' }), memory)
  },
  'any text can be a tenant and a key': async ({ tenant: prefix, open }) => {
    const store = await open()
    const tenants = HOSTILE_NAMES.map((name) => prefix + name)
    for (const tenant of tenants) {
      const memories = HOSTILE_NAMES.map((key) => ({ key, text: `secret ${key}`, metadata: { [key]: key } }))
      await store.putAll({ tenant, memories })
    }
    const expected = HOSTILE_NAMES.map((key) => [key, `secret ${key}`, { [key]: key }])
    for (const tenant of tenants) {
      const { memories } = await store.list({ tenant })
      const found = new Map(memories.map(({ key, text, metadata }) => [key, [key, text, metadata]]))
      assert.deepEqual(
        HOSTILE_NAMES.map((key) => found.get(key)),
        expected,
      )
    }
    const [first = '', ...others] = tenants
    for (const key of HOSTILE_NAMES) {
      const { hits } = await store.search({ tenant: first, text: 'secret', filter: { [key]: key } })
      assert.deepEqual(listHitKeys(hits), [key])
      assert.equal((await store.get({ tenant: first, key }))?.text, `secret ${key}`)
      assert.equal(await store.delete({ tenant: first, key }), true)
    }
    await expectInvisible(store, first, HOSTILE_NAMES[0] ?? '')
    for (const tenant of others)
      assert.equal((await listKeys(store, { tenant })).flat().length, HOSTILE_NAMES.length)
  },
  'names that some backend could not store are refused': async ({ tenant, open }) => {
    const store = await open()
    for (const name of ['', 'a\u0000b', '\ud800', 'x'.repeat(257)]) {
      await expectError('invalid-value', () => store.put({ tenant, key: name, text: 'x' }))
      await expectError('invalid-value', () => store.put({ tenant: name, text: 'x' }))
      await expectError('invalid-value', () => store.get({ tenant: name, key: 'x' }))
      await expectError('invalid-value', () => store.delete({ tenant, key: name }))
      await expectError('invalid-value', () => store.list({ tenant: name }))
      await expectError('invalid-value', () => store.search({ tenant: name, text: 'x' }))
      await expectError('invalid-value', () => store.embedMissing({ tenant: name }))
      await expectError('invalid-value', () => store.forget(name))
    }
    for (const cursor of ['x', 'bnVsbA', btoa('["\\u0000","a"]')])
      await expectError('invalid-value', () => store.list({ tenant, cursor }))
    assert.deepEqual((await store.list({ tenant })).memories, [])
  },
  'wrong arguments are refused with the path of the field': async ({ tenant, open }) => {
    const store = await open()
    const wrong: readonly [
      code: 'invalid-type' | 'unexpected-field' | 'not-json',
      act: () => Promise<unknown>,
    ][] = [
      ['invalid-type', () => store.put(undefined as never)],
      ['invalid-type', () => store.put({ tenant, text: 1 as never })],
      ['unexpected-field', () => store.put({ tenant, text: 'x', metdata: {} } as never)],
      ['invalid-type', () => store.put({ tenant, text: 'x', metadata: { a: {} as never } })],
      ['not-json', () => store.put({ tenant, text: 'x', value: new Map() as never })],
      ['invalid-type', () => store.put({ tenant, text: 'x', vector: [1] as never })],
      ['invalid-type', () => store.putAll({ tenant, memories: 'x' as never })],
      ['invalid-type', () => store.putAll(undefined as never)],
      ['invalid-type', () => store.get(undefined as never)],
      ['invalid-type', () => store.list(null as never)],
      ['invalid-type', () => store.search({ tenant })],
      ['invalid-type', () => store.search({ tenant, text: 'x', vector: { model: 'm', values: [1] } })],
      ['invalid-type', () => store.search({ tenant, text: 'x', filter: { a: {} as never } })],
      ['invalid-type', () => store.search({ tenant, text: 'x', minScore: Number.NaN })],
      ['invalid-type', () => store.embedMissing(undefined as never)],
      ['invalid-type', () => store.forget(1 as never)],
    ]
    for (const [code, act] of wrong) await expectError(code, act)
    assert.deepEqual((await store.list({ tenant })).memories, [])
  },
  'forget deletes all memories of a tenant and returns a receipt': async ({ tenant, open }) => {
    const store = await open()
    const memories = Array.from({ length: 450 }, (_, index) => ({
      key: `k${index}`,
      text: `Secret ${index}`,
    }))
    await store.putAll({ tenant, memories })
    const receipt = await store.forget(tenant)
    assert.deepEqual([receipt.tenant, receipt.memoryCount], [tenant, 450])
    assert.deepEqual(new Set(receipt.keys), new Set(memories.map(({ key }) => key)))
    await expectInvisible(store, tenant, 'k0')
    await store.put({ tenant, text: 'A new start' })
    assert.equal((await store.list({ tenant })).memories.length, 1)
  },
}
