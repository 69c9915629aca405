import { execFile } from 'node:child_process'
import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteDatabase } from '../../src/stores/sqlite/sqlite-database.ts'
import { builtFolder } from './built-package.ts'

let folder = ''
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'interlingua-files-')))
})
afterEach(() => rm(folder, { recursive: true }))

const unavailable = { name: 'InterlinguaError', code: 'storage-unavailable', retryable: false }

describe('SQLite', () => {
  test('a full disk loses only the current write', async () => {
    const database = await openSqliteDatabase(join(folder, 'a.db'))
    const storage = await sqliteStorage(database)
    await storage.createSession({ id: 's' })
    await storage.append('s', 'Kept')
    database.exec('pragma max_page_count = 40')
    const long = 'x'.repeat(200_000)
    for (let count = 0; count < 2; count++)
      await expect(storage.append('s', long)).rejects.toMatchObject(unavailable)
    expect((await storage.messages('s')).size).toBe(1)
    await storage.append('s', 'Small')
    expect(await storage.verify()).toEqual([])
    await storage.close()
  })

  test('a read-only database is reported', async () => {
    await (await sqliteStorage(join(folder, 'a.db'))).close()
    const database = await openSqliteDatabase(join(folder, 'a.db'))
    const storage = await sqliteStorage(database)
    database.exec('pragma query_only = on')
    await expect(storage.createSession()).rejects.toMatchObject(unavailable)
    expect((await storage.sessions()).sessions).toEqual([])
    await storage.close()
  })

  test('after closing, one file contains everything', async () => {
    const storage = await sqliteStorage(join(folder, 'a.db'))
    await storage.createSession({ id: 's' })
    await storage.append('s', ['One', 'Two'])
    await storage.close()
    await copyFile(join(folder, 'a.db'), join(folder, 'copy.db'))
    const copy = await sqliteStorage(join(folder, 'copy.db'))
    expect((await copy.messages('s')).size).toBe(2)
    await copy.close()
  })

  test('a damaged page is reported as damage', async () => {
    const path = join(folder, 'a.db')
    const storage = await sqliteStorage(path)
    await storage.createSession({ id: 's' })
    await storage.append(
      's',
      Array.from({ length: 200 }, (_, index) => `Message ${index}`),
    )
    await storage.close()
    const bytes = await readFile(path)
    await writeFile(path, bytes.fill(0x5a, 4096 * 2))
    const opening = sqliteStorage(path).then((again) => again.verify().finally(() => void again.close()))
    await expect(opening).rejects.toMatchObject({ code: 'damaged' })
  })
})

describe('JSON lines', () => {
  const path = (): string => join(folder, 'a.jsonl')

  test('a full disk loses only the current write', async () => {
    // A file size limit fails writes in the same way as a full disk.
    const child = join(import.meta.dirname, 'children/full.js')
    const line = `ulimit -f 200 && exec "$0" "$@"`
    const words = ['-c', line, process.execPath, child, await builtFolder(), path()]
    const { stdout } = await promisify(execFile)('sh', words)
    const { stored, error } = JSON.parse(stdout) as { stored: number; error: object }
    expect(error).toMatchObject({ code: 'storage-unavailable' })
    expect(stored).toBeGreaterThan(0)
    const storage = await jsonlStorage(path())
    // After the error, a small message was written.
    expect((await storage.messages('s')).size).toBe(stored + 1)
    expect(storage.quarantinedLines).toEqual([])
    expect(await storage.verify()).toEqual([])
    await storage.close()
  })

  test('a path that is not a regular file is refused', async () => {
    await promisify(execFile)('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe')])
    await expect(jsonlStorage(join(folder, 'pipe'))).rejects.toMatchObject(unavailable)
    expect(await readdir(folder)).toEqual(['pipe'])
  })

  test('under another name, the same file has the same single writer, and keeps both names', async () => {
    const other = join(folder, 'other.jsonl')
    await symlink('a.jsonl', other)
    const storage = await jsonlStorage(other)
    await expect(jsonlStorage(path())).rejects.toMatchObject({ code: 'conflict' })
    await storage.createSession({ id: 's' })
    await storage.rewrite()
    await storage.createSession({ id: 't' })
    await storage.close()
    const again = await jsonlStorage(path())
    expect((await again.sessions()).sessions).toHaveLength(2)
    await again.close()
    expect((await readdir(folder)).toSorted()).toEqual(['a.jsonl', 'a.jsonl.lock', 'other.jsonl'])
  })

  test('a rewritten file keeps its permissions', async () => {
    const storage = await jsonlStorage(path())
    await chmod(path(), 0o600)
    await storage.rewrite()
    await storage.close()
    expect((await stat(path())).mode & 0o777).toBe(0o600)
  })

  test('a failed rewrite changes nothing, and can be repeated', async () => {
    await (await jsonlStorage(path())).close()
    await appendFile(path(), 'garbage\n')
    const storage = await jsonlStorage(path())
    await storage.createSession({ id: 's' })
    await mkdir(`${path()}.quarantine`)
    await expect(storage.rewrite()).rejects.toMatchObject(unavailable)
    expect(storage.quarantinedLines).toHaveLength(1)
    await storage.createSession({ id: 't' })
    await rm(`${path()}.quarantine`, { recursive: true })
    await storage.rewrite()
    expect(await readFile(`${path()}.quarantine`, 'utf8')).toBe('garbage\n')
    await storage.close()
    const again = await jsonlStorage(path())
    expect([again.quarantinedLines.length, (await again.sessions()).sessions.length]).toEqual([0, 2])
    await again.close()
  })
})
