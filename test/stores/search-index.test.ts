import { createRequire } from 'node:module'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { user } from 'interlingua'
import type { ConversationStorage } from 'interlingua/stores'
import { type PostgresOptions, postgresStorage } from 'interlingua/stores/postgres'
import { type SqliteDatabase, type SqliteOptions, sqliteStorage } from 'interlingua/stores/sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { observeStatements } from './observe-statements.ts'
import { freshDatabase } from './postgres.ts'
import { openSqliteDatabase } from '../../src/stores/sqlite/sqlite-database.ts'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
  DatabaseSync: new (path: string) => SqliteDatabase
}

let folder = ''
let server: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-search-'))
  server = await freshDatabase()
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await server.drop()
})

interface Backend {
  readonly open: (options?: SqliteOptions & PostgresOptions) => Promise<ConversationStorage>
  readonly run: (text: string) => Promise<unknown>
}

const keys = { currentKeyId: () => 'k', key: () => new Uint8Array(32) }

const backends: Readonly<Record<string, (name: string) => Backend>> = {
  sqlite: (name) => ({
    open: (options) => sqliteStorage(join(folder, `${name}.db`), options),
    run: async (text) => {
      // Two copies of SQLite in one process do not see each other's locks: the storage's own is used.
      const database = await openSqliteDatabase(join(folder, `${name}.db`))
      database.exec(text)
      database.close()
    },
  }),
  postgres: (name) => ({
    open: (options) => postgresStorage(server.url, { ...options, tenant: name }),
    run: async (text) => {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      await client.query(text)
      await client.end()
    },
  }),
}

const countHits = async (storage: ConversationStorage, query: string): Promise<number> =>
  (await storage.search({ query })).hits.length

describe.each(Object.entries(backends))('the index of %s', (_name, backend) => {
  test('is created by the option, with the messages that exist, and used without it', async () => {
    const { open, run } = backend('created')
    const before = await open()
    await before.createSession({ id: 's' })
    await before.append('s', ['needle one', 'needle two'])
    await expect(before.search({ query: 'needle' })).rejects.toMatchObject({ code: 'unsupported' })
    expect('rebuildSearchIndex' in before).toBe(false)
    await before.close()
    await expect(open({ search: true, migrate: false })).rejects.toMatchObject({
      code: 'unsupported-version',
    })
    const created = await open({ search: true })
    expect(await countHits(created, 'needle')).toBe(2)
    await created.close()
    const later = await open()
    await later.append('s', 'needle three')
    expect([await countHits(later, 'needle'), await later.verify()]).toEqual([3, []])

    await run('delete from interlingua_search where time_ms > 0')
    expect(await countHits(later, 'needle')).toBe(0)
    expect((await later.verify()).map(({ kind }) => kind)).toEqual(['search', 'search', 'search'])
    expect(await later.rebuildSearchIndex?.()).toBe(3)
    expect([await countHits(later, 'needle'), await later.verify()]).toEqual([3, []])
    await run(`update interlingua_search set digest = 'other'`)
    expect((await later.verify('s')).map(({ kind }) => kind)).toEqual(['search', 'search', 'search'])
    await later.rebuildSearchIndex?.()
    expect(await later.verify()).toEqual([])
    await later.close()
  })

  test('is written by appends in a row, and not by one that fails', async () => {
    const { open } = backend('appends')
    const storage = await open({ search: true })
    await storage.createSession({ id: 's' })
    for (let count = 0; count < 4; count++) {
      await storage.append('s', [user(`needle ${count}`), user(`needle ${count} again`)])
      await storage.append('s', 'an internal note', { section: '~context-notes' })
    }
    const head = await storage.head('s')
    await expect(storage.append('s', 'needle', { expectedHead: 'other' })).rejects.toMatchObject({
      code: 'conflict',
    })
    await storage.append('s', 'needle', { expectedHead: head ?? null })
    expect([await countHits(storage, 'needle'), await countHits(storage, 'note')]).toEqual([9, 0])
    expect(await storage.verify('s')).toEqual([])
    await storage.close()
  })

  test('contains nothing of encrypted messages, and an encrypted storage refuses it', async () => {
    const { open } = backend('encrypted')
    await expect(open({ search: true, encryption: { keys } })).rejects.toMatchObject({ code: 'unsupported' })
    const plain = await open({ search: true })
    const encrypted = await open({ encryption: { keys } })
    await encrypted.createSession({ id: 's' })
    await encrypted.append('s', user('needle', { id: 'm' }))
    await encrypted.replace('s', 'm', 'other needle')
    await expect(encrypted.search({ query: 'needle' })).rejects.toMatchObject({ code: 'unsupported' })
    expect(await countHits(plain, 'needle')).toBe(0)
    expect(await encrypted.verify()).toEqual([])
    await encrypted.close()
    await plain.close()
  })
})

