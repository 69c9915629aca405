import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { interlingua, type Ran } from './run-command.ts'

let folder: string
const run = (...words: string[]): Promise<Ran> => interlingua(words, { folder })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transcripts-'))
  await cp(join(import.meta.dirname, '../formats/transcripts/samples'), folder, { recursive: true })
  await writeFile(
    join(folder, 'torn.jsonl'),
    '{"type":"user","uuid":"a","parentUuid":null,"isSidechain":false,"message":{"role":"user","content":"Hi"}}\n{"type":',
  )
})

/** The files and folders of the samples, and their formats. */
const inputs = [
  ['claude-code.jsonl', 'claude-code'],
  ['codex.jsonl', 'codex'],
  ['gemini-cli.json', 'gemini-cli'],
  ['gemini-cli.jsonl', 'gemini-cli'],
  ['opencode.json', 'opencode'],
  ['pi.jsonl', 'pi'],
  ['roo', 'cline'],
  ['continue.json', 'continue'],
] as const

test.each(inputs)('%s is inspected, converted, imported and continued', async (file, format) => {
  const inspected = await run('inspect', file)
  expect(inspected.stdout).toContain(`${file}: ${format} stored, certainty 1`)
  const converted = await run('convert', file, '--to', 'openai-chat')
  expect([converted.code, JSON.parse(converted.stdout)]).toEqual([
    0,
    { messages: expect.any(Array) as unknown },
  ])
  const imported = await run('store', 'import', file)
  expect([imported.code, imported.stdout.trim().split('\n').length]).toEqual([0, 1])
  const resumed = await run('chat', '--resume-from', file, '--model', 'demo', '--json', 'Hello')
  expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining('demo') as unknown])
})

test.each(inputs.filter(([file]) => file !== 'roo'))('%s is verified', async (file, format) => {
  const { code, stdout } = await run('verify', file, '--json')
  expect(code).toBe(0)
  expect(Object.keys((JSON.parse(stdout) as { matrix: object }).matrix)).toEqual([format])
})

test('a stored transcript has its branches, its sub-agents and its title', async () => {
  const { stdout } = await run('store', 'import', 'claude-code.jsonl')
  const { stdout: lines } = await run('store', 'export', stdout.trim())
  const [header = '', ...messages] = lines.trim().split('\n')
  expect(JSON.parse(header)).toMatchObject({
    session: {
      title: 'Fix the Oslo test',
      parameters: { transcript: { format: 'claude-code', gitBranch: 'main' } },
    },
    sections: [{ name: 'messages' }, { name: 'agent-a7f3c901' }],
  })
  expect(messages).toHaveLength(13)
})

test('a line that was cut off is reported, and the others are read', async () => {
  const { code, stdout, stderr } = await run('convert', 'torn.jsonl', '--to', 'openai-chat')
  expect([code, JSON.parse(stdout)]).toEqual([0, { messages: [{ role: 'user', content: 'Hi' }] }])
  expect(stderr).toContain('line 2: not-json: The line is not valid JSON')
})

test('--resume-from excludes --resume, and needs a conversation', async () => {
  expect((await run('chat', '--resume-from', 'codex.jsonl', '--continue', 'Hi')).stderr).toContain(
    'exclude each other',
  )
  expect((await run('chat', '--resume-from', 'gone.jsonl', 'Hi')).stderr).toContain('does not exist')
})
