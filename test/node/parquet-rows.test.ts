import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fromConversations, toConversation } from 'interlingua/formats'
import { readParquetRows } from 'interlingua/node'
import { expect, test } from 'vitest'
import { interlingua } from '../cli/run-command.ts'
import { again } from '../law-assertions.ts'

const SAMPLE = join(import.meta.dirname, 'samples/train.parquet')

/** All rows of a file. */
async function readAll(path: string): Promise<readonly unknown[]> {
  const rows: unknown[] = []
  for await (const row of readParquetRows(path)) rows.push(row)
  return rows
}

test('rows are conversations with tools, reasoning and images, and are written as they were', async () => {
  const rows = await readAll(SAMPLE)
  expect(rows).toMatchObject([{ count: 7 }, { count: '9007199254740993' }])
  const [first, second] = fromConversations(rows)
  expect(first?.format).toBe('huggingface')
  expect(first?.value.tools).toMatchObject([{ name: 'weather' }])
  expect([...(first?.value.messages ?? [])].map(({ content }) => content)).toMatchObject([
    [{ type: 'image', source: { kind: 'base64', mediaType: 'image/png' } }, { type: 'text' }],
    [
      { type: 'reasoning', text: 'It is small.' },
      { type: 'text', text: 'A dot.' },
    ],
  ])
  for (const [index, conversation] of [first, second].entries())
    if (conversation !== undefined)
      expect(again(toConversation(conversation.value, { to: 'huggingface' }).value)).toEqual(rows[index])
})

test('the command line reads a file like lines of JSON', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parquet-'))
  const converted = await interlingua(['convert', SAMPLE, '--to', 'sharegpt'], { folder })
  expect(converted.code).toBe(0)
  expect(converted.stdout.trim().split('\n')).toHaveLength(2)
  const imported = await interlingua(['store', 'import', SAMPLE], { folder })
  expect(imported.code).toBe(0)
  expect((await interlingua(['inspect', SAMPLE], { folder })).stdout).toContain('A dot.')
  const piped = await interlingua(['inspect'], { folder, input: Readable.from([await readFile(SAMPLE)]) })
  expect(piped.stderr).toContain('it is a Parquet file')
})

test.each([
  ['a cut file', async () => (await readFile(SAMPLE)).subarray(0, 900), 'it is damaged'],
  ['another file', () => Promise.resolve(Buffer.from('PAR1 is text')), 'it is damaged'],
  ['no file', undefined, 'ENOENT'],
])('%s is an error that names the file and the reason', async (_, content, found) => {
  const path = join(await mkdtemp(join(tmpdir(), 'parquet-')), 'broken.parquet')
  if (content !== undefined) await writeFile(path, await content())
  await expect(readAll(path)).rejects.toMatchObject({ code: 'unreadable-file', found })
})
