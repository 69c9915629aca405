import { writeFile } from 'node:fs/promises'
import { dialects } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { decodeDocument } from '../../src/cli/input/input-document.ts'
import {
  checkTranslations,
  findTranslationFaults,
  extractComparableText,
} from '../../src/cli/verify/check-document.ts'
import { checkStreamTranslations } from '../../src/cli/verify/check-stream.ts'
import { hasCorpus } from '../recorded-exchanges.ts'
import { subjects } from '../dialects/dialect-table.ts'
import { Folder, interlingua } from './run-command.ts'
import { files, request, response, stream } from './input-fixtures.ts'

interface Verified {
  readonly documentCount: number
  readonly unreadableCount: number
  readonly unknownFormatCount: number
  readonly matrix: { readonly [from: string]: { readonly [to: string]: { readonly documentCount: number } } }
  readonly rules: readonly { readonly id: string; readonly violations: readonly unknown[] }[]
}

async function verified(words: readonly string[], folder?: string): Promise<Verified & { code: number }> {
  const { code, stdout } = await interlingua(['verify', '--json', ...words], folder ? { folder } : {})
  return { code, ...(JSON.parse(stdout) as Verified) }
}

const violations = ({ rules }: Verified): unknown => rules.flatMap((rule) => rule.violations)

describe('verify', () => {
  test.each(subjects)(
    "the project's own bodies of $name: every pair, and no rule is violated",
    async (subject) => {
      await using folder = await Folder.with()
      const bodies = [...subject.fixtures.request, ...subject.fixtures.response]
      const exchanges = [
        ...subject.fixtures.request.map(({ body }) => ({ dialect: subject.name, request: body })),
        ...subject.fixtures.response.map(({ body }) => ({
          dialect: subject.name,
          request: null,
          response: body,
        })),
      ]
      await writeFile(folder.at('bodies.jsonl'), exchanges.map((each) => JSON.stringify(each)).join('\n'))
      const found = await verified(['.'], folder.path)
      expect(violations(found)).toEqual([])
      expect(found).toMatchObject({
        code: 0,
        documentCount: bodies.length,
        unreadableCount: 0,
        unknownFormatCount: 0,
      })
      expect(Object.keys(found.matrix[subject.name] ?? {})).toEqual(Object.keys(dialects))
    },
  )

  const corpus = new URL('../../../shared/corpus/', import.meta.url).pathname
  if (!hasCorpus) console.warn('recorded traffic is absent: verify is not tested with it')
  const parts = process.env['SOAK'] ? ['.'] : ['prism.jsonl', 'simonw-llm-gemini.jsonl', 'simonw-llm.jsonl']

  test.skipIf(!hasCorpus)('recorded traffic: every pair, and no rule is violated', async () => {
    const found = await verified(parts, corpus)
    expect(violations(found)).toEqual([])
    expect(found).toMatchObject({ code: 0, unreadableCount: 0 })
    expect(found.documentCount).toBeGreaterThan(50)
  })

  test('a folder with every layout', async () => {
    await using folder = await Folder.with({
      ...files,
      'response.json': JSON.stringify(response),
      'notes.md': '#',
    })
    const stored = await interlingua(['convert', 'request.json', '--to', 'interlingua'], {
      folder: folder.path,
    })
    await writeFile(folder.at('stored.json'), stored.stdout)
    const found = await verified(['.'], folder.path)
    expect(found).toMatchObject({ code: 0, documentCount: 6, unreadableCount: 0 })
    expect(Object.keys(found.matrix).toSorted()).toEqual(['anthropic', 'interlingua', 'openai-chat'])
  })

  test('unreadable documents are reported, and the rest is verified', async () => {
    await using folder = await Folder.with({ ...files, 'bad.json': '{' })
    const { code, stdout, stderr } = await interlingua(['verify', '.'], { folder: folder.path })
    expect(code).toBe(3)
    expect(stderr).toMatch(/^bad\.json: The input is not valid JSON/m)
    expect(stdout).toMatch(/^4 documents, translated into \d+ formats, 1 could not be read$/m)
  })
})

test('a stream of an unknown format is reported as a stream, not as invalid JSON', async () => {
  await using folder = await Folder.with({ 'unknown.sse': 'data: {"x":1}\n\n' })
  const { code, stderr } = await interlingua(['verify', 'unknown.sse'], { folder: folder.path })
  expect(code).toBe(3)
  expect(stderr).toMatch(/^unknown\.sse: The input is not a stream of a known format/)
})

describe('a violated rule is found', () => {
  const { content } = decodeDocument(request)
  const ruleOf = (crossings: ReturnType<typeof checkTranslations>): unknown =>
    crossings.flatMap(({ to, violations }) => violations.map(([rule]) => `${rule} to ${to}`))

  test('no request', () => expect(ruleOf(checkTranslations(content, 'openai-chat', request))).toEqual([]))

  test('own-exact, if the JSON differs', () => {
    const other = { ...request, model: 'another' }
    expect(ruleOf(checkTranslations(content, 'openai-chat', other))).toEqual(['own-exact to openai-chat'])
  })

  const written = dialects.anthropic.encodeRequest(
    content.kind === 'request' ? content.request : { messages: [] },
  ).value
  const faults = (value: unknown): readonly string[] =>
    findTranslationFaults(content, 'anthropic', { value, losses: [] }).map(([rule]) => rule)

  test.each([
    ['nothing, if unchanged', written, []],
    ['readable, if it is not a body', 42, ['readable']],
    ['reported, if text is missing', { ...written, system: 'Other words.' }, ['reported']],
    [
      'accepted, if a call has no result',
      { ...written, messages: written.messages.filter((_each, index) => index !== 2) },
      ['accepted', 'reported'],
    ],
  ])('%s', (_name, value, expected) => expect(faults(value)).toEqual(expected))

  test('a truncated stream counts as refused, not as a violation', async () => {
    const [first] = await checkStreamTranslations(
      stream.slice(0, 300).replace(/data: [^\n]*$/, ''),
      'openai-chat',
    )
    expect(first).toMatchObject({ refusedWith: 'stream-cut', violations: [] })
  })

  test('text, calls, results and refusals are compared; reasoning is not', () => {
    const { content: answer } = decodeDocument(response)
    const messages = answer.kind === 'response' ? answer.response.candidates : []
    expect(extractComparableText(messages)).toBe('It is 15 °C in Rome.')
    const asked = content.kind === 'request' ? extractComparableText(content.request.messages) : ''
    expect(asked).toContain('weather {"city":"Oslo"}\n{"celsius":4}\n')
  })
})
