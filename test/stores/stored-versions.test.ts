import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { textOf } from 'interlingua'
import type { MemoryStore } from 'interlingua/memory'
import { postgresMemory } from 'interlingua/memory/postgres'
import { sqliteMemory } from 'interlingua/memory/sqlite'
import type { ConversationStorage, StreamEntry, StreamLog } from 'interlingua/stores'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { postgresStorage, postgresStreamLog } from 'interlingua/stores/postgres'
import { sqliteStorage, sqliteStreamLog } from 'interlingua/stores/sqlite'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSqlRowStore } from '../../src/stores/sql/sql-row-store.ts'
import { prepareDatabase, MIGRATIONS } from '../../src/stores/sql/migrations.ts'
import { openSqliteDatabase } from '../../src/stores/sqlite/sqlite-database.ts'
import { SqliteDriver } from '../../src/stores/sqlite/sqlite-driver.ts'
import { createStorage } from '../../src/stores/create-storage.ts'
import { freshDatabase } from './postgres.ts'
import { writeGoldenFiles } from './write-golden.ts'

const golden = (name: string): string => join(import.meta.dirname, '../golden/stores', name)

if (process.env['UPDATE_GOLDEN'] !== undefined)
  beforeAll(() => writeGoldenFiles(join(import.meta.dirname, '../golden/stores')))

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-versions-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A copy of a golden file, because reading a database may write to it. */
async function copied(name: string): Promise<string> {
  await copyFile(golden(name), join(folder, name))
  return join(folder, name)
}

/** The expected content of every golden file. */
async function expectGolden(storage: ConversationStorage): Promise<void> {
  expect(await storage.verify()).toEqual([])
  expect(await storage.session('golden')).toMatchObject({
    title: 'Golden',
    labels: ['a b', 'ä'],
    parameters: { n: 1 },
  })
  expect(Array.from(await storage.messages('golden'), (message) => textOf(message))).toEqual([
    'Q',
    'A1',
    'Q2',
  ])
  expect(Array.from(await storage.messages('fork'), (message) => textOf(message))).toEqual(['Q', 'A2'])
  expect(await storage.branches('golden')).toHaveLength(1)
  expect([...(await storage.labels('golden')).values()]).toEqual([['good']])
  expect((await storage.loadStore('golden')).sectionNames).toEqual(['messages', 'notes'])
  expect(await storage.usage({ by: ['model', 'day'] })).toMatchObject([
    { model: 'm', day: '2026-11-15', answers: 2, usage: { totalTokens: 14 } },
  ])
  await storage.append('golden', 'More')
  expect((await storage.messages('golden')).size).toBe(4)
  await storage.close()
}

/** The expected memory of every golden database. */
async function expectGoldenMemory(memory: MemoryStore): Promise<void> {
  const found = await memory.search({ tenant: 'default', vector: { model: 'm', values: [6, 8] } })
  expect(found.hits).toEqual([
    {
      memory: {
        key: 'units',
        text: 'Prefers metric units',
        value: { system: 'SI' },
        metadata: { topic: 'units' },
        createdAt: '2026-11-15T10:07:02.776Z',
        updatedAt: '2026-11-15T10:07:02.776Z',
        expiresAt: '2999-01-01T00:00:00.000Z',
        embedding: { model: 'm', dimensions: 2 },
      },
      score: expect.closeTo(1, 6) as number,
    },
  ])
  await memory.close()
}

/** The expected streams of every golden database. */
async function expectGoldenStreams(log: StreamLog): Promise<void> {
  const readTopic = async (topic: string): Promise<readonly StreamEntry[]> => {
    const entries: StreamEntry[] = []
    const { id = '' } = (await log.latest(topic)) ?? {}
    for await (const entry of log.read(id)) entries.push(entry)
    return entries
  }
  expect(await readTopic('complete')).toEqual([
    { type: 'chunk', event: 1, data: 'Q' },
    { type: 'chunk', event: 2, data: 'A\n' },
    { type: 'chunk', event: 3, data: 'ä' },
    { type: 'end', reason: 'complete' },
  ])
  expect(await readTopic('failed')).toEqual([
    { type: 'chunk', event: 1, data: 'half' },
    { type: 'end', reason: 'failed', code: 'provider-error' },
  ])
  await log.close()
}

describe('data of version 1 stays readable', () => {
  test('JSON lines', async () => expectGolden(await jsonlStorage(await copied('v1.jsonl'))))

  test('SQLite', async () => {
    const path = await copied('v1.db')
    await expectGolden(await sqliteStorage(path))
    await expectGoldenMemory(await sqliteMemory(path))
    await expectGoldenStreams(await sqliteStreamLog(path))
  })

  test('PostgreSQL', async () => {
    const database = await freshDatabase()
    try {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      await client.query(await readFile(golden('v1.sql'), 'utf8'))
      await client.end()
      await expectGolden(await postgresStorage(database.url))
      await expectGoldenMemory(await postgresMemory(database.url))
      await expectGoldenStreams(await postgresStreamLog(database.url))
    } finally {
      await database.drop()
    }
  })

  test('an export', async () => {
    const storage = await sqliteStorage(':memory:')
    const lines = (await readFile(golden('v1-export.jsonl'), 'utf8')).trim().split('\n')
    await storage.importSession(lines)
    expect(Array.from(await storage.messages('fork'), (message) => textOf(message))).toEqual(['Q', 'A2'])
    expect(await storage.verify()).toEqual([])
    await storage.close()
  })
})

describe('migrations', () => {
  const next = [...MIGRATIONS, ['alter table interlingua_sessions add column later text', 'select 1']]

  test('upgrade an old database once, and keep its data', async () => {
    const file = await copied('v1.db')
    const driver = new SqliteDriver(await openSqliteDatabase(file), 1_000)
    await prepareDatabase(driver, true, next)
    await prepareDatabase(driver, true, next)
    await expectGolden(createStorage(createSqlRowStore(driver)))
    await expect(sqliteStorage(file)).rejects.toMatchObject({ code: 'unsupported-version' })
  })

  test('change nothing if one of them fails', async () => {
    const file = await copied('v1.db')
    const driver = new SqliteDriver(await openSqliteDatabase(file), 1_000)
    await expect(
      prepareDatabase(driver, true, [...next, ['create table x (y text)', 'nonsense']]),
    ).rejects.toThrow('nonsense')
    await driver.close()
    await expectGolden(await sqliteStorage(file))
  })

  test('of many concurrent starts on PostgreSQL, one migrates', async () => {
    const database = await freshDatabase()
    const all = await Promise.all(
      Array.from({ length: 5 }, () => postgresStorage(database.url, { connections: 1 })),
    )
    await all[0]?.createSession({ id: 's' })
    expect((await all[4]?.session('s'))?.id).toBe('s')
    await Promise.all(all.map((storage) => storage.close()))
    await database.drop()
  })
})
