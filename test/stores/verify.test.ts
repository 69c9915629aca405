import { createRequire } from 'node:module'
import { assistant, type Message } from 'interlingua'
import {
  type ConversationStorage,
  createStorage,
  type IntegrityIssue,
  type RowStore,
} from 'interlingua/stores'
import { sqliteStorage, type SqliteDatabase } from 'interlingua/stores/sqlite'
import { describe, expect, test } from 'vitest'
import { InMemoryRowStore } from '../../src/stores/in-memory/memory-storage.ts'

/** The SQLite that the storage itself uses. */
const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
  DatabaseSync: new (path: string) => SqliteDatabase
}

interface Damaged {
  readonly storage: ConversationStorage
  readonly database: SqliteDatabase
  readonly messages: readonly Message[]
}

const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7, cachedInputTokens: 1 }

async function stored(): Promise<Damaged> {
  const database = new DatabaseSync(':memory:')
  const storage = await sqliteStorage(database)
  await storage.createSession({ id: 's' })
  const { added } = await storage.append('s', ['One', assistant('Two', { usage }), 'Three'])
  await storage.fork('s', { id: 'fork' })
  await storage.createSession({ id: 'whole' })
  await storage.append('whole', 'Fine')
  expect(await storage.verify()).toEqual([])
  return { storage, database, messages: added }
}

const memory = new InMemoryRowStore()

/** Rows of which every section has the head of the first one. */
const foreignHeads: RowStore = {
  read: (act) =>
    memory.read((rows) =>
      act({
        ...rows,
        sections: async (keys) => {
          const [first] = [...memory.tables.section.values()]
          return (await rows.sections(keys)).map((section) => ({ ...section, head: first?.head ?? null }))
        },
      }),
    ),
  write: (act) => memory.write(act),
  close: () => memory.close(),
}

const SECOND = `where id = (select id from interlingua_messages where depth = 2)`

/** Changes to the file, and the issues found. */
const cases: readonly (readonly [string, string, IntegrityIssue['kind']])[] = [
  [
    'a changed body',
    `update interlingua_messages set body = replace(body, 'Two', 'Zwei') ${SECOND}`,
    'checksum',
  ],
  ['a truncated body', `update interlingua_messages set body = substr(body, 1, 40) ${SECOND}`, 'body'],
  [
    'a changed hash',
    `update interlingua_messages set hash = replace(hash, 'a', 'b') || 'c' ${SECOND}`,
    'checksum',
  ],
  ['a changed depth', `update interlingua_messages set depth = 7 ${SECOND}`, 'checksum'],
  [
    'a changed parent',
    `update interlingua_messages set parent = (select key from interlingua_messages where depth = 3) ${SECOND}`,
    'parent',
  ],
  ['changed tokens', `update interlingua_messages set input_tokens = 50000 ${SECOND}`, 'checksum'],
  ['a changed model', `update interlingua_messages set model = 'cheap' ${SECOND}`, 'checksum'],
  ['a changed day', `update interlingua_messages set day = 'never' ${SECOND}`, 'checksum'],
  ['a removed parent', `update interlingua_messages set parent = '' ${SECOND}`, 'parent'],
]

