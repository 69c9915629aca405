import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Message, user } from 'interlingua'
import { sqliteStorage, type SqliteDatabase, type SqliteStorage } from 'interlingua/stores/sqlite'
import { RecentWeakMap } from '../../src/stores/rows/row-hash.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
  DatabaseSync: new (path: string) => SqliteDatabase
}

const COUNT = 1000

let storage: SqliteStorage
let messages: readonly Message[]
const lines: string[] = []

beforeAll(async () => {
  // In memory, nothing waits for a disk: turns are those that the operations give.
  storage = await sqliteStorage(new DatabaseSync(':memory:'), { search: true })
  messages = Array.from({ length: COUNT }, (_, index) => user(`Message ${index}`))
  for (const id of ['s', 'plain']) await storage.createSession({ id })
})
afterAll(() => storage.close())

/** Operations that read or write all messages of a session; each follows the one before it. */
const operations: Readonly<Record<string, () => Promise<unknown>>> = {
  'append of many messages': () => storage.append('s', messages),
  'append of many texts': () =>
    storage.append(
      'plain',
      messages.map((_, index) => `${index}`),
    ),
  messages: () => storage.messages('s'),
  loadStore: () => storage.loadStore('s'),
  'syncHistory of the same messages': () => storage.syncHistory('s', messages),
  'syncHistory of other messages': () =>
    storage.syncHistory(
      's',
      messages.map(({ id }) => user('Other', { id: `other ${id}` })),
    ),
  saveStore: async () => storage.saveStore('s', await storage.loadStore('plain')),
  'replace of the first message': async () => {
    const first = (await storage.messages('s')).first()
    await storage.replace('s', first?.id ?? '', 'First')
  },
  'remove of the first message': async () => {
    const first = (await storage.messages('s')).first()
    await storage.remove('s', first?.id ?? '')
  },
  exportSession: async () => {
    for await (const line of storage.exportSession('s')) lines.push(line)
  },
  importSession: () => storage.importSession(lines, { id: 'copy' }),
  verify: () => storage.verify('s'),
  rebuildSearchIndex: async () => storage.rebuildSearchIndex?.(),
  'deletion of a forked session': async () => {
    await storage.fork('s', { id: 'fork' })
    await storage.deleteSession('s')
  },
  deleteSession: () => storage.deleteSession('copy'),
}

/** The time of a machine that takes a millisecond between two readings; later than the real one, and never set back. */
let clockMs = 1e9

/** Returns the number of turns of the event loop during an operation, on a machine that takes long for everything. */
async function countTurns(run: () => Promise<unknown>): Promise<number> {
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (clockMs += 1))
  try {
    let isDone = false
    const done = run().finally(() => (isDone = true))
    let turns = 0
    for (; !isDone; turns++) await setImmediate()
    await done
    return turns
  } finally {
    clock.mockRestore()
  }
}

describe('a storage in SQLite', () => {
  test.each(Object.entries(operations))('gives other work its turn during %s', async (_name, run) => {
    expect(await countTurns(run)).toBeGreaterThan(5)
  })

  test('remembers the hashes of the last messages only: a large WeakMap grows in one piece', () => {
    const map = new RecentWeakMap<object, number>()
    const keys = Array.from({ length: 60_000 }, (_, index) => ({ index }))
    keys.forEach((key, index) => map.set(key, index))
    expect(keys.slice(-20_000).every((key) => map.get(key) === key.index)).toBe(true)
    expect(keys.filter((key) => map.get(key) !== undefined).length).toBeLessThanOrEqual(40_000)
  })

  test('moves its log into the file while it is open', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'interlingua-log-'))
    const path = join(folder, 'log.db')
    const inFile = await sqliteStorage(path)
    await inFile.createSession({ id: 's' })
    const readSize = async (): Promise<number> => (await stat(path)).size
    const size = await readSize()
    for (let count = 0; count < 200; count++) await inFile.append('s', 'One more')
    // Pages are only added to the file when the log is moved into it.
    await vi.waitFor(async () => expect(await readSize()).toBeGreaterThan(size), 10_000)
    await inFile.close()
    await rm(folder, { recursive: true })
  })

  test('starts its log anew while writes follow each other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'interlingua-log-'))
    const path = join(folder, 'log.db')
    const inFile = await sqliteStorage(path)
    await inFile.createSession({ id: 's' })
    const text = 'Long. '.repeat(20_000)
    for (let count = 0; count < 400; count++) await inFile.append('s', text)
    // All of it together would be 400 times as long as the text.
    expect((await stat(`${path}-wal`)).size).toBeLessThan(200 * text.length)
    expect((await stat(path)).size).toBeGreaterThan(200 * text.length)
    await inFile.close()
    await rm(folder, { recursive: true })
  })
})
