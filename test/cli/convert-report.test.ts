import { describe, expect, test } from 'vitest'
import { LossCounter } from '../../src/cli/convert/loss-counter.ts'
import { lossy, request, stream } from './input-fixtures.ts'
import { Folder, interlingua } from './run-command.ts'

interface Report {
  readonly converted: number
  readonly failed: number
  readonly losses: readonly {
    readonly rule: string
    readonly path: string
    readonly count: number
    readonly example: { readonly line?: number; readonly path: string }
  }[]
  readonly errors: readonly { readonly code: string; readonly count: number; readonly example: object }[]
}

/** The user's second message has a name, which Anthropic does not support. */
const named = (index: number): object => ({
  ...request,
  messages: [
    ...Array.from({ length: index }, () => ({ role: 'user', content: 'Hi' })),
    { role: 'user', name: 'ada', content: 'Hi' },
  ],
})
const lines = [request, lossy, named(1), '{"a":', named(2), '', lossy, '42', '{']
const input = lines.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join('')

describe('convert --report', () => {
  test('counts losses by rule and path, and errors by code, each with the line of the first one', async () => {
    await using folder = await Folder.with({ 'in.jsonl': input })
    const words = ['convert', 'in.jsonl', '--to', 'anthropic', '--keep-going', '-q', '-o', 'out.jsonl']
    const json = await interlingua([...words, '--report', 'report.json'], { folder: folder.path })
    expect(json.code).toBe(3)
    const report = JSON.parse(await folder.read('report.json')) as Report
    expect(report).toMatchObject({ converted: 5, failed: 3 })
    expect(report.losses).toContainEqual(
      expect.objectContaining({
        rule: 'foreign-residue',
        severity: 'loss',
        dialect: 'anthropic',
        path: '/extra/openai-chat/logit_bias',
        count: 2,
        example: { line: 2, path: '/extra/openai-chat/logit_bias' },
      }),
    )
    const shared = report.losses.find(({ path }) => path.startsWith('/messages/*'))
    expect(shared).toMatchObject({ count: 2, example: { line: 3 } })
    expect(shared?.example.path).toMatch(/^\/messages\/1/)
    expect(report.errors).toMatchObject([
      { code: 'not-json', count: 2, example: { line: 4 } },
      { code: 'invalid-value', count: 1, example: { line: 8 } },
    ])

    await interlingua([...words, '--report', 'report.txt'], { folder: folder.path })
    const table = await folder.read('report.txt')
    expect(table).toMatch(/^5 converted, 3 failed\n\ncount {2}kind {2}rule/)
    expect(table).toMatch(/^2 {6}loss {2}foreign-residue +\/extra\/openai-chat\/logit_bias +2 /m)
    expect(table).toMatch(/^2 {6}not-json +4 /m)
  })

  test.each([
    ['a document', JSON.stringify(lossy), 1],
    ['a stream', stream, 0],
  ])('of %s has no line numbers', async (_name, text, count) => {
    await using folder = await Folder.with({ in: text })
    const words = ['convert', 'in', '--to', 'anthropic', '--report', 'report.json']
    expect(await interlingua(words, { folder: folder.path })).toMatchObject({ code: 0 })
    const report = JSON.parse(await folder.read('report.json')) as Report
    expect(report).toMatchObject({ converted: 1, failed: 0, errors: [] })
    const found = report.losses.filter(({ rule }) => rule === 'foreign-residue')
    expect(found).toHaveLength(count)
    for (const { example } of found) expect(example).not.toHaveProperty('line')
  })

  test('that cannot be written is an error', async () => {
    await using folder = await Folder.with({ 'in.jsonl': input })
    const words = ['convert', 'in.jsonl', '--to', 'anthropic', '--keep-going', '--report', 'no/such/folder']
    const { code, stderr } = await interlingua(words, { folder: folder.path })
    expect(code).toBe(1)
    expect(stderr).toContain('no/such/folder cannot be written')
  })

  test('has a bounded number of paths, whatever the property names of the input are', () => {
    const counts = new LossCounter()
    const loss = {
      rule: 'no-field',
      dialect: 'ollama',
      severity: 'loss',
      action: 'dropped',
      reason: '',
    } as const
    for (let index = 0; index < 5000; index++) counts.add({ ...loss, path: `/extra/key${index}` }, index)
    const list = counts.toList()
    expect(list.length).toBeLessThan(1100)
    expect(list.at(-1)).toMatchObject({ pattern: '/**', count: 4000 })
    expect(list.reduce((sum, { count }) => sum + count, 0)).toBe(5000)
  })
})
