import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Message, textOf } from 'interlingua'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let folder = ''
let file = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-jsonl-'))
  file = join(folder, 'chat.jsonl')
})
afterEach(() => rm(folder, { recursive: true }))

const texts = (messages: Iterable<Message>): string[] => Array.from(messages, (message) => textOf(message))

/** Creates a file with a session of a number of messages, one per line. */
async function written(...words: readonly string[]): Promise<string[]> {
  const storage = await jsonlStorage(file)
  await storage.createSession({ id: 's' })
  for (const word of words) await storage.append('s', word)
  await storage.close()
  return (await readFile(file, 'utf8')).split('\n')
}

describe('a file of JSON lines', () => {
  test('an incomplete last line is truncated, wherever it ends, and the next one is complete', async () => {
    const lines = await written('One', 'Two')
    const last = lines.at(-2) ?? ''
    for (const length of [1, Math.floor(last.length / 2), last.length]) {
      await writeFile(file, `${lines.slice(0, -2).join('\n')}\n${last.slice(0, length)}`)
      const storage = await jsonlStorage(file)
      expect(texts(await storage.messages('s'))).toEqual(['One'])
      expect(storage.quarantinedLines).toEqual([])
      await storage.append('s', 'Three')
      expect(await storage.verify()).toEqual([])
      await storage.close()
      const again = await jsonlStorage(file)
      expect(texts(await again.messages('s'))).toEqual(['One', 'Three'])
      await again.close()
    }
  })

  test('a changed line is quarantined and reported; its data is missing, not guessed', async () => {
    const lines = await written('One', 'Two', 'Three')
    const changed = lines.map((line) => line.replace('"Two', '"Zwei').replace('\\"Two', '\\"Zwei'))
    expect(changed).not.toEqual(lines)
    await writeFile(file, changed.join('\n'))
    const storage = await jsonlStorage(file)
    const [only] = storage.quarantinedLines
    expect([only?.line, only?.text]).toEqual([3, changed[2]])
    await expect(storage.messages('s')).rejects.toMatchObject({ code: 'damaged' })
    expect((await storage.verify()).map(({ kind }) => kind)).toEqual(['line', 'parent'])
    await storage.rewrite()
    expect(storage.quarantinedLines).toEqual([])
    await storage.close()
    expect(await readFile(`${file}.quarantine`, 'utf8')).toBe(`${changed[2]}\n`)
  })

  test.each([
    ['invalid JSON', 'garbage'],
    ['JSON of another kind', '{"role":"user","content":"Hello"}'],
    ['an unknown kind of row', null],
  ])('%s between valid lines does no harm', async (_what, line) => {
    await written('One')
    const { createHash } = await import('node:crypto')
    const text = '[["__proto__","x",{"a":1}]]'
    const sealed = `{"version":1,"checksum":"${createHash('sha256').update(text).digest('hex')}","changes":${text}}`
    await appendFile(file, `${line ?? sealed}\n`)
    const storage = await jsonlStorage(file)
    expect(storage.quarantinedLines).toHaveLength(1)
    expect(texts(await storage.messages('s'))).toEqual(['One'])
    await storage.close()
  })

  test('a file of a newer version is refused and left unchanged', async () => {
    await written('One')
    const before = (await readFile(file, 'utf8')).replaceAll('{"version":1,', '{"version":2,')
    await writeFile(file, before)
    await expect(jsonlStorage(file)).rejects.toMatchObject({ code: 'unsupported-version' })
    expect(await readFile(file, 'utf8')).toBe(before)
  })

  test('a rewrite drops removed data and changes nothing else', async () => {
    const storage = await jsonlStorage(file)
    await storage.createSession({ id: 's' })
    await storage.createSession({ id: 'gone' })
    for (const word of ['One', 'Two', 'Three']) await storage.append('s', word)
    await storage.append('gone', 'Secret')
    await storage.deleteSession('gone')
    const path = await storage.messages('s')
    await storage.rewrite()
    expect(await readFile(file, 'utf8')).not.toContain('Secret')
    await storage.append('s', 'Four')
    await storage.close()
    const again = await jsonlStorage(file)
    expect(texts(await again.messages('s'))).toEqual(['One', 'Two', 'Three', 'Four'])
    expect((await again.messages('s')).toArray().slice(0, 3)).toEqual(path.toArray())
    expect(await again.verify()).toEqual([])
    await again.close()
    expect(await readdir(folder)).toEqual(['chat.jsonl'])
  })

  test('a second writer gets a conflict; the lock of a dead process is stale', async () => {
    const storage = await jsonlStorage(file)
    await expect(jsonlStorage(file)).rejects.toMatchObject({ code: 'conflict' })
    await storage.close()
    const { hostname } = await import('node:os')
    // No process has this id: it exceeds the maximum of all systems.
    await writeFile(`${file}.lock`, JSON.stringify({ pid: 2 ** 30, host: hostname(), token: 'x' }))
    const both = await Promise.allSettled([jsonlStorage(file), jsonlStorage(file)])
    const opened = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(opened).toHaveLength(1)
    await opened[0]?.close()
    await writeFile(`${file}.lock`, JSON.stringify({ pid: 2 ** 30, host: 'elsewhere', token: 'x' }))
    await expect(jsonlStorage(file)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a failed transaction leaves nothing in memory or on disk', async () => {
    await written('One')
    const before = await readFile(file, 'utf8')
    const storage = await jsonlStorage(file)
    await expect(storage.append('s', 'x', { expectedHead: null })).rejects.toMatchObject({ code: 'conflict' })
    await expect(storage.importSession(['{}'])).rejects.toMatchObject({ code: 'missing-field' })
    expect((await storage.messages('s')).size).toBe(1)
    await storage.close()
    expect(await readFile(file, 'utf8')).toBe(before)
  })
})
