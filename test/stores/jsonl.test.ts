import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Message, textOf } from 'interlingua'
import { memoryStorage } from 'interlingua/stores'
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

/** The line of an entry, as the library writes it. */
function sealed(entry: string): string {
  const checksum = createHash('sha256').update(entry).digest('hex')
  return `{ "interlingua-journal": "${checksum}", "entry": ${entry}}\n`
}

describe('a file of JSON lines', () => {
  test('a last line that a crash cut off is dropped, wherever it ends, and the next one is complete', async () => {
    const lines = (await written('One', 'Two')).slice(0, -2) // without the entry of closing
    const last = lines.at(-1) ?? ''
    for (const length of [1, Math.floor(last.length / 2), last.length - 1]) {
      await writeFile(file, `${lines.slice(0, -1).join('\n')}\n${last.slice(0, length)}`)
      const storage = await jsonlStorage(file)
      expect(texts(await storage.messages('s'))).toEqual(['One'])
      expect(storage.quarantinedLines).toEqual([])
      await storage.append('s', 'Three')
      expect(await storage.verify()).toEqual([])
      await storage.close()
      const again = await jsonlStorage(file)
      expect(texts(await again.messages('s'))).toEqual(['One', 'Three'])
      expect(await again.verify()).toEqual([])
      await again.close()
    }
  })

  test('a complete last line without a line end is kept, and the next one starts after it', async () => {
    const lines = await written('One', 'Two')
    await writeFile(file, lines.slice(0, -2).join('\n'))
    for (const added of ['Three', 'Four']) {
      const storage = await jsonlStorage(file)
      await storage.append('s', added)
      expect(await storage.verify()).toEqual([])
      await storage.close()
    }
    const storage = await jsonlStorage(file)
    expect(texts(await storage.messages('s'))).toEqual(['One', 'Two', 'Three', 'Four'])
    await storage.close()
  })

  test.each([
    ['CRLF line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['blank lines', (text: string) => `${text.replace('\n', '\n\n \n')}\n`],
  ])('a file to which an editor added %s is read completely', async (_what, edit) => {
    await written('One', 'Two')
    await writeFile(file, edit(await readFile(file, 'utf8')))
    const storage = await jsonlStorage(file)
    expect(await storage.verify()).toEqual([])
    await storage.append('s', 'Three')
    await storage.close()
    const again = await jsonlStorage(file)
    expect(texts(await again.messages('s'))).toEqual(['One', 'Two', 'Three'])
    await again.close()
  })

  test('after a changed line, the messages behind it start a path, and those before it are a branch', async () => {
    const lines = await written('One', 'Two', 'Three', 'Four')
    const bytes = Buffer.from(lines.join('\n'))
    const position = bytes.indexOf('Two')
    bytes[position] = 0xff // not valid UTF-8
    await writeFile(file, bytes)
    const [start, end] = [bytes.lastIndexOf('\n', position) + 1, bytes.indexOf('\n', position)]
    const storage = await jsonlStorage(file)
    const [only] = storage.quarantinedLines
    expect([only?.line, Buffer.from(only?.bytes ?? [])]).toEqual([4, bytes.subarray(start, end)])
    expect(texts(await storage.messages('s'))).toEqual(['Three', 'Four'])
    expect(new Set((await storage.branches('s')).map(({ length }) => length))).toEqual(new Set([1, 2]))
    expect((await storage.verify()).map(({ kind }) => kind)).toEqual(['line', 'line', 'parent'])
    const copy = memoryStorage()
    await copy.importSession(storage.exportSession('s'))
    expect(texts(await copy.messages('s'))).toEqual(['Three', 'Four'])
    await storage.append('s', 'Five')
    await storage.rewrite()
    expect([storage.quarantinedLines, await storage.verify()]).toEqual([[], []])
    await storage.close()
    expect(await readFile(`${file}.quarantine`)).toEqual(
      Buffer.concat([bytes.subarray(start, end), Buffer.from('\n')]),
    )
    const again = await jsonlStorage(file)
    expect(texts(await again.messages('s'))).toEqual(['Three', 'Four', 'Five'])
    expect(await again.verify()).toEqual([])
    await again.close()
  })

  test('messages that follow a repaired path stay readable if the lost line is restored', async () => {
    const lines = await written('One', 'Two', 'Three')
    const lost = lines[3] ?? ''
    await writeFile(file, lines.with(3, lost.replace('Two', 'Zwei')).join('\n'))
    const damaged = await jsonlStorage(file)
    await damaged.append('s', 'Four')
    await damaged.close()
    await writeFile(file, (await readFile(file, 'utf8')).replace(lost.replace('Two', 'Zwei'), lost))
    const restored = await jsonlStorage(file)
    expect(texts(await restored.messages('s'))).toEqual(['Three', 'Four'])
    expect(await restored.verify()).toEqual([])
    await restored.close()
  })

  test.each([
    ['invalid JSON', 'garbage\n', 'unknown format'],
    ['JSON of another kind', '{"role":"user","content":"Hello"}\n', 'unknown format'],
    [
      'an unknown kind of row',
      sealed('{"version":1,"sequence":9,"changes":[["__proto__","x",{"a":1}]]}'),
      'unknown change',
    ],
    ['an unknown entry', sealed('[]'), 'unknown entry'],
    ['an entry without a number', sealed('{"version":1,"changes":[]}'), 'sequence number'],
  ])('%s between valid lines does no harm', async (_what, line, reason) => {
    await written('One')
    await appendFile(file, line)
    const storage = await jsonlStorage(file)
    expect(storage.quarantinedLines).toMatchObject([{ reason: expect.stringContaining(reason) }])
    expect(texts(await storage.messages('s'))).toEqual(['One'])
    await storage.close()
  })

  test('a file of a newer version is refused and left unchanged', async () => {
    await written('One')
    await appendFile(file, sealed('{"version":2,"sequence":5,"changes":[]}'))
    const before = await readFile(file)
    await expect(jsonlStorage(file)).rejects.toMatchObject({ code: 'unsupported-version' })
    expect(await readFile(file)).toEqual(before)
  })

  test('a rewrite drops removed data and changes nothing else', async () => {
    // A crash during an earlier rewrite left this file behind.
    await writeFile(`${file}.rewrite`, sealed('{"version":1,"sequence":1,"changes":[]}'))
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
    expect((await readdir(folder)).toSorted()).toEqual(['chat.jsonl', 'chat.jsonl.lock'])
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
