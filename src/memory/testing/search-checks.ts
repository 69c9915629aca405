import { assert } from '../../stores/testing/assertions.ts'
import type { NewMemory } from '../memory-store.ts'
import {
  createClock,
  createWordEmbeddingModel,
  expectError,
  listHitKeys,
  type MemoryCheckContext,
  type MemoryChecks,
} from './check-helpers.ts'

const FACTS: readonly NewMemory[] = [
  { key: 'tea', text: 'The user prefers green tea in the morning', metadata: { topic: 'drinks' } },
  { key: 'coffee', text: 'The user drinks coffee after lunch', metadata: { topic: 'drinks' } },
  { key: 'city', text: 'The user lives in Oslo', metadata: { topic: 'home' } },
  { key: 'dog', text: 'The user has a dog named Green', metadata: { topic: 'home' } },
]

/** Returns a pseudo-random vector; the same for the same seed. */
function createVector(seed: number, dimensions: number): number[] {
  let state = seed * 2_654_435_761 + 1
  return Array.from({ length: dimensions }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 1_073_741_824 - 1
  })
}

function computeCosine(a: readonly number[], b: readonly number[]): number {
  const product = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0)
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
}

async function checkAgainstNaiveSearch({ tenant, open }: MemoryCheckContext): Promise<void> {
  const [dimensions, count] = [24, 600]
  const store = await open({ now: createClock('2026-01-01T00:00:00.000Z').now })
  const vectors = Array.from({ length: count }, (_, index) =>
    // Some vectors are equal, and some differ in length only: the order of equal scores is defined, too.
    createVector(index % 7 === 0 ? 1 : index, dimensions).map((value) => value * (1 + (index % 5))),
  )
  const memories = vectors.map((values, index) => ({
    key: `k${String(index).padStart(4, '0')}`,
    text: `Fact ${index}`,
    metadata: { even: index % 2 === 0 },
    vector: { model: 'm', values },
  }))
  await store.putAll({ tenant, memories })
  for (const [seed, limit, even] of [
    [1, 10, undefined],
    [2, 100, undefined],
    [3, 25, true],
    [4, 600, false],
  ] as const) {
    const query = createVector(seed, dimensions)
    const expected = memories
      .filter(({ metadata }) => even === undefined || metadata.even === even)
      .map(({ key, vector }) => ({ key, score: computeCosine(query, vector.values) }))
      .filter(({ score }) => score >= 0.1)
      // Equal scores differ in the last digits of the naive computation.
      .toSorted((a, b) => (Math.abs(a.score - b.score) < 1e-6 ? (a.key < b.key ? -1 : 1) : b.score - a.score))
      .slice(0, limit)
    const { hits, method } = await store.search({
      tenant,
      vector: { model: 'm', values: query },
      limit,
      minScore: 0.1,
      ...(even !== undefined && { filter: { even } }),
    })
    assert.equal(method, 'vector')
    for (const [index, { score }] of hits.entries())
      assert.ok(Math.abs(score - (expected[index]?.score ?? 2)) < 1e-6, `score ${index}`)
    assert.deepEqual(listHitKeys(hits).toSorted(), expected.map(({ key }) => key).toSorted())
  }
}

