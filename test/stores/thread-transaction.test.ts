import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf } from 'interlingua'
import { type ConversationStorage, createStorage } from 'interlingua/stores'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareDatabase } from '../../src/stores/sql/migrations.ts'
import { createSqlRowStore } from '../../src/stores/sql/sql-row-store.ts'
import { describeSqliteFile, openSqliteDatabase } from '../../src/stores/sqlite/sqlite-database.ts'
import { SqliteDriver } from '../../src/stores/sqlite/sqlite-driver.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-thread-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A driver of a new file whose write transactions are all too long for this thread. */
async function openThreadDriver(name: string): Promise<SqliteDriver> {
  const path = join(folder, name)
  await (await sqliteStorage(path)).close()
  const driver = new SqliteDriver(await openSqliteDatabase(path), 5_000, describeSqliteFile(path), -1)
  await prepareDatabase(driver)
  return driver
}

const textsOf = async (storage: ConversationStorage, id: string): Promise<readonly string[]> =>
  Array.from(await storage.messages(id), (message) => textOf(message))

describe('a write transaction that takes long', () => {
  test('is repeated in a thread, once, with the same result', async () => {
    const driver = await openThreadDriver('repeated.db')
    const storage = createStorage(createSqlRowStore(driver))
    await storage.createSession({ id: 's' })
    const { added } = await storage.append('s', ['One', 'Two', 'Three'])
    await storage.fork('s', { id: 'fork', at: added[1]?.id ?? '' })
    await storage.replace('s', added[0]?.id ?? '', 'Uno')
    expect(await textsOf(storage, 's')).toEqual(['Uno', 'Two', 'Three'])
    expect(await textsOf(storage, 'fork')).toEqual(['One', 'Two'])
    await storage.deleteSession('s')
    expect(await textsOf(storage, 'fork')).toEqual(['One', 'Two'])
    expect(await storage.verify()).toEqual([])
    await expect(storage.append('fork', 'Three', { expectedHead: 'other' })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await storage.head('fork')).toBe(added[1]?.id)
    await storage.close()
  })

  test('stores nothing if it fails, also by a statement whose result is not awaited', async () => {
    const driver = await openThreadDriver('failing.db')
    const insert = `insert into interlingua_removals values (?, 1)`
    let runs = 0
    await expect(
      driver.write(async (sql) => {
        runs += 1
        await sql(insert, ['first'])
        throw new Error('stopped')
      }),
    ).rejects.toThrow('stopped')
    expect(runs).toBe(2)
    await expect(
      driver.write(async (sql) => {
        void sql(insert, ['second'])
        void sql('insert into missing values (1)')
        void sql(insert, ['third'])
        await sql('select 1')
      }),
    ).rejects.toThrow('no such table: missing')
    const rows = await driver.read((sql) => sql('select session from interlingua_removals'))
    expect(rows).toEqual([])
    await driver.write((sql) => sql(insert, ['last']))
    expect(await driver.read((sql) => sql('select session from interlingua_removals'))).toHaveLength(1)
    await driver.close()
  })

  test('waits in the thread if another process has come in between', async () => {
    const driver = await openThreadDriver('busy.db')
    const other = await openSqliteDatabase(join(folder, 'busy.db'))
    const insert = `insert into interlingua_removals values (?, 1)`
    let runs = 0
    await driver.write(async (sql) => {
      runs += 1
      if (runs === 1)
        setImmediate(() => {
          other.exec('begin immediate')
          other.exec(`insert into interlingua_removals values ('other', 1)`)
          setTimeout(() => other.exec('commit'), 300)
        })
      await sql(insert, [`run ${runs}`])
    })
    const rows = await driver.read((sql) => sql('select session from interlingua_removals order by 1'))
    expect(rows.map(({ session }) => session)).toEqual(['other', 'run 2'])
    other.close()
    await driver.close()
  })
})
