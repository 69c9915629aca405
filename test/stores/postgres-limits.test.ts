import { connect, createServer, type Server, type Socket } from 'node:net'
import pg from 'pg'
import { InterlinguaError } from 'interlingua'
import { postgresStorage, type PostgresPool } from 'interlingua/stores/postgres'
import { POSTGRES_ERROR_RULES } from '../../src/stores/postgres/postgres-errors.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { interlingua } from '../cli/run-command.ts'
import { freshDatabase } from './postgres.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let admin: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  await (await postgresStorage(database.url)).close()
})
afterAll(async () => {
  await admin.end()
  await database.drop()
})

/** Returns the error that a promise rejects with. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: unknown) => error,
  )

/** A pool whose statements other than the first ones of a transaction fail with a code. */
function failingPool(code: string): PostgresPool {
  const fail = async ({ text }: { readonly text: string }): Promise<{ rows: unknown[] }> => {
    if (/^(begin|rollback)/.test(text)) return { rows: [] }
    throw Object.assign(new Error('secret text of a row'), { code })
  }
  const client = { query: fail, release: () => undefined, on: () => undefined, off: () => undefined }
  return { connect: async () => client, end: async () => undefined }
}

describe('an error of PostgreSQL', () => {
  const classes = Object.keys(POSTGRES_ERROR_RULES).map((code) => (code.length === 2 ? `${code}000` : code))
  const others = ['0A000', '22021', '23514', '42601', '54000', '57P04', 'XX001']

  test.each([...classes, ...others])(
    '%s is typed, tells whether to retry, and does not quote rows',
    async (code) => {
      const error = await errorOf(postgresStorage(failingPool(code), { lockTimeoutMs: 1 }))
      expect(error).toBeInstanceOf(InterlinguaError)
      const { hint, message, retryable } = error as InterlinguaError
      expect(hint).toMatch(/\.$/)
      expect(`${message} ${hint} ${JSON.stringify(error)}`).not.toContain('secret')
      const rule = POSTGRES_ERROR_RULES[code] ?? POSTGRES_ERROR_RULES[code.slice(0, 2)]
      expect({ code: (error as InterlinguaError).code, retryable }).toEqual({
        code: rule?.code ?? 'storage-unavailable',
        retryable: rule?.retryable ?? false,
      })
    },
  )

  test('temporary ones are retryable, permanent ones are not', () => {
    const codes = (isRetryable: boolean): string[] =>
      Object.entries(POSTGRES_ERROR_RULES).flatMap(([code, rule]) =>
        rule.retryable === isRetryable ? [code] : [],
      )
    const temporary =
      '55P03 57014 40001 40P01 53300 57P01 57P02 57P03 08 ECONNREFUSED ECONNRESET ETIMEDOUT'.split(' ')
    expect(codes(true)).toEqual(expect.arrayContaining(temporary))
    expect(codes(false)).toEqual(expect.arrayContaining(['25006', '28', '3D000', '42501', '42P01', '53100']))
  })

  test.each([
    ['an unknown database', (url: URL) => (url.pathname = '/no_such_database'), false],
    ['a closed port', (url: URL) => (url.port = '1'), true],
    ['too many connections', (url: URL) => (url.username = 'full_role'), true],
  ])('%s is reported', async (_name, change, retryable) => {
    await admin.query('drop role if exists full_role; create role full_role login connection limit 0')
    const url = new URL(database.url)
    change(url)
    const error = await errorOf(postgresStorage(url.href))
    expect(error).toMatchObject({ code: 'storage-unavailable', retryable })
  })

  test.each([
    { statementTimeoutMs: 0 },
    { lockTimeoutMs: -1 },
    { connectTimeoutMs: 1.5 },
    { connections: 0 },
    { lockTimeoutMs: Number.NaN },
  ])('the option %o is refused', async (options) => {
    const error = await errorOf(postgresStorage(database.url, options))
    expect(error).toMatchObject({ code: 'invalid-value', path: `/${Object.keys(options)[0]}` })
  })
})

describe('a session that another process holds', () => {
  /** Locks the row of a session until `release` is called. */
  async function hold(session: string): Promise<{ release(): Promise<unknown> }> {
    await admin.query('begin')
    await admin.query('select key from interlingua_sessions where id = $1 for update', [session])
    return { release: () => admin.query('rollback') }
  }

  test('does not use up the connections that other sessions need', async () => {
    const storage = await postgresStorage(database.url, { connections: 3, lockTimeoutMs: 60_000 })
    for (const id of ['held', 'free']) await storage.createSession({ id })
    const held = await hold('held')
    const order: string[] = []
    const waiting = Array.from({ length: 20 }, (_, index) =>
      storage.append('held', `Message ${index}`).then(() => order.push('held')),
    )
    const waitingConnections: number[] = []
    for (let index = 0; index < 20; index++) {
      await storage.append('free', `Message ${index}`)
      const { rows } = await admin.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      waitingConnections.push(...rows.map(({ count }) => count))
    }
    order.push('free')
    expect(Math.max(...waitingConnections)).toBe(1)
    expect((await storage.messages('held')).size).toBe(0)
    await held.release()
    await Promise.all(waiting)
    expect(order[0]).toBe('free')
    expect((await storage.messages('held')).size).toBe(20)
    expect(await storage.verify()).toEqual([])
    await storage.close()
  })

  test('is reported to all waiting writers after one lock timeout', async () => {
    const storage = await postgresStorage(database.url, { connections: 2, lockTimeoutMs: 300 })
    await storage.createSession({ id: 'locked' })
    const held = await hold('locked')
    const start = performance.now()
    const first = errorOf(storage.append('locked', 'First')).then(() => performance.now() - start)
    const errors = await Promise.all(
      Array.from({ length: 50 }, (_, index) => errorOf(storage.append('locked', `Message ${index}`))),
    )
    for (const error of errors) expect(error).toMatchObject({ code: 'conflict', retryable: true })
    // If each writer waited for its own timeout, all of them would take 25 times as long.
    expect(performance.now() - start).toBeLessThan(10 * (await first))
    await held.release()
    await storage.append('locked', 'Afterwards')
    expect((await storage.messages('locked')).size).toBe(1)
    await storage.close()
  })
})

