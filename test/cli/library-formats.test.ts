import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { user } from 'interlingua'
import { beforeAll, describe, expect, test } from 'vitest'
import { inputsByFormat } from '../formats/messages/recognized-inputs.ts'
import {
  FORMAT_NAMES,
  isLibraryFormat,
  WRITABLE_FORMAT_NAMES,
} from '../../src/cli/input/input-format-names.ts'
import { checkLibraryMessages } from '../../src/cli/verify/check-library-messages.ts'
import { interlingua, type Ran } from './run-command.ts'

interface VerifyOutput {
  readonly matrix: { readonly [from: string]: { readonly [to: string]: object } }
  readonly rules: readonly { readonly id: string; readonly violations: readonly unknown[] }[]
}

test('every format has a row in the guide', async () => {
  const guide = await readFile(
    join(import.meta.dirname, '../../docs/guide/importing-conversations.md'),
    'utf8',
  )
  expect(FORMAT_NAMES.filter((name) => !guide.includes(`| \`${name}\``))).toEqual([])
})

let folder: string
const run = (...words: string[]): Promise<Ran> => interlingua(words, { folder })

/** The first stored conversation of each library. */
const conversations = FORMAT_NAMES.filter(isLibraryFormat).map(
  (name) => [name, Object.values(inputsByFormat[name] ?? {})[0]] as const,
)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-formats-'))
  for (const [name, input] of conversations)
    await writeFile(join(folder, `${name}.json`), JSON.stringify(input))
})

describe.each(conversations)('%s', (name, input) => {
  test('is detected, converted to a request, to the stored form, and back unchanged', async () => {
    const request = await run('convert', `${name}.json`, '--to', 'anthropic')
    expect([request.code, request.stderr]).toEqual([0, expect.any(String)])
    expect(JSON.parse(request.stdout)).toHaveProperty('messages')
    expect(
      (await run('convert', `${name}.json`, '--to', 'interlingua', '-o', `${name}.stored.json`)).code,
    ).toBe(0)
    if (WRITABLE_FORMAT_NAMES.includes(name)) {
      const back = await run('convert', `${name}.stored.json`, '--to', name)
      expect(back.code).toBe(0)
      if (Array.isArray(input)) expect(JSON.parse(back.stdout)).toEqual(input)
    }
  })

  test('is known to every command that reads or writes a file', async () => {
    const file = `${name}.json`
    const inspected = await run('inspect', file, '--json')
    expect([inspected.code, JSON.parse(inspected.stdout)]).toEqual([0, expect.objectContaining({ name })])

    for (const options of [[], ['--from', name]]) {
      const verified = await run('verify', file, '--json', ...options)
      const { matrix, rules } = JSON.parse(verified.stdout) as VerifyOutput
      expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([])
      expect([verified.code, matrix]).toEqual([
        0,
        { [name]: expect.objectContaining({ gemini: expect.anything() }) },
      ])
      if (WRITABLE_FORMAT_NAMES.includes(name)) expect(matrix[name]).toHaveProperty(name)
    }

    const imported = await run('store', 'import', file)
    expect(imported.code).toBe(0)
    if (WRITABLE_FORMAT_NAMES.includes(name)) {
      const exported = await run('store', 'export', imported.stdout.trim(), '--to', name)
      expect(exported.code).toBe(0)
      // A store knows the parent of each message, and writes it where the format has a field for it.
      if (Array.isArray(input)) expect(JSON.parse(exported.stdout)).toMatchObject(input)
    }
    // Conversations of an export keep their ids, which another store does not have yet.
    const reimported = await run('store', 'import', file, '--from', name, '--store', 'other.jsonl')
    expect(reimported.code).toBe(0)
  })
})

test('verify finds losses of messages in the format of a library', () => {
  expect(checkLibraryMessages([user('Hi')], 'mcp').at(-1)).toMatchObject({
    to: 'mcp',
    violations: [['own-lossless', 'message-field at /0/createdAt']],
  })
})

test('a table of verify has a column for the own format of libraries', async () => {
  const { stdout } = await run('verify', 'langchain.json')
  expect(stdout).toMatch(/^from \\ to .* itself$/m)
  expect(stdout).toMatch(/^langchain .* 0 of 1$/m)
})

const line = (id: number, content: string): string =>
  JSON.stringify({
    type: 'message',
    id: `0b7c1f7e-7a51-4a5c-9a65-00000000000${id}`,
    parentId: id === 1 ? null : `0b7c1f7e-7a51-4a5c-9a65-00000000000${id - 1}`,
    section: 'messages',
    timestamp: '2026-08-06T23:52:09+00:00',
    data: { role: 'user', content },
  })

test('a session file with one message per line is one conversation, also in a store', async () => {
  await writeFile(join(folder, 'session.jsonl'), `${line(1, 'a')}\n${line(2, 'b')}\n`)
  const request = await run('convert', 'session.jsonl', '--to', 'openai-chat')
  expect((JSON.parse(request.stdout) as { messages: unknown[] }).messages).toHaveLength(2)
  expect((await run('verify', 'session.jsonl')).stdout).toMatch(/^1 document, /)
  const imported = await run('store', 'import', 'session.jsonl')
  expect(imported).toMatchObject({ code: 0 })
  const exported = await run('store', 'export', imported.stdout.trim(), '--to', 'instructor-php')
  expect(JSON.parse(exported.stdout)).toHaveLength(2)
})

test('STF is read, and text of no format is refused', async () => {
  await writeFile(join(folder, 'chat.stf'), ';user\nHi\n;ai\nHello')
  expect(JSON.parse((await run('convert', 'chat.stf', '--to', 'langchain')).stdout)).toHaveLength(2)
  await writeFile(join(folder, 'notes.txt'), 'Hi\nHello')
  expect(await run('convert', 'notes.txt', '--to', 'langchain')).toMatchObject({ code: 3, stdout: '' })
})

test('of lines with one conversation each, the good ones are converted and the bad ones listed', async () => {
  const good = JSON.stringify([{ role: 'user', content: 'Hi', message_uuid: 'msg_1' }])
  const bad = JSON.stringify([{ role: 'user', content: 5, message_uuid: 'msg_1' }])
  await writeFile(join(folder, 'many.jsonl'), `${good}\n${bad}\n${good}\n`)
  const { code, stdout, stderr } = await run(
    'convert',
    'many.jsonl',
    '--from',
    'laragent',
    '--to',
    'gemini',
    '--keep-going',
  )
  expect(code).not.toBe(0)
  expect(stdout.trim().split('\n')).toHaveLength(2)
  expect(stderr).toContain('many.jsonl:2')
})
