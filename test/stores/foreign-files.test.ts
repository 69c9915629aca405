import { spawnSync } from 'node:child_process'
import {
  chmod,
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
import type { ConversationStorage } from 'interlingua/stores'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteDatabase } from '../../src/stores/sqlite/sqlite-database.ts'
import { builtFolder } from './built-package.ts'

let folder = ''
const at = (name: string): string => join(folder, name)
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'interlingua-foreign-')))
})
afterEach(() => rm(folder, { recursive: true }))

const backends: Readonly<Record<string, (path: string) => Promise<ConversationStorage>>> = {
  jsonl: jsonlStorage,
  sqlite: sqliteStorage,
}

/** Files of other programs; each is written to a path. */
const foreignFiles: Readonly<Record<string, (path: string) => Promise<void>>> = {
  'one line without a line end': (path) => writeFile(path, '{"apiUrl":"https://example.com"}'),
  'one character': (path) => writeFile(path, '{'),
  'JSON lines of another program': (path) => writeFile(path, '{"role":"user"}\n{"role":"assistant"}\n'),
  text: (path) => writeFile(path, 'These are my notes. '.repeat(300)),
  'binary data': (path) =>
    writeFile(path, Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 256))),
  'a large file without lines': (path) => writeFile(path, 'x'.repeat(300_000)),
  'a database of another program': async (path) => {
    const database = await openSqliteDatabase(path)
    database.exec('pragma journal_mode = wal; create table notes (text text)')
    database.close()
  },
}

describe.each(Object.entries(backends))('%s', (name, open) => {
  test.each(Object.entries(foreignFiles))('refuses %s and leaves it unchanged', async (_what, write) => {
    await write(at('file'))
    const before = await readFile(at('file'))
    await symlink('file', at('link'))
    for (const path of [at('file'), at('link')])
      await expect(open(path)).rejects.toMatchObject({
        code: 'foreign-file',
        message: expect.stringContaining(path),
        hint: expect.stringContaining('another path'),
      })
    expect(before.equals(await readFile(at('file')))).toBe(true)
    expect((await readdir(folder)).toSorted()).toEqual(['file', 'link'])
  })

  test('accepts an empty file, and the target of a link, which stays a link', async () => {
    await writeFile(at('empty'), '')
    await symlink('empty', at('link'))
    for (const path of [at('link'), at('empty')]) {
      const storage = await open(path)
      await storage.createSession()
      await storage.close()
    }
    const storage = await open(at('link'))
    expect((await storage.sessions()).sessions).toHaveLength(2)
    await storage.close()
  })

  test('creates files that only their owner may read', async () => {
    const storage = await open(at('new'))
    await storage.createSession()
    for (const file of await readdir(folder)) expect((await stat(at(file))).mode & 0o777).toBe(0o600)
    await storage.close()
  })

  test('reports a path without permission', async () => {
    await (await open(at('locked'))).close()
    const before = await readFile(at('locked'))
    const script = join(import.meta.dirname, 'children/open-once.js')
    const asOther = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    await chmod(at('locked'), 0)
    await chmod(folder, 0o755)
    const built = await builtFolder()
    const { stdout } = spawnSync(process.execPath, [script, built, name, at('locked')], asOther)
    expect(stdout.toString().trim()).toBe('storage-unavailable')
    await chmod(at('locked'), 0o600)
    expect(await readFile(at('locked'))).toEqual(before)
  })

  test('reports a directory and a missing directory', async () => {
    await mkdir(at('directory'))
    for (const path of [at('directory'), at('missing/file')])
      await expect(open(path)).rejects.toMatchObject({
        code: 'storage-unavailable',
        message: expect.stringContaining(path),
        retryable: false,
      })
    expect(await readdir(folder)).toEqual(['directory'])
  })
})

test('a file of the other backend is refused with the function that opens it', async () => {
  await (await jsonlStorage(at('a.jsonl'))).close()
  await (await sqliteStorage(at('a.db'))).close()
  await expect(jsonlStorage(at('a.db'))).rejects.toMatchObject({
    code: 'foreign-file',
    hint: expect.stringContaining('sqliteStorage()'),
  })
  await expect(sqliteStorage(at('a.jsonl'))).rejects.toMatchObject({
    code: 'foreign-file',
    hint: expect.stringContaining('jsonlStorage()'),
  })
})