describe('a server that', () => {
  /** Forwards connections to PostgreSQL until `pause` is called; then nothing arrives any more. */
  async function startProxy(): Promise<{ url: string; pause(): void; close(): void }> {
    const target = new URL(database.url)
    const sockets: Socket[] = []
    let isPaused = false
    const server: Server = createServer((socket) => {
      const upstream = connect(Number(target.port), target.hostname)
      sockets.push(socket, upstream)
      for (const each of [socket, upstream]) each.on('error', () => undefined)
      socket.on('data', (bytes) => isPaused || upstream.write(bytes))
      upstream.on('data', (bytes) => isPaused || socket.write(bytes))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = new URL(database.url)
    url.port = String((server.address() as { port: number }).port)
    return {
      url: url.href,
      pause: () => void (isPaused = true),
      close: () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      },
    }
  }

  test('does not accept a connection is reported', async () => {
    const proxy = await startProxy()
    proxy.pause()
    const error = await errorOf(postgresStorage(proxy.url, { connectTimeoutMs: 200 }))
    expect(error).toMatchObject({ code: 'storage-unavailable', retryable: true })
    proxy.close()
  })

  test('stops answering is reported', async () => {
    const proxy = await startProxy()
    const storage = await postgresStorage(proxy.url, { statementTimeoutMs: 2000, connectTimeoutMs: 2000 })
    await storage.createSession({ id: 'silent' })
    proxy.pause()
    const error = await errorOf(storage.append('silent', 'Hello'))
    expect(error).toMatchObject({ code: 'storage-unavailable', retryable: true })
    proxy.close()
    await storage.close()
  })
})

describe('a statement that takes too long', () => {
  test('is cancelled by the server, and the connection stays usable', async () => {
    await admin.query(`create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(60); return new; end';
      create trigger slow before insert on interlingua_sessions for each row when (new.id = 'slow') execute function slow()`)
    const storage = await postgresStorage(database.url, { statementTimeoutMs: 2000, connections: 1 })
    const error = await errorOf(storage.createSession({ id: 'slow' }))
    expect(error).toMatchObject({ code: 'storage-unavailable', retryable: true })
    expect((error as InterlinguaError).message).toContain('was cancelled')
    await storage.createSession({ id: 'fast' })
    await storage.close()
    await admin.query('drop trigger slow on interlingua_sessions; drop function slow')
  })
})

describe('a migrated database', () => {
  test('is opened by a role that may only read', async () => {
    const writer = await postgresStorage(database.url)
    await writer.createSession({ id: 'shared' })
    await writer.append('shared', ['One', 'Two'])
    await admin.query(
      'drop role if exists reader; create role reader login; revoke create on schema public from public; ' +
        'grant select on all tables in schema public to reader',
    )
    const url = new URL(database.url)
    url.username = 'reader'
    for (const options of [{}, { migrate: false }]) {
      const reader = await postgresStorage(url.href, options)
      expect((await reader.messages('shared')).size).toBe(2)
      expect(await errorOf(reader.append('shared', 'Three'))).toMatchObject({
        code: 'storage-unavailable',
        retryable: false,
      })
      await reader.close()
    }
    await writer.close()
    await admin.query('drop owned by reader; drop role reader')
  })

  test('is required if `migrate` is false', async () => {
    const empty = await freshDatabase()
    const error = await errorOf(postgresStorage(empty.url, { migrate: false }))
    expect(error).toMatchObject({ code: 'unsupported-version', found: 'no tables', expected: 'version 1' })
    expect((error as InterlinguaError).hint).toContain('interlingua store migrate')
    const url = new URL(empty.url)
    url.password = 'geheim'
    const { code, stdout } = await interlingua(['store', 'migrate', '--store', url.href])
    expect({ code, isReported: stdout.endsWith(`${url.host}${url.pathname} are up to date.\n`) }).toEqual({
      code: 0,
      isReported: true,
    })
    expect(stdout).not.toContain('geheim')
    await (await postgresStorage(empty.url, { migrate: false })).close()
    await empty.drop()
  })
})
