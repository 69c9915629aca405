import { user } from 'interlingua'
import {
  type ConversationStorage,
  createStorage,
  memoryStorage,
  replicated,
  type RowStore,
  type RowTransaction,
} from 'interlingua/stores'
import { storageConformanceTests } from 'interlingua/stores/testing'
import { describe, expect, test } from 'vitest'
import { InMemoryRowStore } from '../../src/stores/in-memory/memory-storage.ts'

test('a search for a frequent word in memory follows the time of messages, whatever the order of writes', async () => {
  const storage = memoryStorage()
  await storage.createSession({ id: 's' })
  const at = (second: number): ReturnType<typeof user> =>
    user(`needle ${second}`, { createdAt: new Date(second * 1000).toISOString(), id: `m${second}` })
  const newest = async (): Promise<readonly string[]> =>
    (await storage.search({ query: 'needle', limit: 3 })).hits.map(({ message }) => message)
  await storage.append(
    's',
    Array.from({ length: 1_000 }, (_, index) => at(((index * 7) % 1_000) + 1)),
  )
  expect(await newest()).toEqual(['m1000', 'm999', 'm998'])
  await storage.append('s', [at(2_000), at(1_500), at(3_000)])
  expect(await newest()).toEqual(['m3000', 'm2000', 'm1500'])
  await storage.remove('s', 'm3000')
  await storage.replace('s', 'm2000', 'other')
  expect(await newest()).toEqual(['m1500', 'm1000', 'm999'])
})

test('a search that examines too many messages returns a page without hits, and a cursor', async () => {
  const storage = memoryStorage()
  await storage.createSession({ id: 's' })
  await storage.append('s', user('one two'))
  await storage.append(
    's',
    Array.from({ length: 3_000 }, () => user('two one')),
  )
  const first = await storage.search({ query: '"one two"' })
  expect([first.hits, first.cursor]).toEqual([[], expect.any(String)])
  const second = await storage.search({ query: '"one two"', cursor: first.cursor ?? '' })
  expect([second.hits.length, second.cursor]).toEqual([1, undefined])
})

test('a replicated storage searches the primary, and a replica if the primary fails', async () => {
  const [primary, replica] = [memoryStorage(), memoryStorage()]
  const broken: ConversationStorage = { ...primary, search: () => Promise.reject(new Error('down')) }
  for (const each of [primary, replica]) await each.createSession({ id: 's' })
  await primary.append('s', ['needle primary'])
  await replica.append('s', ['needle replica', 'needle replica'])
  expect((await replicated([primary, replica]).search({ query: 'needle' })).hits).toHaveLength(1)
  const storage = replicated([broken, replica])
  const { hits, cursor = '' } = await storage.search({ query: 'needle', limit: 1 })
  expect([hits.length, cursor]).toEqual([1, expect.stringMatching(/^1:/)])
  expect((await storage.search({ query: 'needle', limit: 1, cursor })).hits).toHaveLength(1)
  await expect(storage.search({ query: 'needle', cursor: '9:1~1' })).rejects.toMatchObject({
    code: 'invalid-value',
  })
})

/** A row store without an index. */
function withoutIndex(): RowStore {
  const store = new InMemoryRowStore()
  const strip: RowStore['read'] = (act) =>
    store.read((rows) => {
      const others = Object.entries(rows).filter(([name]) => name !== 'search')
      return act(Object.fromEntries(others) as unknown as RowTransaction)
    })
  return { read: strip, write: strip, close: () => store.close() }
}

describe('a row store without an index', () => {
  const subject = { open: async () => createStorage(withoutIndex()), isVolatile: true, random: { seeds: 1 } }
  const checks = storageConformanceTests(subject).filter(({ name }) => /search|hits|found/.test(name))
  for (const { name, run } of checks) test(name, run)
})
