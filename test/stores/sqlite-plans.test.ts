import { createRequire } from 'node:module'
import { sqliteStorage, type SqliteDatabase } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillTenants, isWholeTableCheck, runEveryOperation } from './every-operation.ts'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
  DatabaseSync: new (path: string) => SqliteDatabase
}

const database = new DatabaseSync(':memory:')
const statements = new Set<string>()
const recording: SqliteDatabase = {
  exec: (text) => database.exec(text),
  close: () => database.close(),
  prepare(text) {
    if (/^\s*(select|with|update|delete)/i.test(text) && !isWholeTableCheck(text)) statements.add(text)
    return database.prepare(text)
  },
}

/** The steps of a statement as SQLite plans them. */
function planOf(statement: string): readonly string[] {
  const rows = database.prepare(`explain query plan ${statement}`).all() as { readonly detail: string }[]
  return rows.map(({ detail }) => detail)
}

/** The steps that read a whole table: tables are named by their aliases. The working tables of `with` are small. */
function scansOf(plan: readonly string[]): readonly string[] {
  // FTS5 calls a look-up of words (M) or of a row (=) a scan, too.
  return plan.filter(
    (step) =>
      /^SCAN (?!up\b|f\b|CONSTANT ROW|sqlite_|interlingua_migrations)/.test(step) &&
      !/^SCAN \w+ VIRTUAL TABLE INDEX \d+:[M=]/.test(step),
  )
}

describe('a SQLite database that was never analysed', () => {
  beforeAll(async () => {
    const storage = await sqliteStorage(recording, { search: true })
    await fillTenants(storage)
    await runEveryOperation(storage.forTenant('tenant 1'), 's1')
  })
  afterAll(() => database.close())

  test('finds the rows of every statement with an index', () => {
    expect(statements.size).toBeGreaterThan(30)
    for (const statement of statements)
      expect({ statement, scans: scansOf(planOf(statement)) }).toEqual({ statement, scans: [] })
  })

  test.each([
    ['branches', 'not exists', 'interlingua_messages_tree (session=? AND depth=? AND parent=?)'],
    ['usage', 'as total_tokens', 'interlingua_messages_usage (tenant=?'],
    ['a search', 'interlingua_search_tokens match', ':M1><'],
    ['the messages of a search', 'interlingua_search_tokens match', 'SEARCH s USING INTEGER PRIMARY KEY'],
    ['the list of sessions', 'order by updated_at desc', 'interlingua_sessions_recent (tenant=?'],
  ])('reads %s by the index for it', (_name, words, index) => {
    const [statement = ''] = [...statements].filter((text) => text.includes(words))
    expect(planOf(statement).join('\n')).toContain(index)
  })
})
