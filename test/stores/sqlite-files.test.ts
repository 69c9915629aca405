import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type SqliteDatabase, sqliteStorage } from 'interlingua/stores/sqlite'
import { openSqliteDatabase } from '../../src/stores/sqlite/sqlite-database.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-files-'))
  path = join(folder, 'chat.db')
})
afterEach(() => rm(folder, { recursive: true }))

/** Returns the files of the database that contain a text. */
function filesWith(text: string): string[] {
  const files = [path, `${path}-wal`, `${path}-shm`].filter((file) => existsSync(file))
  return files.filter((file) => readFileSync(file).includes(text))
}

/** Returns the open files of this process below the folder. */
function listOpenFiles(): string[] {
  const links = readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return [readlinkSync(join('/proc/self/fd', name))]
    } catch {
      return [] // closed in the meantime
    }
  })
  return links.filter((link) => link.startsWith(folder))
}

describe('the files of a SQLite storage', () => {
  test.runIf(process.platform === 'linux')('are not open any more after close()', async () => {
    const storage = await sqliteStorage(path)
    await storage.createSession({ id: 's' })
    await storage.append('s', ['One', 'Two'])
    await storage.messages('s')
    await storage.branches('s')
    expect(listOpenFiles()).not.toEqual([])
    await storage.close()
    expect(listOpenFiles()).toEqual([])
  })

  test('contain no deleted text after maintain()', async () => {
    const storage = await sqliteStorage(path)
    const words = ['deleted-session', 'replaced-message', 'removed-message', 'changed-title']
    await storage.createSession({ id: 'kept', title: 'changed-title' })
    await storage.createSession({ id: 'gone' })
    const filler = Array.from(
      { length: 50 },
      (_, index) => `Message ${index} deleted-session ${'x'.repeat(3_000)}`,
    )
    await storage.append('gone', filler)
    const { added } = await storage.append('kept', [
      'replaced-message',
      'removed-message',
      'remaining-message',
    ])
    const [first = '', second = ''] = added.map(({ id }) => id)
    for (const word of words) expect(filesWith(word)).not.toEqual([])
    await storage.deleteSession('gone')
    await storage.replace('kept', first, 'other')
    await storage.remove('kept', second)
    await storage.updateSession('kept', { title: 'T' })
    await storage.maintain()
    for (const word of words) expect({ word, files: filesWith(word) }).toEqual({ word, files: [] })
    expect(filesWith('remaining-message')).toEqual([path])
    expect((await storage.messages('kept')).size).toBe(2)
    expect(await storage.verify()).toEqual([])
    await storage.close()
  })

  test('contain no text that was deleted, without maintain(), once the log has been moved into the file', async () => {
    const storage = await sqliteStorage(path)
    await storage.createSession({ id: 's' })
    const { added } = await storage.append('s', ['removed-message', 'remaining-message'])
    await storage.close()
    expect(filesWith('removed-message')).toEqual([path])
    const again = await sqliteStorage(path)
    await again.remove('s', added[0]?.id ?? '')
    await again.close()
    expect(filesWith('removed-message')).toEqual([])
    expect(filesWith('remaining-message')).toEqual([path])
  })

  test('are not rewritten while another connection uses them', async () => {
    const storage = await sqliteStorage(path, { busyTimeoutMs: 50 })
    await storage.createSession({ id: 's' })
    const other = await openSqliteDatabase(path)
    other.exec('begin immediate')
    await expect(storage.maintain()).rejects.toMatchObject({ code: 'conflict', retryable: true })
    other.exec('rollback')
    other.close()
    await storage.maintain()
    await storage.append('s', 'Still open')
    await storage.close()
  })

  test('in memory can be maintained, too', async () => {
    const storage = await sqliteStorage(':memory:')
    await storage.createSession({ id: 's' })
    await storage.maintain()
    expect((await storage.session('s'))?.id).toBe('s')
    await storage.close()
  })
})

describe('a long operation of a SQLite storage', () => {
  /** A database whose statements take long once `isSlow` is set. */
  async function openSlowDatabase(): Promise<SqliteDatabase & { isSlow: boolean }> {
    const database = await openSqliteDatabase(':memory:')
    const slow = {
      isSlow: false,
      exec: (text: string) => database.exec(text),
      close: () => database.close(),
      prepare: (text: string) => {
        const statement = database.prepare(text)
        return {
          all: (...values: Parameters<typeof statement.all>) => {
            const end = performance.now() + (slow.isSlow ? 11 : 0)
            while (performance.now() < end);
            return statement.all(...values)
          },
        }
      },
    }
    return slow
  }

  test.each(['messages', 'branches', 'verify', 'deleteSession'] as const)(
    'lets other work of the process have its turn: %s',
    async (operation) => {
      const database = await openSlowDatabase()
      const storage = await sqliteStorage(database)
      await storage.createSession({ id: 's' })
      const texts = Array.from({ length: 1_200 }, (_, index) => `Message ${index}`)
      await storage.append('s', texts)
      database.isSlow = true
      let turns = 0
      let isDone = false
      const done = storage[operation]('s').finally(() => (isDone = true))
      while (!isDone) {
        await setImmediate()
        turns += 1
      }
      await done
      expect(turns).toBeGreaterThan(3)
      await storage.close()
    },
  )
})
