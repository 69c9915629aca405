import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { textOf } from 'interlingua'
import { type ConversationStorage, createKeyring } from 'interlingua/stores'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { freshDatabase } from '../stores/postgres.ts'
import { canStartRedis } from '../stores/redis.ts'
import { startRedis } from '../stores/redis-server.ts'
import { Folder, interlingua, type Ran } from './run-command.ts'
import { request } from './input-fixtures.ts'

let folder: Folder
beforeEach(async () => {
  folder = await Folder.with({ 'request.json': JSON.stringify(request) })
  return () => folder[Symbol.asyncDispose]()
})

const run = (...words: readonly string[]): Promise<Ran> => interlingua(words, { folder: folder.path })

const open = (name: string): Promise<ConversationStorage> =>
  (name.endsWith('.jsonl') ? jsonlStorage : sqliteStorage)(folder.at(name))

async function readTexts(storage: ConversationStorage, session: string): Promise<readonly string[]> {
  return Array.from(await storage.messages(session), (message) => textOf(message))
}

/** Creates a store with conversations of two tenants; returns it open. */
async function fill(name: string, count = 3): Promise<ConversationStorage> {
  const storage = await open(name)
  await storage.createSession({ id: 'a', title: 'First' })
  for (let index = 1; index <= count; index++) await storage.append('a', `Message ${index}`)
  await storage.forTenant('acme').createSession({ id: 'b' })
  await storage.forTenant('acme').append('b', 'Of another tenant')
  return storage
}

describe.each(['store.jsonl', 'store.db'])('%s', (name) => {
  const copy = name.replace('store', 'copy')

  test('a backup contains what is committed while the store is in use', async () => {
    const storage = await fill(name)
    const { code, stdout } = await run('store', 'backup', '--store', name, '-o', copy)
    expect([code, stdout]).toEqual([0, expect.stringContaining(folder.at(copy))])
    await storage.append('a', 'Later')
    await storage.close()
    expect(statSync(folder.at(copy)).mode & 0o777).toBe(0o600)
    const restored = await open(copy)
    expect(await readTexts(restored, 'a')).toEqual(['Message 1', 'Message 2', 'Message 3'])
    expect(await readTexts(restored.forTenant('acme'), 'b')).toEqual(['Of another tenant'])
    expect(await restored.verify()).toEqual([])
    await restored.close()
  })

  test('a backup replaces nothing, and needs a store', async () => {
    await (await fill(name)).close()
    writeFileSync(folder.at(copy), 'mine')
    expect(await run('store', 'backup', '--store', name, '-o', copy)).toMatchObject({ code: 1 })
    expect(readFileSync(folder.at(copy), 'utf8')).toBe('mine')
    expect(await run('store', 'backup', '--store', `no-${name}`, '-o', 'new')).toMatchObject({ code: 3 })
    expect(existsSync(folder.at('new'))).toBe(false)
    expect(readdirSync(folder.path).filter((file) => file.includes('tmp'))).toEqual([])
  })

  test('an intact store is salvaged completely', async () => {
    await (await fill(name)).close()
    const before = readFileSync(folder.at(name))
    const { code, stdout } = await run('store', 'salvage', name, '-o', copy, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      output: folder.at(copy),
      conversations: 2,
      messages: 4,
      issues: [],
    })
    expect(before.equals(readFileSync(folder.at(name)))).toBe(true)
    expect(await run('store', 'salvage', name, '-o', copy)).toMatchObject({ code: 1 })
  })
})

test('a backup of a JSONL store ends with the last complete line', async () => {
  await (await fill('store.jsonl')).close()
  const bytes = readFileSync(folder.at('store.jsonl'))
  const last = bytes.subarray(bytes.lastIndexOf('\n', -2) + 1)
  writeFileSync(folder.at('store.jsonl'), Buffer.concat([bytes, last.subarray(0, 50)]))
  await run('store', 'backup', '--store', 'store.jsonl', '-o', 'copy.jsonl')
  expect(bytes.equals(readFileSync(folder.at('copy.jsonl')))).toBe(true)
})

test('a JSONL store with a damaged line is salvaged without it', async () => {
  await (await fill('store.jsonl')).close()
  const damaged = readFileSync(folder.at('store.jsonl'), 'utf8').replace('Message 2', 'Message X')
  writeFileSync(folder.at('store.jsonl'), damaged)
  const { code, stdout } = await run('store', 'salvage', 'store.jsonl', '-o', 'new.db')
  expect(code).toBe(5)
  expect(stdout).toContain('Salvaged 2 conversations with 3 messages')
  expect(stdout).toMatch(/Line 4: the checksum does not match/)
  const storage = await open('new.db')
  expect(await readTexts(storage, 'a')).toEqual(['Message 3'])
  expect(await storage.verify()).toEqual([])
  await storage.close()
})

