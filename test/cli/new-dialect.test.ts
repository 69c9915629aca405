import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Dialect, JsonObject } from 'interlingua'
import {
  dialectConformanceTests,
  type DialectSamples,
  runDialectConformance,
} from 'interlingua/dialects/testing'
import { describe, expect, test } from 'vitest'
import { Folder, interlingua } from './run-command.ts'

const FILES = [
  'README.md',
  'blocks.js',
  'conformance.test.js',
  'errors.js',
  'index.js',
  'package.json',
  'request.js',
  'response.js',
  'samples.js',
  'settings.js',
  'stream.js',
]

/** Bodies of the made-up format that the written files describe. */
const text = (words: string): JsonObject => ({ type: 'text', text: words })
const call: JsonObject = { type: 'tool_call', id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } }
const payloads: readonly JsonObject[] = [
  { type: 'start', id: 'r1', model: 'acme-1' },
  { type: 'block_start', index: 0, block: text('') },
  { type: 'block_delta', index: 0, delta: 'Hello, ' },
  { type: 'block_delta', index: 0, delta: 'you.' },
  { type: 'block_end', index: 0 },
  { type: 'end', finish_reason: 'stop', usage: { input_tokens: 4, output_tokens: 6 } },
]
const filledSamples: DialectSamples = {
  requests: {
    tools: {
      model: 'acme-1',
      system: 'Be brief.',
      max_tokens: 50,
      messages: [
        {
          role: 'user',
          content: [text('The weather?'), { type: 'image', url: 'https://example.org/a.png' }],
        },
        { role: 'assistant', content: [call] },
        { role: 'tool', content: [{ type: 'tool_result', id: 'call_1', output: 'Snow' }] },
      ],
      tools: [{ name: 'weather', description: 'The weather.', parameters: { type: 'object' } }],
    },
  },
  responses: {
    hello: {
      id: 'r1',
      model: 'acme-1',
      content: [text('Hello!')],
      finish_reason: 'stop',
      usage: { input_tokens: 4, output_tokens: 6 },
    },
  },
  streams: { hello: payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join('') },
}

