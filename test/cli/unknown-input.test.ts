import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { isBody } from '../../src/cli/input/body-shapes.ts'
import { BODY_FORMAT_NAMES } from '../../src/cli/input/input-format-names.ts'
import { subjects } from '../dialects/dialect-table.ts'
import { Folder, interlingua } from './run-command.ts'

/** Data that is not a conversation, and the description in the error. */
const unknownData: Readonly<Record<string, readonly [data: string | Buffer, found: RegExp]>> = {
  'an empty file': ['', /empty/],
  'blank lines': [' \n\r\n ', /empty/],
  'plain text': ['Hello, how are you?', /found plain text/],
  'several lines of text': ['2026-01-01 started\n2026-01-01 failed: {"code":1}\n', /found plain text/],
  HTML: ['<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>\n', /found HTML or XML/],
  XML: ['<?xml version="1.0"?><a/>', /found HTML or XML/],
  'a number': ['42', /found a number/],
  'a string': ['"Hello"', /found a string/],
  'a boolean': ['true', /found a boolean/],
  null: ['null', /found null/],
  'incomplete JSON': ['{"messages":[{"role":"user"', /syntax error/],
  'an unrelated object': ['{"hello":"world"}', /found an object/],
  'an empty object': ['{}', /found an object/],
  'an object with a setting': ['{"title":"A","format":"pdf","n":5}', /found an object/],
  'other messages': ['{"ok":true,"messages":[{"user":"U1","text":"Hi"}]}', /found an object/],
  'messages as text': ['{"messages":"none"}', /found an object/],
  'another input': ['{"input":5}', /found an object/],
  'other choices': ['{"choices":["a","b"]}', /found an object/],
  'other candidates': ['{"candidates":[{"name":"Bo"}]}', /found an object/],
  'another output': ['{"object":"response","output":[1]}', /found an object/],
  'another message': ['{"message":"ok","type":"message"}', /found an object/],
  'an empty array': ['[]', /found an empty array/],
  'an array of numbers': ['[1,2,3]', /found an array/],
  'an array of other objects': ['[{"name":"Bo"},{"name":"Al"}]', /found an array/],
  'lines of other objects': ['{"name":"Bo"}\n{"name":"Al"}\n', /found an object/],
  'server-sent events': ['data: {"x":1}\n\n', /found server-sent events/],
  binary: [
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0xff]),
    /found binary data/,
  ],
}

/** Selects a share of the variants, which differs from one place to the next; in a soak it selects all of them. */
const selectShare = <T>(variants: readonly T[], place: number, shareCount: number): readonly T[] =>
  variants.filter((_, index) => process.env['SOAK'] || (index + place) % shareCount === 0)

/** Lists the commands that read a conversation, and those whose report goes to standard output. */
const listCommands = (place: number): readonly (readonly string[])[] => [
  ...selectShare([...BODY_FORMAT_NAMES, 'langchain'], place, 3).map((to) => ['convert', '--to', to]),
  ['convert', '--to', 'gemini', '--keep-going'],
  ['convert', '--to', 'gemini', '--output', 'out.json'],
  ['convert', '--to', 'gemini', '--output', 'out.json', '--keep-going'],
  ['inspect'],
  ['inspect', '--json'],
  ['verify'],
  ['store', 'import'],
]

/** Returns the variant whose turn it is; in a soak all of them. */
const takeVariants = <T>(variants: readonly T[], turn: number): readonly T[] =>
  variants.filter((_, index) => process.env['SOAK'] || index === turn % variants.length)

const rows = Object.entries(unknownData).map(([name, [data, found]], place) => ({ name, data, found, place }))

describe.each(rows)('$name', ({ data, found, place }) => {
  test.each(listCommands(place).map((words, turn) => [words.join(' '), words, turn] as const))(
    '%s refuses it',
    async (_line, words, turn) => {
      await using folder = await Folder.with()
      const names = ['in', 'in.jsonl']
      for (const name of names) await writeFile(folder.at(name), data)
      const input = Readable.from(data.length === 0 ? [] : [Buffer.from(data)])
      const runs = [
        () => interlingua(words, { folder: folder.path, input }),
        ...names.map((name) => () => interlingua([...words, name], { folder: folder.path })),
      ]
      for (const run of takeVariants(runs, place + turn)) {
        const { code, stdout, stderr } = await run()
        expect(code).toBe(3)
        expect(stderr).toMatch(found)
        expect(stderr).toMatch(/expected|Pass an object with messages|syntax error/)
        if (words[0] !== 'verify') expect(stdout).toBe('')
      }
      expect(readdirSync(folder.path)).toEqual(names)
    },
  )

  test.each(BODY_FORMAT_NAMES)('--from %s does not make it one', async (from) => {
    const first = place + BODY_FORMAT_NAMES.indexOf(from)
    await using folder = await Folder.with()
    await writeFile(folder.at('in'), data)
    const kinds = [[], ['--kind', 'request'], ['--kind', 'response'], ['--kind', 'stream']]
    const lines = [
      ['convert', '--to', from],
      ['convert', '--to', 'interlingua', '-o', 'out.json'],
      ['inspect'],
      ['verify'],
    ]
    for (const [turn, kind] of selectShare([...kinds.entries()], first, 2))
      for (const words of takeVariants(lines, first + turn)) {
        const line = [...words, 'in', '--from', from, ...kind]
        const { code, stdout, stderr } = await interlingua(line, { folder: folder.path })
        expect(stderr, line.join(' ')).toMatch(
          /found|syntax error|empty|not a stream|not JSON|has no streams/,
        )
        expect(code, line.join(' ')).toBe(3)
        if (words[0] !== 'verify') expect(stdout).toBe('')
      }
    expect(readdirSync(folder.path)).toEqual(['in'])
  })
})

describe('what is known is accepted', () => {
  test.each(subjects)('every body of $name', ({ name, fixtures }) => {
    const refused = (['request', 'response'] as const).flatMap((kind) =>
      fixtures[kind]
        .filter((each) => !isBody(each.body, name, kind) && !each.name.startsWith('unusual'))
        .map((each) => `${kind}: ${each.name}`),
    )
    expect(refused).toEqual([])
  })
})

test('a folder without conversations is an error of verify', async () => {
  await using folder = await Folder.with({ 'notes.md': '#' })
  const { code, stdout, stderr } = await interlingua(['verify', '.'], { folder: folder.path })
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toMatch(/There is nothing to verify: found no \.json/)
})
