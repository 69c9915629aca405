import { createRequire } from 'node:module'
import { assistant, type Message } from 'interlingua'
import { type ConversationStorage, type IntegrityIssue } from 'interlingua/stores'
import { sqliteStorage, type SqliteDatabase } from 'interlingua/stores/sqlite'
import { describe, expect, test } from 'vitest'

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
  ['a removed parent', `update interlingua_messages set parent = null ${SECOND}`, 'parent'],
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

  test.each(['parameters', 'labels'])('a session whose %s cannot be read is damaged', async (column) => {
    const { storage, database } = await stored()
    database.exec(`update interlingua_sessions set ${column} = '{%zz' where id = 's'`)
    for (const act of [() => storage.verify(), () => storage.session('s'), () => storage.sessions()])
      await expect(act()).rejects.toMatchObject({ code: 'damaged' })
    await storage.close()
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
