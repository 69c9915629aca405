import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf } from 'interlingua'
import { type ConversationStorage, createKeyring, type Keyring, memoryStorage } from 'interlingua/stores'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { sqliteStorage, type SqliteDatabase } from 'interlingua/stores/sqlite'
import { postgresStorage } from 'interlingua/stores/postgres'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshDatabase } from './postgres.ts'
import { openSqliteDatabase } from '../../src/stores/sqlite/sqlite-database.ts'

const createKey = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

const keyring = (...ids: readonly string[]): Keyring =>
  createKeyring(
    Object.fromEntries(
      ['default', 'acme'].map((tenant) => [
        tenant,
        {
          current: ids.at(-1) ?? '',
          keys: Object.fromEntries(ids.map((id) => [id, createKey(id.charCodeAt(0) + tenant.length)])),
        },
      ]),
    ),
  )

let database: SqliteDatabase
beforeEach(async () => {
  database = await openSqliteDatabase(':memory:')
})
afterEach(() => database.close())

/** Opens the same database with the keys of these ids; the last one is the current one. */
const open = (...ids: readonly string[]): Promise<ConversationStorage> =>
  sqliteStorage(database, { encryption: { keys: keyring(...ids) } })

const select = (table: string, columns = '*'): unknown[] =>
  database.prepare(`select ${columns} from interlingua_${table} order by rowid`).all()

async function fill(storage: ConversationStorage, session = 's'): Promise<void> {
  await storage.createSession({
    id: session,
    title: 'Secret title',
    labels: ['Secret label'],
    parameters: { secret: 1 },
  })
  const { head } = await storage.append(session, ['Secret question', 'Secret answer'])
  await storage.label(session, head ?? '', 'Secret mark')
}

const texts = async (storage: ConversationStorage, session = 's'): Promise<readonly string[]> =>
  Array.from(await storage.messages(session), (message) => textOf(message))

