import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteMemory } from 'interlingua/memory/sqlite'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqliteDatabase } from '../../src/stores/sqlite/sqlite-database.ts'

const tenant = 'ada'
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-memory-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Returns a vector that is the same for the same seed; neighbours differ in the last digits only. */
const createVector = (seed: number): number[] =>
  Array.from({ length: 48 }, (_, index) => Math.sin(index * 1.7) + Math.sin(seed * (index + 1)) * 1e-4)

test('sqlite-vec and JavaScript find the same, also where the scores nearly agree', async () => {
  const path = join(folder, 'both.db')
  const [extended, plain] = [await sqliteMemory(path), await sqliteMemory(path, { useSqliteVec: false })]
  expect([extended.usesSqliteVec, plain.usesSqliteVec]).toEqual([true, false])
  const memories = Array.from({ length: 700 }, (_, index) => ({
    text: `Fact ${index}`,
    vector: { model: 'm', values: createVector(index % 500) },
  }))
  await extended.putAll({ tenant, memories })
  for (const seed of [1, 2.5, 499]) {
    const search = { tenant, vector: { model: 'm', values: createVector(seed) }, limit: 50 }
    const [a, b] = [await extended.search(search), await plain.search(search)]
    expect(a.hits).toHaveLength(50)
    expect(a).toEqual(b)
  }
  await extended.close()
  await plain.close()
})

test('memories and conversations share a file, and forgotten text is erased from it', async () => {
  const path = join(folder, 'shared.db')
  const storage = await sqliteStorage(path)
  const memory = await sqliteMemory(path)
  await Promise.all([storage.createSession({ id: 's' }), memory.put({ tenant, text: 'The unique aardvark' })])
  expect((await memory.list({ tenant })).memories).toHaveLength(1)
  expect((await storage.session('s'))?.id).toBe('s')
  expect(await storage.verify()).toEqual([])
  await storage.close()
  await memory.forget(tenant)
  await memory.maintain()
  await memory.close()
  expect((await readFile(path)).includes('aardvark')).toBe(false)
})

test('a file of another program is refused, and damaged content is reported', async () => {
  const foreign = join(folder, 'foreign.db')
  await writeFile(foreign, 'not a database at all')
  await expect(sqliteMemory(foreign)).rejects.toMatchObject({ code: 'foreign-file' })
  const path = join(folder, 'damaged.db')
  const memory = await sqliteMemory(path)
  await memory.put({ tenant, key: 'k', text: 'Fine' })
  const database = await openSqliteDatabase(path)
  database.exec(`update interlingua_memories set body = '{"text":1}'`)
  database.close()
  await expect(memory.get({ tenant, key: 'k' })).rejects.toMatchObject({ code: 'damaged' })
  expect(await memory.delete({ tenant, key: 'k' })).toBe(true)
  await memory.close()
})

test('on a platform without the extension, vectors are compared in JavaScript, unless it is required', async () => {
  const { arch } = process
  const setArch = (value: string): void => {
    Object.defineProperty(process, 'arch', { value, configurable: true })
    syncBuiltinESMExports()
  }
  setArch('unknown')
  try {
    await expect(sqliteMemory(':memory:', { useSqliteVec: true })).rejects.toMatchObject({
      code: 'unsupported',
    })
    const memory = await sqliteMemory(':memory:')
    expect(memory.usesSqliteVec).toBe(false)
    await memory.close()
  } finally {
    setArch(arch)
  }
})

test('every statement of a search finds its rows with an index', async () => {
  const database = await openSqliteDatabase(':memory:')
  const statements = new Set<string>()
  const memory = await sqliteMemory({
    exec: (text) => database.exec(text),
    close: () => database.close(),
    prepare(text) {
      if (/interlingua_memor/.test(text) && !/^\s*(create|insert)/.test(text)) statements.add(text)
      return database.prepare(text)
    },
  })
  const vector = { model: 'm', values: [1, 0] }
  await memory.put({ tenant, key: 'k', text: 'x', vector })
  await memory.list({ tenant, cursor: Buffer.from('["2026","k"]').toString('base64url') })
  await memory.search({ tenant, text: 'x' })
  await memory.search({ tenant, vector })
  await memory.delete({ tenant, key: 'k' })
  await memory.forget(tenant)
  await memory.prune()
  expect(statements.size).toBeGreaterThan(9)
  for (const statement of statements) {
    const rows = database.prepare(`explain query plan ${statement}`).all() as { readonly detail: string }[]
    const plan = rows.map(({ detail }) => detail).join('\n')
    expect({ statement, plan }).not.toMatchObject({
      plan: expect.stringMatching(/\bSCAN interlingua/) as string,
    })
    expect({ statement, plan }).not.toMatchObject({ plan: expect.stringMatching(/TEMP B-TREE/) as string })
  }
  await memory.close()
})
