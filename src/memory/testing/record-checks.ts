import { assert } from '../../stores/testing/assertions.ts'
import type { NewMemory } from '../memory-store.ts'
import { createClock, expectError, listKeys, type MemoryChecks } from './check-helpers.ts'

const START = '2026-01-01T00:00:00.000Z'
const LATER = '2026-01-02T00:00:00.000Z'
const LAST = '2026-01-03T00:00:00.000Z'

/** Checks of storing, reading, listing, deleting and expiring memories, and of the limits. */
export const memoryRecordChecks: MemoryChecks = {
  'a memory is returned as it was stored': async ({ tenant, open }) => {
    const { now } = createClock(START)
    const store = await open({ now })
    const texts = ['plain', '\u0000', '\ud800 alone', '🦜'.repeat(100), '\u2028 x', "'; drop table x; --"]
    for (const text of texts) {
      const value = { text, list: [1, null, { nested: true }], __proto__: 'x' }
      const metadata = { topic: text, count: 1.5, isTrue: true }
      const { memory, status } = await store.put({ tenant, key: 'k', text, value, metadata })
      assert.equal(status === 'unchanged', false)
      assert.deepEqual(memory, { key: 'k', text, value, metadata, createdAt: START, updatedAt: START })
      assert.deepEqual(await store.get({ tenant, key: 'k' }), memory)
    }
    assert.equal(await store.get({ tenant, key: 'other' }), undefined)
  },
  'a write can be repeated': async ({ tenant, open }) => {
    const clock = createClock(START)
    const store = await open({ now: clock.now })
    const memory = { tenant, text: 'Prefers tea', metadata: { a: 1, b: 2 }, expiresAt: LAST }
    const first = await store.put(memory)
    assert.equal(first.status, 'created')
    clock.set(LATER)
    const again = await store.put({ ...memory, metadata: { b: 2, a: 1 }, expiresAt: new Date(LAST) })
    assert.deepEqual(again, { memory: first.memory, status: 'unchanged' })
    const other = await store.put({ ...memory, text: 'Prefers coffee' })
    assert.notEqual(other.memory.key, first.memory.key)
    const { key } = first.memory
    const changed = await store.put({ tenant, key, text: 'Prefers mate' })
    assert.deepEqual(
      [changed.status, changed.memory.createdAt, changed.memory.updatedAt, changed.memory.expiresAt],
      ['updated', START, LATER, undefined],
    )
    assert.equal((await store.list({ tenant })).memories.length, 2)
  },
  'several memories are stored together or not at all': async ({ tenant, open }) => {
    const store = await open()
    const results = await store.putAll({
      tenant,
      memories: [{ key: 'a', text: 'One' }, { key: 'a', text: 'Two' }, { text: 'Three' }, { text: 'Three' }],
    })
    assert.deepEqual(
      results.map(({ status }) => status),
      ['created', 'updated', 'created', 'unchanged'],
    )
    assert.equal((await store.get({ tenant, key: 'a' }))?.text, 'Two')
    await expectError('invalid-value', () =>
      store.putAll({ tenant, memories: [{ key: 'b', text: 'Fine' }, { text: '' }] }),
    )
    assert.equal(await store.get({ tenant, key: 'b' }), undefined)
    assert.deepEqual(await store.putAll({ tenant, memories: [] }), [])
  },
  'lists are paged, ordered by creation, and filtered': async ({ tenant, open }) => {
    const clock = createClock(START)
    const store = await open({ now: clock.now })
    const named = (key: string, topic: string): NewMemory => ({ key, text: key, metadata: { topic } })
    await store.putAll({
      tenant,
      memories: ['ü', 'b', '\u{1f99c}', '\uff5e', 'a'].map((key) => named(key, 'x')),
    })
    clock.set(LATER)
    await store.putAll({ tenant, memories: [named('0', 'y'), named('1', 'x')] })
    await store.put({ tenant, ...named('b', 'y') })
    const order = ['a', 'b', 'ü', '\uff5e', '\u{1f99c}', '0', '1']
    assert.deepEqual(await listKeys(store, { tenant }), [order])
    for (const limit of [1, 2, 3, 7])
      assert.deepEqual((await listKeys(store, { tenant, limit })).flat(), order, `limit ${limit}`)
    assert.deepEqual(await listKeys(store, { tenant, limit: 4 }), [order.slice(0, 4), order.slice(4)])
    assert.deepEqual(await listKeys(store, { tenant, limit: 1, filter: { topic: 'y' } }), [['b'], ['0']])
    assert.deepEqual(await listKeys(store, { tenant, filter: { topic: ['y', 'z'] } }), [['b', '0']])
    assert.deepEqual(await listKeys(store, { tenant, filter: { constructor: 'y' } }), [[]])
  },
  'a deleted memory is gone': async ({ tenant, open }) => {
    const store = await open()
    const { memory } = await store.put({ tenant, text: 'Short-lived' })
    assert.equal(await store.delete({ tenant, key: memory.key }), true)
    assert.equal(await store.delete({ tenant, key: memory.key }), false)
    assert.equal(await store.get({ tenant, key: memory.key }), undefined)
    assert.deepEqual((await store.search({ tenant, text: 'short lived' })).hits, [])
  },
  'an expired memory is invisible, makes room, and is deleted by prune': async ({ tenant, open }) => {
    const clock = createClock(START)
    const store = await open({ now: clock.now, limits: { maxMemories: 2 } })
    const expiring = { tenant, key: 'a', text: 'Meeting tomorrow', expiresAt: LATER }
    await store.put(expiring)
    await store.put({ tenant, key: 'b', text: 'Meeting place' })
    await expectError('invalid-value', () => store.put({ ...expiring, expiresAt: START }))
    clock.set(LATER)
    assert.equal(await store.get({ tenant, key: 'a' }), undefined)
    assert.deepEqual(await listKeys(store, { tenant }), [['b']])
    assert.equal((await store.search({ tenant, text: 'meeting' })).hits.length, 1)
    assert.equal((await store.put({ tenant, key: 'c', text: 'Third' })).status, 'created')
    await expectError('too-many-elements', () => store.put({ tenant, key: 'd', text: 'Fourth' }))
    await store.put({ tenant, key: 'c', text: 'Third', expiresAt: LAST })
    clock.set(LAST)
    assert.equal((await store.prune()) >= 1, true)
    assert.equal(await store.prune(), 0)
    assert.equal(await store.delete({ tenant, key: 'c' }), false)
    assert.equal((await store.put({ tenant, key: 'c', text: 'Third' })).memory.createdAt, LAST)
  },
  'limits are errors with a code, and nothing is stored': async ({ tenant, open }) => {
    const limits = {
      maxMemories: 3,
      maxTextLength: 10,
      maxValueLength: 10,
      maxMetadataLength: 20,
      maxDimensions: 2,
    }
    const store = await open({ limits })
    const tooLarge: readonly NewMemory[] = [
      { text: 'x'.repeat(11) },
      { text: 'x', value: 'x'.repeat(9) },
      { text: 'x', metadata: { name: 'x'.repeat(20) } },
      { text: 'x', vector: { model: 'm', values: [1, 2, 3] } },
      { text: 'x', vector: { model: 'm', values: [Number.NaN] } },
      { text: 'x', vector: { model: 'm'.repeat(200), values: [1] } },
    ]
    for (const memory of tooLarge) await expectError('invalid-value', () => store.put({ tenant, ...memory }))
    const memories = ['1', '2', '3', '4'].map((text) => ({ text }))
    await expectError('too-many-elements', () => store.putAll({ tenant, memories }))
    assert.deepEqual(await listKeys(store, { tenant }), [[]])
    await store.putAll({ tenant, memories: memories.slice(0, 2) })
    await expectError('too-many-elements', () => store.putAll({ tenant, memories: memories.slice(2) }))
    await store.putAll({ tenant, memories: memories.slice(1, 3) })
    const writes = memories.slice(3).map(({ text }) => store.put({ tenant, text }))
    assert.equal((await Promise.allSettled(writes)).filter(({ status }) => status === 'fulfilled').length, 0)
    for (const text of ['', ' \n', 'x'.repeat(10_001)])
      await expectError('invalid-value', () => store.search({ tenant, text }))
    for (const limit of [0, 1.5, 1_001])
      await expectError('invalid-value', () => store.list({ tenant, limit }))
  },
  'writers at the same time keep the limit, and lose nothing': async ({ tenant, open }) => {
    const [first, second] = [
      await open({ limits: { maxMemories: 10 } }),
      await open({ limits: { maxMemories: 10 } }),
    ]
    const writes = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? first : second).put({ tenant, key: `k${index}`, text: `Fact ${index}` }),
    )
    const settled = await Promise.allSettled(writes)
    const stored = (await listKeys(first, { tenant })).flat()
    // A volatile store that is opened twice is two stores.
    const all = new Set([...stored, ...(await listKeys(second, { tenant })).flat()])
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, all.size)
    assert.equal(stored.length, 10)
  },
}
