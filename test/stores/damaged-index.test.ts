import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IntegrityIssue } from 'interlingua/stores'
import { sqliteStorage, type SqliteDatabase, type SqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
  DatabaseSync: new (path: string) => SqliteDatabase
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-index-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Opens a storage with three sessions, of which the index has another key for the last one. Its table is unchanged. */
async function openDamaged(): Promise<SqliteStorage> {
  const path = join(folder, 'a.db')
  const storage = await sqliteStorage(path)
  for (const id of ['a', 'b', 'c']) await storage.createSession({ id })
  expect(await storage.verify()).toEqual([])
  await storage.close()
  const database = new DatabaseSync(path)
  const text =
    'select tenant || updated_at || key as entry from interlingua_sessions order by updated_at, key'
  const [row] = database.prepare(text).all() as { readonly entry: string }[]
  database.close()
  const entry = Buffer.from(row?.entry ?? '')
  const bytes = await readFile(path)
  const start = bytes.indexOf(entry)
  expect([start > 0, bytes.indexOf(entry, start + 1)]).toEqual([true, -1])
  // No UTF-8: it is read as a character that comes after it.
  const flipped = start + entry.length - 1
  bytes[flipped] = (bytes[flipped] ?? 0) ^ 128
  await writeFile(path, bytes)
  return sqliteStorage(path)
}

test('if a bit of the index of sessions was flipped, lists end instead of repeating their last page', async () => {
  const storage = await openDamaged()
  const reason = 'An index of the database does not match its table'
  expect(await storage.verify()).toContainEqual({ kind: 'database', reason } satisfies IntegrityIssue)
  await expect(storage.prune({ olderThan: new Date(0) })).rejects.toMatchObject({ code: 'damaged' })
  await storage.close()
})
