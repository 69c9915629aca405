import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Folder } from './run-command.ts'
import { files, lossy, response } from './input-fixtures.ts'
import { typed } from './run-shell-line.ts'

/** Transcripts: a command after `$`, then its expected output. `UPDATE=1` rewrites them. */
const folder = new URL('golden/', import.meta.url)
const names = readdirSync(folder).filter((name) => name.endsWith('.txt'))

const more = {
  ...files,
  'lossy.json': JSON.stringify(lossy),
  'response.json': JSON.stringify(response),
  'broken.json': JSON.stringify({
    model: 'm',
    messages: [
      { role: 'user', content: 'Hi\u001b]0;gotcha\u0007 there' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{' } }],
      },
    ],
  }),
  'bad.jsonl': `${JSON.stringify(lossy)}\n{"oops"\n{"hello":"world"}\n`,
}

/** Replaces values that differ between runs. */
const passing: readonly (readonly [RegExp, string])[] = [
  [/(session|msg)_[0-9a-f]{24}/g, '$1_ID'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\.\d+Z)?/g, 'TIME'],
  [/\/\S*interlingua-cli-\w+/g, 'FOLDER'],
]

describe('transcripts', () => {
  test.each(names)('%s', async (name) => {
    await using own = await Folder.with(more)
    const file = new URL(name, folder)
    const expected = readFileSync(file, 'utf8')
    const seen: string[] = []
    for (const [, line = ''] of expected.matchAll(/^\$ (.*)$/gm)) {
      const { code, stdout, stderr } = await typed(line, { folder: own.path })
      const errors = stderr.replaceAll(/^(?=.)/gm, '! ')
      seen.push(`$ ${line}\n${stdout}${errors}${code === 0 ? '' : `exit ${code}\n`}`)
    }
    const text = passing.reduce((all, [found, word]) => all.replaceAll(found, word), seen.join('\n'))
    if (process.env['UPDATE']) writeFileSync(file, text)
    else expect(text).toBe(expected)
  })
})