/** Checks of searches by words and by vectors. */
export const memorySearchChecks: MemoryChecks = {
  'without an embedding model, words are compared, and rare ones count more': async ({ tenant, open }) => {
    const store = await open()
    await store.putAll({ tenant, memories: FACTS })
    const search = async (text: string, rest: object = {}): Promise<string[]> =>
      listHitKeys((await store.search({ tenant, text, ...rest })).hits)
    assert.deepEqual((await search('Does the user like GREEN TEA?')).slice(0, 2), ['tea', 'dog'])
    assert.deepEqual(await search('Oslo'), ['city'])
    assert.deepEqual(await search('Ｏｓｌｏ'), ['city'])
    assert.deepEqual(await search('nothing matches'), [])
    assert.deepEqual(await search('?!'), [])
    assert.deepEqual(await search('green', { filter: { topic: 'home' } }), ['dog'])
    assert.equal((await search('user', { limit: 2 })).length, 2)
    const { hits, method } = await store.search({ tenant, text: 'the user lives in oslo' })
    assert.deepEqual([method, hits[0]?.memory.key, hits[0]?.score], ['keywords', 'city', 1])
    assert.deepEqual(await search('the user lives in oslo', { minScore: 0.9 }), ['city'])
    await store.put({ tenant, key: 'han', text: '用户住在奥斯陆' })
    assert.deepEqual(await search('奥斯陆'), ['han'])
  },
  'with an embedding model, vectors are compared, and a text is embedded once': async ({ tenant, open }) => {
    const model = createWordEmbeddingModel()
    const store = await open({ embedding: { model, batchSize: 2 } })
    const results = await store.putAll({ tenant, memories: FACTS })
    assert.deepEqual(results[0]?.memory.embedding, { model: 'test/words', dimensions: 64 })
    assert.equal(model.embedded.length, 4)
    const { hits, method, notCompared } = await store.search({ tenant, text: 'user lives in Oslo', limit: 1 })
    assert.deepEqual([method, listHitKeys(hits), notCompared], ['vector', ['city'], 0])
    await store.putAll({ tenant, memories: FACTS })
    await store.put({ tenant, key: 'tea', text: FACTS[0]?.text ?? '', metadata: { topic: 'other' } })
    assert.equal(model.embedded.length, 5)
    const filtered = await store.search({ tenant, text: 'green tea', filter: { topic: 'other' } })
    assert.deepEqual(listHitKeys(filtered.hits), ['tea'])
    await store.put({ tenant, key: 'tea', text: 'Prefers black tea' })
    assert.equal(model.embedded.at(-1), 'Prefers black tea')
  },
  'vectors of other models and dimensions are never compared, and counted': async ({ tenant, open }) => {
    const [old, current] = [createWordEmbeddingModel('old'), createWordEmbeddingModel('new')]
    const before = await open({ embedding: { model: old } })
    await before.putAll({ tenant, memories: FACTS.slice(0, 2) })
    const plain = await open()
    // A volatile store that is opened again is another store.
    if ((await plain.list({ tenant })).memories.length === 0) return
    await plain.put({ tenant, ...(FACTS[2] as NewMemory) })
    const after = await open({ embedding: { model: current } })
    await after.put({ tenant, ...(FACTS[3] as NewMemory) })
    const search = { tenant, text: 'green tea in Oslo', minScore: -1 }
    const first = await after.search(search)
    assert.deepEqual([listHitKeys(first.hits), first.notCompared], [['dog'], 3])
    assert.equal(await after.embedMissing({ tenant }), 3)
    assert.equal(await after.embedMissing({ tenant }), 0)
    const second = await after.search(search)
    assert.deepEqual([second.hits.length, second.notCompared], [4, 0])
    assert.equal((await before.search(search)).notCompared, 4)
    await expectError('unsupported', () => plain.embedMissing({ tenant }))
  },
  'vectors of the caller are compared only with those of the same kind': async ({ tenant, open }) => {
    const store = await open({ now: createClock('2026-01-01T00:00:00.000Z').now })
    const vectors = [
      ['a', [1, 0]],
      ['a', [0, 1]],
      ['a', [1, 0, 0]],
      ['b', [1, 0]],
      ['a', [0, 0]],
    ] as const
    for (const [index, [model, values]] of vectors.entries())
      await store.put({ tenant, key: `${index}`, text: 'x', vector: { model, values } })
    const { hits, notCompared } = await store.search({ tenant, vector: { model: 'a', values: [3, 0] } })
    assert.deepEqual(
      hits.map(({ memory, score }) => [memory.key, score]),
      [
        ['0', 1],
        ['1', 0],
        ['4', 0],
      ],
    )
    assert.equal(notCompared, 2)
    const large = await store.search({ tenant, vector: { model: 'a', values: [1e200, 1e200] }, limit: 1 })
    assert.ok(Math.abs((large.hits[0]?.score ?? 0) - Math.SQRT1_2) < 1e-6)
    const memory = { tenant, key: '0', text: 'x', vector: { model: 'a', values: [2, 0] } }
    assert.equal((await store.put(memory)).status, 'unchanged')
  },
  'a search by vector finds the same as a naive search': checkAgainstNaiveSearch,
  'a search is aborted by its signal': async ({ tenant, open }) => {
    const store = await open({ embedding: { model: createWordEmbeddingModel() } })
    const signal = AbortSignal.abort()
    await expectError('aborted', () => store.search({ tenant, text: 'x', signal }))
    await expectError('aborted', () => store.put({ tenant, text: 'x', signal }))
    assert.deepEqual((await store.list({ tenant })).memories, [])
  },
}
