import { createRequire } from 'node:module'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assistant, type Message, textOf, user } from 'interlingua'
import { type ConversationStorage, memoryStorage, replicated } from 'interlingua/stores'
import { type SqliteDatabase, sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const SOAK = process.env['SOAK'] !== undefined
const COUNT = SOAK ? 100_000 : 3_000
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }

let folder = ''
let path = ''
let storage: ConversationStorage
let database: SqliteDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-import-'))
  path = join(folder, 'a.db')
  storage = await sqliteStorage(path)
  const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
    DatabaseSync: new (path: string) => SqliteDatabase
  }
  database = new DatabaseSync(path)
})
afterAll(async () => {
  database.close()
  await storage.close()
  await rm(folder, { recursive: true })
})

const countMessages = (): number => {
  const [row] = database.prepare('select count(*) as count from interlingua_messages').all()
  return Number((row as { readonly count: number }).count)
}

/** The lines of a session of `count` messages, each made when it is asked for. */
async function* createLines(
  count: number,
  onLine: (index: number) => void = () => {},
): AsyncGenerator<string> {
  const time = new Date(0).toISOString()
  const session = { id: 'made', title: '', labels: [], parameters: {}, createdAt: time, updatedAt: time }
  yield JSON.stringify({ interlingua: 1, session, sections: [{ name: 'messages', head: `m${count - 1}` }] })
  for (let index = 0; index < count; index++) {
    onLine(index)
    const origin = { dialect: 'd', responseId: `r${index - (index % 4)}` }
    const message: Message = {
      ...(index % 2 === 0 ? user(`${index}`) : assistant(`${index}`, { usage, origin })),
      id: `m${index}`,
      ...(index > 0 && { parentId: `m${index - 1}` }),
    }
    const labels = index % 1000 === 0 ? { labels: ['thousand'] } : {}
    yield JSON.stringify({ interlingua: 1, section: 'messages', message, ...labels })
  }
}

describe('an import into SQLite', () => {
  test('stores lines while it reads them, and the session appears with the last one', async () => {
    let longestQueue = 0
    const visible: boolean[] = []
    let heapAtStart = 0
    let heapGrowth = 0
    const watched = createLines(COUNT, (index) => {
      if (index % 500 !== 499) return
      longestQueue = Math.max(longestQueue, index - countMessages())
      if (index === 499) heapAtStart = process.memoryUsage().heapUsed
      heapGrowth = Math.max(heapGrowth, process.memoryUsage().heapUsed - heapAtStart)
    })
    const lines = (async function* () {
      for await (const line of watched) {
        if (visible.length < 3) visible.push((await storage.session('made')) !== undefined)
        yield line
      }
    })()
    const imported = await storage.importSession(lines)
    expect(longestQueue).toBeLessThan(600)
    expect(visible).toEqual([false, false, false])
    if (SOAK) console.log(`the heap grew by ${Math.round(heapGrowth / 1e6)} MB for ${COUNT} messages`)
    expect(imported).toMatchObject({ id: 'made', untrustedLogEntries: 0 })
    const messages = (await storage.messages('made')).toArray()
    expect([messages.length, textOf(messages.at(-1) ?? user(''))]).toEqual([COUNT, `${COUNT - 1}`])
    expect((await storage.labels('made')).size).toBe(Math.ceil(COUNT / 1000))
    expect((await storage.usage({ by: [] }))[0]?.answers).toBe(COUNT / 2)
    expect(await storage.verify()).toEqual([])
    const [whole, read]: [string[], string[]] = [[], []]
    for await (const line of createLines(COUNT)) whole.push(JSON.parse(line).message?.id ?? '')
    for await (const line of storage.exportSession('made')) read.push(JSON.parse(line).message?.id ?? '')
    expect(read).toEqual(whole)
    await storage.deleteSession('made')
  })

  test('leaves nothing if its source fails, a line is invalid, or the id is used meanwhile', async () => {
    const failing: Readonly<Record<string, () => AsyncGenerator<string>>> = {
      source: async function* () {
        for await (const line of createLines(1_000)) {
          if (line.includes('"m900"')) throw new Error('source failed')
          yield line
        }
      },
      'repeated line': async function* () {
        yield* createLines(600)
        yield JSON.stringify({ interlingua: 1, section: 'messages', message: { ...user('x'), id: 'm1' } })
      },
      'unknown parent': async function* () {
        yield* createLines(600)
        const message = { ...user('x'), parentId: 'nowhere' }
        yield JSON.stringify({ interlingua: 1, section: 'messages', message })
      },
      'used id': async function* () {
        yield* createLines(600)
        await storage.createSession({ id: 'made' })
      },
    }
    for (const [name, lines] of Object.entries(failing)) {
      const error: unknown = await storage.importSession(lines()).catch((reason: unknown) => reason)
      expect({ name, isError: error instanceof Error }).toEqual({ name, isError: true })
      expect(countMessages()).toBe(0)
      expect(await storage.deleteSession('made')).toBe(name === 'used id')
      expect(await storage.verify()).toEqual([])
    }
  })

  test('that a crash interrupted is removed once its reservation has ended', async () => {
    let stop = (): void => {}
    const stopped = new Promise<void>((resolve) => (stop = resolve))
    const running = storage.importSession(
      (async function* () {
        yield* createLines(1_000)
        await stopped
      })(),
    )
    while (countMessages() < 1_000) await new Promise((resolve) => void setImmediate(resolve))
    const other = await sqliteStorage(path)
    await other.maintain()
    expect(countMessages()).toBe(1_000) // still reserved
    expect(await other.verify()).toEqual([])
    expect(await other.usage()).toEqual([])
    database.exec('update interlingua_removals set removable_at_ms = 0')
    await other.maintain()
    await other.close()
    expect(countMessages()).toBe(0)
    stop()
    await expect(running).rejects.toMatchObject({ code: 'conflict' })
    expect(await storage.session('made')).toBeUndefined()
  })
})

test('replicas import what the primary has stored, from lines that can be read only once', async () => {
  const copies = [memoryStorage(), memoryStorage()] as const
  const both = replicated(copies)
  const { id } = await both.importSession(createLines(50), { id: 'renamed' })
  expect(id).toBe('renamed')
  for (const copy of copies) expect((await copy.messages('renamed')).size).toBe(50)
  expect(await both.verify()).toEqual([])
})
