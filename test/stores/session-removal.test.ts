import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assistant, type Message, user } from 'interlingua'
import type { ConversationStorage } from 'interlingua/stores'
import { type SqliteDatabase, sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { observeStatements } from './observe-statements.ts'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
  DatabaseSync: new (path: string) => SqliteDatabase
}

/** More than one transaction removes. */
const COUNT = 600
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-removal-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A database that fails with an error, as if the process had ended, once it has run a number of deletions. */
function failAfter(path: string, deletions: number): SqliteDatabase {
  let left = deletions
  return observeStatements(new DatabaseSync(path), (text, execute) => {
    if (text.startsWith('delete from interlingua_messages') && left-- === 0) throw new Error('crashed')
    return execute()
  })
}

async function fill(storage: ConversationStorage): Promise<void> {
  await storage.createSession({ id: 'long' })
  const messages = Array.from({ length: COUNT }, (_, index): Message =>
    index % 2 === 0 ? user(`${index}`) : assistant(`${index}`, { usage }),
  )
  const { added } = await storage.append('long', messages)
  for (const { id } of added.slice(0, 30)) await storage.label('long', id, 'x')
  await storage.fork('long', { id: 'fork', at: added[99]?.id ?? '' })
}

const countRows = (path: string, table: string): number => {
  const database = new DatabaseSync(path)
  const [row] = database.prepare(`select count(*) as count from interlingua_${table}`).all()
  database.close()
  return Number((row as { readonly count: number }).count)
}

describe('deleting a long session', () => {
  test('removes every row, and keeps what a fork shares', async () => {
    const path = join(folder, 'whole.db')
    const storage = await sqliteStorage(path)
    await fill(storage)
    expect(await storage.deleteSession('long')).toBe(true)
    expect((await storage.messages('fork')).size).toBe(100)
    expect(await storage.verify()).toEqual([])
    expect([countRows(path, 'messages'), countRows(path, 'labels'), countRows(path, 'removals')]).toEqual([
      100, 0, 0,
    ])
    await storage.close()
  })

  test('waits for the disk once, and so does every later write', async () => {
    const database = new DatabaseSync(join(folder, 'synced.db'))
    const readSync = (): unknown => database.prepare('pragma synchronous').all()
    const [durable, unsynced] = [[{ synchronous: 2 }], [{ synchronous: 1 }]]
    const removals: unknown[] = []
    const observed = observeStatements(database, (text, execute) => {
      if (text.startsWith('delete from interlingua_messages')) removals.push(readSync())
      return execute()
    })
    const storage = await sqliteStorage(observed)
    await fill(storage)
    await storage.deleteSession('long')
    expect(removals[0]).toEqual(durable)
    expect(removals.slice(1)).toEqual(removals.slice(1).map(() => unsynced))
    expect(readSync()).toEqual(durable)
    await storage.close()
  })

  test.each([0, 1, 2, 3])(
    'that a crash interrupts after %i steps is either undone or invisible, and completed later',
    async (deletions) => {
      const path = join(folder, `crash ${deletions}.db`)
      const before = await sqliteStorage(path)
      await fill(before)
      await before.close()
      const failing = await sqliteStorage(failAfter(path, deletions))
      await expect(failing.deleteSession('long')).rejects.toThrow('crashed')
      const isDeleted = deletions > 0
      expect((await failing.session('long')) === undefined).toBe(isDeleted)
      expect((await failing.messages('fork')).size).toBe(100)
      // The fork's part of the usage is no longer counted: only the session that wrote a message counts it.
      expect(await failing.usage({ by: [] })).toEqual(
        isDeleted ? [] : [{ answers: COUNT / 2, usage: expect.anything() }],
      )
      expect(await failing.verify()).toEqual([])
      await failing.close()
      const left = countRows(path, 'messages')
      expect(left).toBe(isDeleted ? COUNT - 100 * deletions : COUNT)
      const after = await sqliteStorage(path)
      if (deletions % 2 === 0) await after.maintain()
      await expect.poll(() => countRows(path, 'removals'), { timeout: 60_000 }).toBe(0)
      expect(countRows(path, 'messages')).toBe(isDeleted ? 100 : COUNT)
      expect((await after.messages('fork')).size).toBe(100)
      expect(await after.verify()).toEqual([])
      await after.close()
    },
  )
})
