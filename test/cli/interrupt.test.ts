import { readdirSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { jsonlStorage } from '../../src/stores/jsonl/index.ts'
import { describe, expect, test } from 'vitest'
import { Folder, interlingua, type Ran } from './run-command.ts'
import { files, lossy, stream } from './input-fixtures.ts'

/** Yields text in chunks and sends Ctrl-C after a number of them. */
async function* cut(
  text: string,
  size: number,
  after: number,
  stop: AbortController,
): AsyncGenerator<string> {
  for (let at = 0, taken = 0; at < text.length; at += size, taken++) {
    if (taken === after) stop.abort()
    yield text.slice(at, at + size)
    // Yields to the event loop between chunks, like a pipe.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const lines = `${JSON.stringify(lossy)}\n`.repeat(40)
const inputs: readonly (readonly [name: string, text: string])[] = [
  ['lines', lines],
  ['one body', JSON.stringify(lossy, null, 2)],
  ['a stream', stream],
]
const moments = [0, 1, 2, 3, 5, 8, 13]

describe.each(inputs)('Ctrl-C while %s are converted', (_name, text) => {
  test.each(moments)('after %i chunks: the file is unchanged, and no other file is left', async (after) => {
    await using folder = await Folder.with({ 'out.json': 'before' })
    const stop = new AbortController()
    const size = Math.ceil(text.length / 14)
    const ran: Ran = await interlingua(['convert', '--to', 'anthropic', '-o', 'out.json'], {
      folder: folder.path,
      input: cut(text, size, after, stop),
      signal: stop.signal,
    })
    expect(ran.code).toBe(130)
    expect(await folder.read('out.json')).toBe('before')
    expect(readdirSync(folder.path)).toEqual(['out.json'])
  })
})

describe('Ctrl-C elsewhere', () => {
  test.each([
    ['verify', '.'],
    ['inspect', 'log.jsonl'],
    ['store', 'import', 'request.json'],
    ['chat', 'Hello'],
    ['demo'],
  ])('before the start: %s %s', async (...words) => {
    await using folder = await Folder.with(files)
    const ran = await interlingua(words, { folder: folder.path, signal: AbortSignal.abort() })
    expect(ran.code).toBe(130)
  })

  test.each([
    ['convert', '--to', 'gemini'],
    ['inspect'],
    ['verify'],
    ['store', 'import'],
    ['chat'],
    ['chat', 'Hi'],
  ])('while a pipe is idle: %s', async (...words) => {
    await using folder = await Folder.with()
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 5)
    const input = new PassThrough()
    const ran = await interlingua(words, { folder: folder.path, input, signal: stop.signal })
    expect(ran.code).toBe(130)
  })

  test('the store stays intact', async () => {
    await using folder = await Folder.with()
    const stop = new AbortController()
    const input = (async function* () {
      yield 'How is the weather in Oslo?\n'
      await new Promise((resolve) => setTimeout(resolve, 5))
      stop.abort()
    })()
    await interlingua(['chat'], { folder: folder.path, input, signal: stop.signal })
    const storage = await jsonlStorage(folder.at('store.jsonl'))
    expect(await storage.verify()).toEqual([])
    await storage.close()
  })
})
