import { createRequire } from 'node:module'
import { assistant, MessageStore, user } from 'interlingua'
import { sqliteStorage, type SqliteDatabase } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
  DatabaseSync: new (path: string) => SqliteDatabase
}

const database = new DatabaseSync(':memory:')
const statements = new Set<string>()
const recording: SqliteDatabase = {
  exec: (text) => database.exec(text),
  close: () => database.close(),
  prepare(text) {
    if (/^\s*(select|with|update|delete)/i.test(text)) statements.add(text)
    return database.prepare(text)
  },
}

/** The steps of a statement as SQLite plans them. */
function planOf(statement: string): readonly string[] {
  const rows = database.prepare(`explain query plan ${statement}`).all() as { readonly detail: string }[]
  return rows.map(({ detail }) => detail)
}

/** The steps that read all messages of all tenants: tables are named by their aliases. */
function scansOf(plan: readonly string[]): readonly string[] {
  return plan.filter((step) => /^SCAN (m|c|p|interlingua_messages)\b/.test(step))
}

describe('SQLite', () => {
  beforeAll(async () => {
    const storage = await sqliteStorage(recording)
    await storage.createSession({ id: 's' })
    const { added } = await storage.append('s', [user('One'), assistant('Two'), user('Three'), user('Four')])
    const [first = '', second = '', third = ''] = added.map(({ id }) => id)
    await storage.fork('s', { id: 'fork', at: third })
    await storage.label('s', second, 'good')
    await storage.replace('s', first, 'Uno')
    await storage.remove('s', second)
    await storage.setHead('s', first)
    await storage.append('s', 'Other')
    await storage.syncHistory('s', await storage.messages('s'))
    await storage.branches('s')
    await storage.usage()
    await storage.saveStore('s', MessageStore.of())
    await storage.verify('fork')
    await storage.verify()
    await storage.deleteSession('s')
  })
  afterAll(() => database.close())

  test('finds the rows of every statement with an index', () => {
    expect(statements.size).toBeGreaterThan(15)
    for (const statement of statements)
      expect({ statement, scans: scansOf(planOf(statement)) }).toEqual({ statement, scans: [] })
  })

  test('finds descendants by their parent, not by all messages of the same depth', () => {
    const [statement = ''] = [...statements].filter((text) => text.includes('recursive down'))
    expect(planOf(statement)).toContainEqual(
      expect.stringContaining('interlingua_messages_parent (parent=?)'),
    )
  })
})
