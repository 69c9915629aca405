import pg from 'pg'
import { postgresStorage } from 'interlingua/stores/postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from './postgres.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

describe('PostgreSQL', () => {
  test('a pool that is handed in stays the caller’s', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    const storage = await postgresStorage(pool)
    await storage.createSession({ id: 'pooled' })
    await storage.close()
    await expect(storage.session('pooled')).rejects.toMatchObject({ code: 'storage-closed' })
    expect((await pool.query('select id from interlingua_sessions')).rows).toEqual([{ id: 'pooled' }])
    await pool.end()
  })

  test('a connection that the server ends costs what was under way, and nothing else', async () => {
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
    const written = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.tip] : []))
    const path = await storage.path('cut')
    expect(written.filter((id) => id === null || !path.has(id))).toEqual([])
    expect(await storage.verify()).toEqual([])
    await storage.append('cut', 'Still here')
    await storage.close()
  })

  test('a server that is not there is told as such, without the password', async () => {
    const url = 'postgres://someone:geheim@127.0.0.1:1/nowhere'
    const error: unknown = await postgresStorage(url).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'storage-unavailable', retryable: true })
    const { inspect } = await import('node:util')
    expect(`${inspect(error, { depth: 9 })}${JSON.stringify(error)}`).not.toContain('geheim')
  })

  test('no statement waits for a connection that its own transaction holds', async () => {
    const storage = await postgresStorage(database.url, { connections: 1 })
    await storage.createSession({ id: 'one' })
    await storage.append('one', ['a', 'b'])
    const forks = await Promise.all([1, 2, 3].map((index) => storage.fork('one', { id: `fork ${index}` })))
    await storage.deleteSession('one')
    for (const { id } of forks) expect((await storage.path(id)).size).toBe(2)
    await storage.close()
  })
})