test('PostgreSQL encrypts messages if `encryption` is given', async () => {
  const storage = await postgresStorage(server.url, { tenant: 'secret', encryption: { keys } })
  await storage.createSession({ id: 's' })
  await storage.append('s', 'confidential text')
  expect((await storage.messages('s')).size).toBe(1)
  await storage.close()
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  const { rows } = await client.query(`select body from interlingua_messages where tenant = 'secret'`)
  await client.end()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('confidential')
})

describe('the index of SQLite', () => {
  test('is kept up to date by a process that was opened before another one created it', async () => {
    const path = join(folder, 'late.db')
    const early = await sqliteStorage(path)
    const late = await sqliteStorage(path, { search: true })
    await early.createSession({ id: 's' })
    await early.append('s', 'needle')
    expect([await countHits(late, 'needle'), await countHits(early, 'needle')]).toEqual([1, 1])
    await early.close()
    await late.close()
  })

  test('reports rows that belong to no message or have no tokens, and removes them', async () => {
    const path = join(folder, 'ghosts.db')
    const storage = await sqliteStorage(path, { search: true })
    await storage.createSession({ id: 's' })
    await storage.append('s', ['needle one', 'needle two'])
    const database = await openSqliteDatabase(path)
    database.exec(`insert into interlingua_search values (1, 'ghost', 'default', 1, 'd')`)
    database.exec(`insert into interlingua_search_tokens (rowid, tokens) values (2, 'ghost')`)
    database.exec(
      'delete from interlingua_search_tokens where rowid = (select max(position) from interlingua_search)',
    )
    database.close()
    const issues = await storage.verify()
    expect(issues.map(({ kind }) => kind)).toEqual(['search', 'search', 'search'])
    expect(await countHits(storage, 'needle')).toBe(1)
    expect(await storage.rebuildSearchIndex?.()).toBe(1)
    expect([await countHits(storage, 'needle'), await storage.verify()]).toEqual([2, []])
    await storage.close()
  })

  test('contains no word of a deleted message after maintain()', async () => {
    const path = join(folder, 'erased.db')
    const storage = await sqliteStorage(path, { search: true })
    for (const id of ['kept', 'deleted']) await storage.createSession({ id })
    await storage.append(
      'kept',
      Array.from({ length: 20 }, (_, index) => user(`remaining${index}`)),
    )
    await storage.append(
      'deleted',
      Array.from({ length: 20 }, (_, index) => user(`erasable${index}`)),
    )
    await storage.deleteSession('deleted')
    await storage.maintain()
    const files = (await readdir(folder)).filter((name) => name.startsWith('erased.db'))
    const bytes = await Promise.all(files.map((name) => readFile(join(folder, name), 'latin1')))
    expect(bytes.join('')).toContain('remaining7')
    expect(bytes.join('')).not.toContain('erasable')
    expect([await countHits(storage, 'remaining7'), await storage.verify()]).toEqual([1, []])
    await storage.close()
  })

  test('is refused if the SQLite of the caller has no FTS5', async () => {
    const database = new DatabaseSync(':memory:')
    const without: SqliteDatabase = {
      exec: (text) => database.exec(text),
      close: () => database.close(),
      prepare: (text) => database.prepare(text.replace('using fts5', 'using fts5missing')),
    }
    await expect(sqliteStorage(without, { search: true })).rejects.toMatchObject({ code: 'unsupported' })
  })
})

test('a search reads a page of a frequent word, however many messages contain it', async () => {
  const statements: { text: string; rows: number }[] = []
  const counting = observeStatements(new DatabaseSync(':memory:'), (text, execute) => {
    const rows = execute()
    statements.push({ text, rows: rows.length })
    return rows
  })
  const storage = await sqliteStorage(counting, { search: true })
  await storage.createSession({ id: 's' })
  await storage.append(
    's',
    Array.from({ length: 3_000 }, (_, index) => user(`needle ${index}`)),
  )
  statements.length = 0
  const { hits, cursor } = await storage.search({ query: 'needle', limit: 5 })
  expect([hits.length, cursor]).toEqual([5, expect.any(String)])
  expect(Math.max(...statements.map(({ rows }) => rows))).toBeLessThan(50)
  await storage.close()
})
