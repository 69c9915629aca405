import pg from 'pg'
import { type Message, textOf } from 'interlingua'
import { type ConversationStorage, createStorage } from 'interlingua/stores'
import { postgresStorage } from 'interlingua/stores/postgres'
import { PostgresDriver } from '../../src/stores/postgres/postgres-driver.ts'
import { createSqlRowStore } from '../../src/stores/sql/sql-row-store.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from './postgres.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

describe('PostgreSQL', () => {
  test('a given pool is not closed', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    const storage = await postgresStorage(pool)
    await storage.createSession({ id: 'pooled' })
    await storage.close()
    await expect(storage.session('pooled')).rejects.toMatchObject({ code: 'storage-closed' })
    expect((await pool.query('select id from interlingua_sessions')).rows).toEqual([{ id: 'pooled' }])
    await pool.end()
  })

  test('a terminated connection loses only the current operation', async () => {
    const storage = await postgresStorage(database.url, { connections: 2 })
    await storage.createSession({ id: 'cut' })
    const killer = new pg.Client({ connectionString: database.url })
    await killer.connect()
    const writes = Array.from({ length: 30 }, (_, index) => storage.append('cut', `Message ${index}`))
    const settled = Promise.allSettled(writes)
    await writes[3]
    await killer.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await killer.end()
    const outcomes = await settled
    for (const each of outcomes) {
      if (each.status === 'rejected')
        expect(each.reason).toMatchObject({ code: 'storage-unavailable', retryable: true })
    }
    const written = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.head] : []))
    const path = await storage.messages('cut')
    expect(written.filter((id) => id === null || !path.has(id))).toEqual([])
    expect(await storage.verify()).toEqual([])
    await storage.append('cut', 'Still connected')
    await storage.close()
  })

  test('an unreachable server is reported without the password', async () => {
    const url = 'postgres://someone:geheim@127.0.0.1:1/nowhere'
    const error: unknown = await postgresStorage(url).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'storage-unavailable', retryable: true })
    const { inspect } = await import('node:util')
    expect(`${inspect(error, { depth: 9 })}${JSON.stringify(error)}`).not.toContain('geheim')
  })

  test.each([
    ['is read-only', 'default_transaction_read_only=on', {}, false],
    ['times out', 'application_name=slow', { statementTimeoutMs: 1 }, true],
  ])('a server that %s is reported', async (_what, setting, options, retryable) => {
    const plain = await postgresStorage(database.url)
    await plain.createSession({ id: setting })
    const url = `${database.url}?options=${encodeURIComponent(`-c ${setting}`)}`
    const long = Array.from({ length: 500 }, (_, index) => `Message ${index}: ${'x'.repeat(5_000)}`)
    const writing = postgresStorage(url, options).then((storage) => storage.append(setting, long))
    await expect(writing).rejects.toMatchObject({ code: 'storage-unavailable', retryable })
    expect((await plain.messages(setting)).size).toBe(0)
    await plain.close()
  })

  test('no statement waits for a connection that its own transaction holds', async () => {
    const storage = await postgresStorage(database.url, { connections: 1 })
    await storage.createSession({ id: 'one' })
    await storage.append('one', ['a', 'b'])
    const forks = await Promise.all([1, 2, 3].map((index) => storage.fork('one', { id: `fork ${index}` })))
    await storage.deleteSession('one')
    for (const { id } of forks) expect((await storage.messages(id)).size).toBe(2)
    await storage.close()
  })
})

const texts = (messages: Iterable<Message>): string[] => Array.from(messages, (message) => textOf(message))

/** A storage that runs another operation right after a matching statement. */
async function interrupted(words: string, act: () => Promise<unknown>): Promise<ConversationStorage> {
  const driver = await PostgresDriver.open(database.url, { connections: 2 })
  let happened = false
  const write: PostgresDriver['write'] = (work) =>
    driver.write((sql) =>
      work(async (text, values) => {
        const rows = await sql(text, values)
        if (text.includes(words) && !happened) {
          happened = true
          await act()
        }
        return rows
      }),
    )
  const { textType, bytesType, rowLockClause, clockExpression, tableQuery, combinesWrites } = driver
  return createStorage(
    createSqlRowStore({
      textType,
      bytesType,
      rowLockClause,
      clockExpression,
      tableQuery,
      combinesWrites,
      write,
      migrate: (work) => driver.migrate(work),
      read: (work) => driver.read(work),
      close: () => driver.close(),
    }),
  )
}

describe('while a session is deleted, its fork', () => {
  /** Changes to the fork by another client after the forks of the source were read. */
  const acts: Readonly<Record<string, (other: ConversationStorage) => Promise<unknown>>> = {
    'is extended': (other) => other.append('fork', 'More'),
    'is forked': (other) => other.fork('fork', { id: 'fork of fork' }),
    'is changed': async (other) => {
      const [first] = await other.messages('fork')
      await other.replace('fork', first?.id ?? '', 'Changed')
    },
  }

  test.each(Object.entries(acts))('%s, and nothing is lost', async (name, act) => {
    const storage = await postgresStorage(database.url, { tenant: name })
    await storage.createSession({ id: 'source' })
    await storage.append('source', ['One', 'Two'])
    await storage.fork('source', { id: 'fork' })
    const slow = await interrupted('where s.fork_owner =', () => act(storage))
    expect(await slow.forTenant(name).deleteSession('source')).toBe(true)
    for (const { id } of (await storage.sessions()).sessions) {
      const expected = name === 'is changed' ? ['Changed', 'Two'] : ['One', 'Two']
      expect(texts(await storage.messages(id)).slice(0, 2)).toEqual(expected)
    }
    expect((await storage.messages('fork')).size).toBe(name === 'is extended' ? 3 : 2)
    expect(await storage.verify()).toEqual([])
    await slow.close()
    await storage.close()
  })
})

describe('a deadlock', () => {
  test('is detected by the server, and the aborted transaction is retried', async () => {
    const driver = await PostgresDriver.open(database.url, { connections: 2 })
    await driver.write((sql) => sql('create table pairs (id text primary key, n integer)'))
    await driver.write((sql) => sql(`insert into pairs values ('a', 0), ('b', 0)`))
    let waiting = 0
    let wake = (): void => {}
    const both = new Promise<void>((resolve) => (wake = resolve))
    const add = (...ids: readonly string[]): Promise<void> =>
      driver.write(async (sql) => {
        for (const id of ids) {
          await sql('update pairs set n = n + 1 where id = ?', [id])
          waiting += 1
          if (waiting === 2) wake()
          await both
        }
      })
    await Promise.all([add('a', 'b'), add('b', 'a')])
    expect(await driver.read((sql) => sql('select n from pairs order by id'))).toEqual([{ n: 2 }, { n: 2 }])
    await driver.close()
  })
})