test('a SQLite store with damaged pages is salvaged without their rows', async () => {
  await (await fill('store.db', 120)).close()
  const bytes = readFileSync(folder.at('store.db'))
  const page = Math.floor(bytes.indexOf('Message 60') / 4096) * 4096
  writeFileSync(folder.at('store.db'), bytes.fill(0x5a, page, page + 4096))
  const { code, stdout } = await run('store', 'salvage', 'store.db', '-o', 'new.jsonl', '--json')
  expect(code).toBe(5)
  const report = JSON.parse(stdout) as { messages: number; issues: readonly { reason: string }[] }
  expect(report.messages).toBeGreaterThan(100)
  expect(report.messages).toBeLessThan(121)
  expect(report.issues[0]?.reason).toMatch(/interlingua_messages: the rows \d+ to \d+ cannot be read/)
  const storage = await open('new.jsonl')
  expect((await readTexts(storage, 'a')).at(-1)).toBe('Message 120')
  expect(await storage.verify()).toEqual([])
  await storage.close()
})

test('encrypted conversations are left behind and reported', async () => {
  await (await fill('store.jsonl')).close()
  const key = new Uint8Array(32)
  const keys = createKeyring({ secret: { current: 'k', keys: { k: key } } })
  const storage = await jsonlStorage(folder.at('store.jsonl'), { tenant: 'secret', encryption: { keys } })
  await storage.createSession({ id: 'hidden' })
  await storage.append('hidden', 'Secret')
  await storage.close()
  const { code, stdout } = await run('store', 'salvage', 'store.jsonl', '-o', 'new.jsonl')
  expect([code, stdout]).toEqual([
    5,
    expect.stringMatching(/^Salvaged 2 .*\nhidden {2}- {2}body: .*encrypted/),
  ])
})

test('a file that is not a store cannot be salvaged', async () => {
  const { code, stderr } = await run('store', 'salvage', 'request.json', '-o', 'new.db')
  expect([code, stderr]).toEqual([1, expect.stringContaining('request.json')])
  expect(existsSync(folder.at('new.db'))).toBe(false)
})

/** A server with a store: its URL contains a password. */
interface StoreServer {
  readonly url: URL
  readonly stop: () => Promise<void>
}

async function openPostgres(): Promise<StoreServer> {
  const database = await freshDatabase()
  const url = new URL(database.url)
  url.password ||= 'unused-secret'
  return { url, stop: () => database.drop() }
}

async function openRedis(): Promise<StoreServer> {
  const server = await startRedis({ settings: ['--requirepass', 'right-secret'] })
  const url = new URL(server.url)
  url.password = 'right-secret'
  return { url, stop: () => server.stop() }
}

const servers: Readonly<
  Record<string, { readonly open: () => Promise<StoreServer>; readonly backup: string }>
> = {
  PostgreSQL: { open: openPostgres, backup: 'pg_dump' },
  ...(canStartRedis && { Redis: { open: openRedis, backup: 'redis-cli --rdb' } }),
}

describe('a store on a server', () => {
  test.each(Object.entries(servers))(
    '%s works with every store command, and its password is never printed',
    async (_name, { open, backup }) => {
      const { url, stop } = await open()
      try {
        const imported = await run('store', 'import', 'request.json', '--store', url.href, '--title', 'Kept')
        expect(imported.stderr).toMatch(/^loss {2}request-field at \/tools: .*\n$/)
        expect(imported.code).toBe(0)
        const id = imported.stdout.trim()
        const commands = [
          ['list'],
          ['show', id],
          ['export', id],
          ['verify'],
          ['migrate'],
          ['prune', '--days', '1'],
        ]
        const printed: string[] = []
        for (const words of commands) {
          const { code, stdout, stderr } = await run('store', ...words, '--store', url.href)
          expect([words, code]).toEqual([words, 0])
          printed.push(stdout, stderr)
        }
        expect(printed[0]).toContain('Kept')
        expect(printed.join()).not.toContain(url.password)
        const refused = await run('store', 'backup', '-o', 'x', '--store', url.href)
        expect(refused.stderr).toContain(backup)
      } finally {
        await stop()
      }
    },
  )

  test.each([
    ['an unreachable server', 'postgres://me:s3cret@127.0.0.1:1/chat?password=s3cret', 1],
    ['an unreachable Redis server', 'redis://me:s3cret@127.0.0.1:1/0', 1],
    ['an invalid URL', 'postgres://me:s3cret@host:port/chat', 2],
    ['an invalid Redis URL', 'redis://me:s3cret@host:port', 2],
    ['an invalid Redis database', 'rediss://me:s3cret@host/chat', 2],
    ['an unusable option', 'postgres://me:s3cret@127.0.0.1:1/chat?sslrootcert=/s3cret', 1],
  ])('%s is reported without the password', async (_what, url, exitCode) => {
    for (const json of [[], ['--json']]) {
      const { code, stdout, stderr } = await run('store', 'list', '--store', url, ...json)
      expect([code, stdout]).toEqual([exitCode, ''])
      expect(stderr).not.toBe('')
      expect(stderr).not.toContain('s3cret')
    }
  })
})