describe('verify', () => {
  test.each(cases)('names %s', async (_what, statement, kind) => {
    const { storage, database, messages } = await stored()
    database.exec(statement)
    const named = { session: 's', message: messages[1]?.id, kind }
    expect(await storage.verify()).toContainEqual(expect.objectContaining(named))
    expect(await storage.verify('whole')).toEqual([])
    // A fork shares the damage, and reports it.
    expect(await storage.verify('fork')).not.toEqual([])
    await storage.close()
  })

  test('finds a body that was changed together with its checksum, because the hash does not match', async () => {
    const { storage, database, messages } = await stored()
    const { createHash } = await import('node:crypto')
    const [row] = database.prepare(`select * from interlingua_messages ${SECOND}`).all() as Record<
      string,
      unknown
    >[]
    const body = String(row?.['body']).replace('Two', 'Zwei')
    const sum = createHash('sha256')
      .update(JSON.stringify([row?.['section'], row?.['id'], row?.['depth'], row?.['hash'], body]))
      .digest('hex')
    database.prepare(`update interlingua_messages set body = ?, checksum = ? ${SECOND}`).all(body, sum)
    expect(await storage.verify('s')).toMatchObject([{ message: messages[1]?.id, kind: 'hash' }])
    await storage.close()
  })

  test.each(['parameters', 'labels'])(
    'names a session whose %s cannot be read, and continues',
    async (column) => {
      const { storage, database } = await stored()
      database.exec(`update interlingua_sessions set ${column} = '{%zz' where id = 's'`)
      expect(await storage.verify()).toMatchObject([{ session: 's', kind: 'session' }])
      await expect(storage.session('s')).rejects.toMatchObject({ code: 'damaged' })
      await expect(storage.messages('s')).rejects.toMatchObject({ code: 'damaged' })
      expect((await storage.sessions()).sessions.map(({ id }) => id).toSorted()).toEqual(['fork', 'whole'])
      expect((await storage.sessions({ limit: 1 })).cursor).toBeDefined()
      expect(await storage.deleteSession('s')).toBe(true)
      expect(await storage.verify()).toEqual([])
      expect((await storage.messages('fork')).size).toBe(3)
      await storage.close()
    },
  )

  /** Changes to rows other than messages, and the issue of each. */
  const rowCases: readonly (readonly [string, string, Partial<IntegrityIssue>])[] = [
    ['a changed title', `update interlingua_sessions set title = 'T' where id = 's'`, { kind: 'session' }],
    [
      'a changed search text',
      `update interlingua_sessions set search = 'x' where id = 's'`,
      { kind: 'session' },
    ],
    [
      'changed parameters',
      `update interlingua_sessions set parameters = '{"n":1}' where id = 's'`,
      { kind: 'session' },
    ],
    [
      'a changed time',
      `update interlingua_sessions set created_at = '2020' where id = 's'`,
      { kind: 'session' },
    ],
    ['a changed position', 'update interlingua_sections set position = 3', { kind: 'section' }],
    [
      'a moved head',
      'update interlingua_sections set head = (select key from interlingua_messages where depth = 1)',
      { kind: 'section' },
    ],
    [
      'a changed lineage',
      `update interlingua_sections set lineage = 'x' where fork_point is not null`,
      { session: 'fork', kind: 'section' },
    ],
    ['a changed label', `update interlingua_labels set label = 'bad'`, { session: 's', kind: 'label' }],
    [
      'a label of another message',
      `update interlingua_labels set message = 'none'`,
      { session: 's', message: 'none', kind: 'label' },
    ],
    [
      'a label that is not text',
      `update interlingua_labels set label = x'00'`,
      { session: 's', kind: 'label' },
    ],
    [
      'a body that is not text',
      `update interlingua_messages set body = x'00' ${SECOND}`,
      { session: 's', kind: 'body' },
    ],
    [
      'removed tokens',
      `update interlingua_messages set day = null ${SECOND}`,
      { session: 's', kind: 'checksum' },
    ],
    ['a lost message', `update interlingua_messages set session = 'x' where depth = 3`, { kind: 'database' }],
    ['a lost label', `update interlingua_labels set session = 'x'`, { kind: 'database' }],
  ]

  test.each(rowCases)('names %s', async (_what, statement, issue) => {
    const { storage, database, messages } = await stored()
    await storage.label('s', messages[0]?.id ?? '', 'good')
    expect(await storage.verify()).toEqual([])
    database.exec(statement)
    expect(await storage.verify()).toContainEqual(expect.objectContaining(issue))
    await storage.close()
  })

  test('names a head that points into another session, even if the checksum is right', async () => {
    const other = createStorage(foreignHeads)
    await other.createSession({ id: 'a' })
    await other.append('a', 'One')
    await other.createSession({ id: 'b' })
    await other.append('b', 'Two')
    expect(await other.verify('b')).toMatchObject([{ session: 'b', kind: 'head' }])
  })

  test('reports a missing message, and refuses a path that contains it', async () => {
    const { storage, database } = await stored()
    database.exec(`delete from interlingua_messages ${SECOND}`)
    expect((await storage.verify('s')).map(({ kind }) => kind)).toEqual(['parent'])
    await expect(storage.messages('s')).rejects.toMatchObject({ code: 'damaged' })
    database.exec('delete from interlingua_messages where depth = 3')
    expect((await storage.verify('s')).map(({ kind }) => kind)).toEqual(['head'])
    await storage.close()
  })

  test.each([1, 2, 3])('refuses a path with a gap in the depths before message %i', async (from) => {
    const { storage, database } = await stored()
    database.exec(`update interlingua_messages set depth = depth + 4 where depth >= ${from}`)
    await expect(storage.messages('s')).rejects.toMatchObject({ code: 'damaged' })
    await storage.close()
  })

  test('rows that form a cycle neither hang nor count as a path', async () => {
    const { storage, database } = await stored()
    database.exec(
      'update interlingua_messages set parent = (select key from interlingua_messages where depth = 3) where depth = 1',
    )
    expect((await storage.messages('s')).size).toBe(3)
    expect((await storage.verify('s')).map(({ kind }) => kind)).toEqual(['parent'])
    await storage.close()
  })
})