describe('interlingua new dialect', () => {
  test('writes the folder, and says what to do next', async () => {
    await using folder = await Folder.with()
    const { code, stdout, stderr } = await interlingua(['new', 'dialect', 'acme'], { folder: folder.path })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(readdirSync(folder.at('acme')).toSorted()).toEqual(FILES)
    expect(stdout).toContain('node --test acme/conformance.test.js')
    expect(readFileSync(folder.at('acme/index.js'), 'utf8')).toContain('export const acmeDialect = ')
  })

  test('writes to another folder, and prints JSON', async () => {
    await using folder = await Folder.with()
    const words = ['new', 'dialect', 'acme-chat-2', '--out', 'a/b', '--json']
    const { code, stdout } = await interlingua(words, { folder: folder.path })
    expect(code).toBe(0)
    const printed = JSON.parse(stdout) as { readonly identifier: string; readonly files: readonly string[] }
    expect(printed).toMatchObject({ name: 'acme-chat-2', identifier: 'acmeChat2Dialect', folder: 'a/b' })
    expect(printed.files.toSorted()).toEqual(FILES)
    expect(existsSync(folder.at('a/b/index.js'))).toBe(true)
  })

  test.each([
    ['has no type', '{}', true],
    ['is no JSON', 'module', true],
    ['has the type of ES modules', '{"type":"module"}', false],
  ])('writes a package of ES modules if the package around %s', async (_name, text, isWritten) => {
    await using folder = await Folder.with({ 'package.json': text })
    await interlingua(['new', 'dialect', 'acme', '--out', 'src/acme'], { folder: folder.path })
    const file = folder.at('src/acme/package.json')
    expect(existsSync(file)).toBe(isWritten)
    if (isWritten) expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ type: 'module' })
  })

  test('keeps the package file of the folder', async () => {
    await using folder = await Folder.with({ 'package.json': '{}' })
    const { code } = await interlingua(['new', 'dialect', 'acme', '--out', '.'], { folder: folder.path })
    expect([code, readFileSync(folder.at('package.json'), 'utf8')]).toEqual([0, '{}'])
  })

  test('overwrites nothing, and then writes nothing', async () => {
    await using folder = await Folder.with()
    mkdirSync(folder.at('acme'))
    writeFileSync(folder.at('acme/stream.js'), 'mine')
    const { code, stderr } = await interlingua(['new', 'dialect', 'acme'], { folder: folder.path })
    expect(code).toBe(1)
    expect(stderr).toContain('acme already contains stream.js')
    expect(stderr).toContain('Nothing was written')
    expect(readdirSync(folder.at('acme'))).toEqual(['stream.js'])
    expect(readFileSync(folder.at('acme/stream.js'), 'utf8')).toBe('mine')
  })

  test('reports a folder that cannot be written', async () => {
    await using folder = await Folder.with({ acme: 'a file' })
    const { code, stderr } = await interlingua(['new', 'dialect', 'acme'], { folder: folder.path })
    expect(code).toBe(1)
    expect(stderr).toContain('acme cannot be written')
  })

  test.each([
    '../acme',
    'a/b',
    'Acme',
    'acme corp',
    '1acme',
    'acme-',
    'a--b',
    '',
    '__proto__',
    'x'.repeat(41),
  ])('rejects the name %j', async (name) => {
    await using folder = await Folder.with()
    const { code, stderr } = await interlingua(['new', 'dialect', '--', name], { folder: folder.path })
    expect(code).toBe(2)
    expect(stderr).toContain('is not a name of a dialect')
    expect(readdirSync(folder.path)).toEqual([])
  })

  test('rejects the name of a built-in dialect', async () => {
    const { code, stderr } = await interlingua(['new', 'dialect', 'anthropic'])
    expect(code).toBe(2)
    expect(stderr).toContain('built-in dialect')
  })
})

describe('the written files', () => {
  async function loadWritten(folder: string): Promise<{ dialect: Dialect; samples: DialectSamples }> {
    await interlingua(['new', 'dialect', 'acme'], { folder })
    const load = async (file: string): Promise<unknown> =>
      import(/* @vite-ignore */ pathToFileURL(join(folder, 'acme', file)).href)
    const { acmeDialect } = (await load('index.js')) as { readonly acmeDialect: Dialect }
    const { samples } = (await load('samples.js')) as { readonly samples: DialectSamples }
    return { dialect: acmeDialect, samples }
  }

  test('fail in plain words until samples are filled in', async () => {
    await using folder = await Folder.with()
    const report = await runDialectConformance({
      ...(await loadWritten(folder.path)),
      laws: ['samples'],
      runs: 1,
    })
    expect(report.passed).toBe(false)
    expect(report.text).toContain('there is no sample request, so that most laws have nothing to check')
  })

  test('follow every law for bodies of the format that they describe', async () => {
    await using folder = await Folder.with()
    const { dialect } = await loadWritten(folder.path)
    // The growth tests measure the kit.
    const laws = [
      ...new Set(dialectConformanceTests({ dialect, samples: filledSamples }).map(({ law }) => law)),
    ]
    const report = await runDialectConformance({
      dialect,
      samples: filledSamples,
      laws: process.env['SOAK'] ? laws : laws.filter((law) => law !== 'linear-work'),
      runs: 3,
    })
    expect(
      report.results.filter(({ error }) => error !== undefined).map(({ error }) => error?.message),
    ).toEqual([])
  })

  test('list each line that still describes the made-up format', async () => {
    await using folder = await Folder.with()
    await interlingua(['new', 'dialect', 'acme'], { folder: folder.path })
    const left = FILES.filter((file) => file.endsWith('.js') && !file.endsWith('.test.js')).filter(
      (file) => !readFileSync(folder.at(`acme/${file}`), 'utf8').includes('TODO'),
    )
    expect(left).toEqual([])
  })
})
