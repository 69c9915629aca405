import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assistant, type Message, textOf } from 'interlingua'
import type { ConversationStorage } from 'interlingua/stores'
import { type PostgresPool, postgresStorage } from 'interlingua/stores/postgres'
import { type SqliteDatabase, sqliteStorage } from 'interlingua/stores/sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from './postgres.ts'

let folder = ''
let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-append-'))
  database = await freshDatabase()
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await database.drop()
})

/** A storage, and the statements that it has sent. */
interface CountedStorage {
  readonly storage: ConversationStorage
  readonly statements: string[]
  readonly rowsRead: { count: number }
}

let files = 0

async function openCountedSqlite(): Promise<CountedStorage> {
  const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
    DatabaseSync: new (path: string) => SqliteDatabase
  }
  const inner = new DatabaseSync(join(folder, `${++files}.db`))
  const statements: string[] = []
  const rowsRead = { count: 0 }
  const storage = await sqliteStorage({
    exec: (text) => inner.exec(text),
    close: () => inner.close(),
    prepare: (text) => {
      const statement = inner.prepare(text)
      return {
        all: (...values) => {
          statements.push(text)
          const rows = statement.all(...values)
          rowsRead.count += rows.length
          return rows
        },
      }
    },
  })
  return { storage, statements, rowsRead }
}

async function openCountedPostgres(): Promise<CountedStorage> {
  const pool = new pg.Pool({ connectionString: database.url })
  const statements: string[] = []
  const counted: PostgresPool = {
    connect: async () => {
      const client = await pool.connect()
      return {
        query: (statement) => {
          statements.push(statement.text)
          return client.query({ ...statement })
        },
        release: (error) => client.release(error),
        on: (event, listener) => client.on(event, listener),
        off: (event, listener) => client.off(event, listener),
      }
    },
    end: () => pool.end(),
  }
  const storage = await postgresStorage(counted)
  const close = (): Promise<void> => storage.close().then(() => pool.end())
  return { storage: { ...storage, close }, statements, rowsRead: { count: 0 } }
}

const backends: readonly {
  readonly name: string
  readonly open: () => Promise<CountedStorage>
  readonly count: number
}[] = [
  // begin, session, section, message, commit
  { name: 'SQLite', open: openCountedSqlite, count: 5 },
  { name: 'PostgreSQL', open: openCountedPostgres, count: 1 },
]

/** Number of pages that a short append writes on average: rows, their indexes, and pages that are divided. */
const MAX_PAGES = 8.5

test('a short append to SQLite writes few pages', async () => {
  const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
    DatabaseSync: new (path: string) => SqliteDatabase
  }
  const file = join(folder, 'pages.db')
  const storage = await sqliteStorage(file)
  const log = new DatabaseSync(file)
  const countPages = (): number =>
    (log.prepare('pragma wal_checkpoint(noop)').all() as { readonly log: number }[])[0]?.log ?? 0
  for (let session = 0; session < 20; session++) {
    await storage.createSession({ id: `s${session}` })
    await storage.append(`s${session}`, 'First')
  }
  // The log starts again.
  log.prepare('pragma wal_checkpoint(truncate)').all()
  const count = 100
  for (let index = 0; index < count; index++) await storage.append('s7', `Message ${index}`)
  expect(countPages() / count).toBeLessThan(MAX_PAGES)
  expect(countPages()).toBeGreaterThan(count)
  log.close()
  await storage.close()
})

test('another candidate of a response reads a limited number of its siblings, and is counted once', async () => {
  const { storage, rowsRead } = await openCountedSqlite()
  await storage.createSession({ id: 's' })
  const { head } = await storage.append('s', 'Question')
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  const answer = (responseId: string): Message =>
    assistant('Answer', { usage, origin: { dialect: 'd', responseId } })
  for (let index = 0; index < 400; index++) await storage.append('s', `Sibling ${index}`, { after: head })
  await storage.append('s', answer('r'), { after: head })
  rowsRead.count = 0
  await storage.append('s', answer('r'), { after: head })
  expect(rowsRead.count).toBeLessThan(300)
  expect((await storage.usage({ by: [] }))[0]?.answers).toBe(1)
  await storage.close()
})

describe.each(backends)('an append to $name', ({ open, count }) => {
  test(`after one of the same process takes ${count} statements`, async () => {
    const { storage, statements } = await open()
    const { id } = await storage.createSession()
    await storage.append(id, 'First')
    await storage.append(id, 'Note', { section: 'notes' })
    const lease = { token: 'own', durationMs: 60_000 }
    await storage.acquireLease(id, lease)
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      text: () => storage.append(id, 'Second'),
      'another section': () => storage.append(id, 'Note', { section: 'notes' }),
      'a response with usage': () =>
        storage.append(id, assistant('Third', { usage, origin: { dialect: 'd', responseId: 'r' } })),
      'with a lease': () => storage.append(id, ['Fourth', 'Fifth'], { lease: lease.token }),
      'after the head': async () => {
        const expectedHead = await storage.head(id)
        statements.length = 0
        return storage.append(id, 'Sixth', { expectedHead: expectedHead ?? null })
      },
    }
    for (const [call, run] of Object.entries(calls)) {
      statements.length = 0
      await run()
      expect({ call, statements: statements.length }).toEqual({ call, statements: count })
    }
    expect(await storage.verify()).toEqual([])
    expect((await storage.usage({ by: [] }))[0]?.answers).toBe(1)
    await storage.close()
  })

  test('notices every change that another process has made in between', async () => {
    const { storage } = await open()
    const { id } = await storage.createSession()
    // The other tenant view has no knowledge of the heads of this one.
    const other = storage.forTenant(storage.tenant)
    const changes: readonly (() => Promise<unknown>)[] = [
      () => other.append(id, 'Other'),
      () => other.append(id, 'Note', { section: 'notes' }),
      async () => other.setHead(id, (await other.messages(id)).toArray()[1]?.id ?? null),
      async () => other.replace(id, (await other.head(id)) ?? '', 'Replaced'),
      async () => other.remove(id, (await other.head(id)) ?? ''),
      () => other.updateSession(id, { title: 'New' }),
      async () => {
        await other.fork(id, { id: `fork of ${id}` })
        await other.replace(id, (await other.head(id)) ?? '', 'Replaced again')
      },
    ]
    await storage.append(id, ['One', 'Two'])
    for (const [index, change] of changes.entries()) {
      await storage.append(id, `Own ${index}`)
      await change()
      const before = (await other.messages(id)).toArray().map((message) => textOf(message))
      await storage.append(id, 'After')
      const after = (await other.messages(id)).toArray().map((message) => textOf(message))
      expect(after).toEqual([...before, 'After'])
    }
    const repeated = (await storage.messages(id)).toArray().at(-1)
    expect((await storage.append(id, repeated ?? 'missing')).added).toEqual([])
    await expect(storage.append(id, { ...assistant('x'), id: repeated?.id ?? '' })).rejects.toMatchObject({
      code: 'conflict',
    })
    await storage.acquireLease(id, { token: 'first', durationMs: 60_000 })
    await storage.append(id, 'Held', { lease: 'first' })
    await other.acquireLease(id, { token: 'second', durationMs: 60_000, replacedToken: 'first' })
    await expect(storage.append(id, 'Fenced', { lease: 'first' })).rejects.toMatchObject({ code: 'conflict' })
    expect(await storage.verify()).toEqual([])
    await storage.deleteSession(id)
    await expect(storage.append(id, 'Gone')).rejects.toMatchObject({ code: 'unknown-session' })
    await storage.close()
  })
})