describe('encryption at rest', () => {
  test('no content is stored in clear, and everything is read back', async () => {
    const storage = await open('k1')
    await fill(storage)
    const stored = ['sessions', 'sections', 'messages', 'labels'].map((table) => select(table))
    expect(JSON.stringify(stored)).not.toMatch(/secret/i)
    expect(JSON.stringify(stored)).toContain('k1')
    expect(await texts(storage)).toEqual(['Secret question', 'Secret answer'])
    expect(await storage.session('s')).toMatchObject({
      title: 'Secret title',
      labels: ['Secret label'],
      parameters: { secret: 1 },
    })
    expect([...(await storage.labels('s')).values()]).toEqual([['Secret mark']])
    expect((await storage.sessions({ search: 'TITLE' })).sessions).toHaveLength(1)
    expect((await storage.sessions({ label: 'Secret' })).sessions).toHaveLength(0)
    expect(await storage.verify()).toEqual([])
  })

  test('a JSONL file contains no content in clear', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'interlingua-encrypted-'))
    const path = join(folder, 'a.jsonl')
    const encryption = { keys: keyring('k1') }
    const storage = await jsonlStorage(path, { encryption })
    await fill(storage)
    await storage.rewrite()
    await storage.close()
    expect(await readFile(path, 'utf8')).not.toMatch(/secret/i)
    const again = await jsonlStorage(path, { encryption })
    expect(await texts(again)).toEqual(['Secret question', 'Secret answer'])
    await again.close()
    await rm(folder, { recursive: true })
  })

  test('a PostgreSQL database contains no content in clear', async () => {
    const database = await freshDatabase()
    const storage = await postgresStorage(database.url, { encryption: { keys: keyring('k1') } })
    await fill(storage)
    expect(await texts(storage)).toEqual(['Secret question', 'Secret answer'])
    await storage.close()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const rows = await client.query('select m.*, s.* from interlingua_messages m, interlingua_sessions s')
    await client.end()
    await database.drop()
    expect(rows.rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows.rows)).not.toMatch(/secret/i)
  })

  test('the rest of a damaged JSONL file stays readable', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'interlingua-encrypted-'))
    const path = join(folder, 'a.jsonl')
    const encryption = { keys: keyring('k1') }
    const storage = await jsonlStorage(path, { encryption })
    await storage.createSession({ id: 's' })
    for (const text of ['One', 'Two', 'Three', 'Four']) await storage.append('s', text)
    await storage.close()
    const lines = (await readFile(path, 'utf8')).split('\n')
    await writeFile(path, lines.toSpliced(3, 1).join('\n'))
    for (const expected of [
      ['Three', 'Four'],
      ['Three', 'Four', 'Five'],
    ]) {
      const damaged = await jsonlStorage(path, { encryption })
      expect(await texts(damaged)).toEqual(expected)
      expect(await damaged.branches('s')).toHaveLength(2)
      expect((await damaged.verify()).map(({ kind }) => kind)).toContain('line')
      await damaged.append('s', 'Five')
      await damaged.close()
      await damaged.close()
    }
    await rm(folder, { recursive: true })
  })

  test('equal content has no equal rows in two sessions', async () => {
    const storage = await open('k1')
    for (const session of ['a', 'b']) await fill(storage, session)
    const rows = select('messages', 'hash, body') as { hash: string; body: string }[]
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(4)
    expect(new Set(rows.map(({ body }) => body)).size).toBe(4)
    expect(new Set(select('messages', 'checksum').map((row) => JSON.stringify(row))).size).toBe(1)
    expect(new Set(select('labels', 'label').map((row) => JSON.stringify(row))).size).toBe(2)
  })

  const swaps: Readonly<Record<string, string>> = {
    'bodies of two messages of a session': `update interlingua_messages as m set body =
      (select body from interlingua_messages o where o.session = m.session and o.key <> m.key)`,
    'bodies of two sessions': `update interlingua_messages as m set body =
      (select body from interlingua_messages o where o.session <> m.session and o.depth = m.depth)`,
    'a changed bit': `update interlingua_messages set body = replace(body, substr(body, 40, 1), 'x')`,
    'plain text': `update interlingua_messages set body = '{"interlingua":1,"message":{"role":"user","id":"x","content":"Hi"}}'`,
    parents: `update interlingua_messages set parent = '', depth = 1 where depth = 2`,
  }

  test.each(Object.entries(swaps))(
    'rows with swapped or changed content are damage: %s',
    async (_what, sql) => {
      const storage = await open('k1')
      for (const session of ['a', 'b']) await fill(storage, session)
      database.exec(sql)
      await expect(storage.messages('a')).rejects.toMatchObject({ code: 'damaged' })
      expect(await storage.verify()).toContainEqual(expect.objectContaining({ session: 'a', kind: 'body' }))
    },
  )

  test.each([
    [
      'sessions',
      `update interlingua_sessions as s set parameters =
      (select parameters from interlingua_sessions o where o.key <> s.key)`,
      'wrong-key',
    ],
    [
      'labels',
      `update interlingua_labels as l set label =
      (select label from interlingua_labels o where o.session <> l.session)`,
      'damaged',
    ],
    ['tenants', `update interlingua_sessions set tenant = 'acme'`, 'wrong-key'],
  ])('rows of %s cannot be swapped', async (_what, sql, code) => {
    const storage = await open('k1')
    for (const session of ['a', 'b']) await fill(storage, session)
    database.exec(sql)
    const read = async (each: ConversationStorage): Promise<unknown> =>
      (await each.session('a')) && (await each.labels('a'))
    const owner = sql.includes('acme') ? storage.forTenant('acme') : storage
    await expect(read(owner)).rejects.toMatchObject({ code })
  })

  test('a changed session does not hide the others', async () => {
    const storage = await open('k1')
    for (const session of ['a', 'b']) await fill(storage, session)
    database.exec(
      `update interlingua_sessions set parameters = replace(parameters, '"content":"', '"content":"AAAA') where id = 'a'`,
    )
    await expect(storage.messages('a')).rejects.toMatchObject({ code: 'damaged' })
    expect((await storage.sessions()).sessions.map(({ id }) => id)).toEqual(['b'])
    expect(await storage.verify()).toContainEqual(expect.objectContaining({ session: 'a', kind: 'session' }))
  })

  test('a missing or wrong key is reported with its id, without the key', async () => {
    await fill(await open('k1'))
    const without = await open('other')
    for (const act of [
      () => without.messages('s'),
      () => without.sessions(),
      () => without.append('s', 'x'),
    ]) {
      const error = await act().catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'missing-key', message: expect.stringContaining('"k1"') })
    }
    const wrong = createKeyring({ default: { current: 'k1', keys: { k1: createKey(9) } } })
    const storage = await sqliteStorage(database, { encryption: { keys: wrong } })
    const error: unknown = await storage.messages('s').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'wrong-key', message: expect.stringContaining('"k1"') })
    expect(JSON.stringify(error)).not.toMatch(/9,9,9|CQkJ|0909/)
    const other = storage.forTenant('unknown tenant')
    await expect(other.createSession()).rejects.toMatchObject({ code: 'missing-key' })
    expect(select('sessions')).toHaveLength(1)
  })

  test('a rotation changes no message, and afterwards the old key is not needed', async () => {
    await fill(await open('k1'))
    const before = [select('messages'), select('labels'), select('sessions', 'updated_at')]
    const both = await open('k1', 'k2')
    expect([await both.rotateKeys?.(), await both.rotateKeys?.()]).toEqual([1, 0])
    expect([select('messages'), select('labels'), select('sessions', 'updated_at')]).toEqual(before)
    const after = await open('k2')
    expect(await texts(after)).toEqual(['Secret question', 'Secret answer'])
    expect(await after.verify()).toEqual([])
    await expect((await open('k1')).messages('s')).rejects.toMatchObject({ code: 'missing-key' })
  })

  test('a deleted key makes its data unreadable at once, also in a storage that is open', async () => {
    let isDeleted = false
    const keys: Keyring = {
      currentKeyId: () => 'k1',
      key: async () => (isDeleted ? undefined : createKey(1)),
    }
    const storage = memoryStorage({ encryption: { keys } })
    await fill(storage)
    expect(await texts(storage)).toHaveLength(2)
    isDeleted = true
    await expect(storage.messages('s')).rejects.toMatchObject({ code: 'missing-key' })
  })

  test('a session whose key was deleted can still be deleted and forgotten', async () => {
    const storage = await open('k1')
    for (const id of ['a', 'b', 'c']) {
      await fill(storage, id)
      await storage.fork(id, { id: `fork of ${id}` })
    }
    const without = await open('other')
    await expect(without.session('a')).rejects.toMatchObject({ code: 'missing-key' })
    await expect(without.forget({ label: 'x' })).rejects.toMatchObject({ code: 'missing-key' })
    expect(await without.deleteSession('a')).toBe(true)
    const { deleted } = await without.forget({ session: 'b' })
    expect(deleted).toEqual([
      { id: 'b', updatedAt: expect.any(String), messageCount: 2, keptBy: ['fork of b'] },
    ])
    expect((await without.forget({ tenant: without.tenant })).sessionCount).toBe(4)
    for (const table of ['sessions', 'sections', 'messages', 'labels']) expect(select(table)).toEqual([])
  })

  test('encrypted and other sessions are not mixed', async () => {
    await fill(await open('k1'))
    const plain = await sqliteStorage(database)
    const acts = [
      () => plain.messages('s'),
      () => plain.sessions(),
      () => plain.append('s', 'x'),
      () => plain.verify(),
    ]
    for (const act of acts)
      await expect(act()).rejects.toMatchObject({
        code: 'missing-key',
        hint: expect.stringContaining('keyring'),
      })
    await plain.createSession({ id: 'plain' })
    await expect((await open('k1')).session('plain')).rejects.toMatchObject({ code: 'wrong-kind' })
  })

  test('forks share encrypted messages, and keep them when their source is deleted', async () => {
    const storage = await open('k1')
    await fill(storage)
    await storage.fork('s', { id: 'fork' })
    await storage.append('fork', 'More')
    expect(select('messages')).toHaveLength(3)
    await storage.deleteSession('s')
    expect(await texts(storage, 'fork')).toEqual(['Secret question', 'Secret answer', 'More'])
    expect(await storage.verify()).toEqual([])
  })

  test('keys are checked', () => {
    const short = { default: { current: 'a', keys: { a: new Uint8Array(16) } } }
    expect(() => createKeyring(short)).toThrow(
      expect.objectContaining({ code: 'invalid-value', path: '/default/keys/a' }),
    )
    const unknown = { default: { current: 'b', keys: { a: createKey(1) } } }
    expect(() => createKeyring(unknown)).toThrow(
      expect.objectContaining({ code: 'invalid-value', path: '/default/current' }),
    )
  })
})
