import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { DialectName } from 'interlingua'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'

const source = join(import.meta.dirname, '../src')
const ENTRY = 'entry'

interface Bundle {
  readonly bytes: number
  readonly compressedKib: number
  /** The folders of the dialects that the bundle contains, without those that all dialects share. */
  readonly dialects: readonly string[]
}

/** Bundles a program as applications do: minified, and without code that the program does not use. */
async function bundle(code: string): Promise<Bundle> {
  const build = await rolldown({
    input: ENTRY,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) => (id === ENTRY ? { code, moduleType: 'ts' } : undefined),
      },
    ],
  })
  const { output } = await build.generate({ codeSplitting: false, minify: true })
  const [first] = output
  const folders = Object.entries(first.modules).flatMap(([id, { renderedLength }]) => {
    const [, folder] = /src\/dialects\/([a-z-]+)\//.exec(id) ?? []
    return folder === undefined || renderedLength === 0 ? [] : folder
  })
  const shared = new Set(['engine', 'shared', 'kit'])
  return {
    bytes: first.code.length,
    compressedKib: gzipSync(first.code).length / 1024,
    dialects: [...new Set(folders)].filter((folder) => !shared.has(folder)).toSorted(),
  }
}

const load = (names: string, file: string): string =>
  `import { ${names} } from ${JSON.stringify(join(source, file))}\nconsole.log(${names})`

/** A provider for each dialect: a program with both must contain no other dialect. */
const ONE_OF_EACH: { readonly [dialect in DialectName]: readonly [provider: string, dialect: string] } = {
  'openai-chat': ['openaiChat', 'openaiChatDialect'],
  'openai-responses': ['openaiResponses', 'openaiResponsesDialect'],
  anthropic: ['anthropic', 'anthropicDialect'],
  gemini: ['vertex', 'geminiDialect'],
  ollama: ['ollama', 'ollamaDialect'],
  mistral: ['mistral', 'mistralDialect'],
  'gemini-interactions': ['geminiInteractions', 'geminiInteractionsDialect'],
  bedrock: ['bedrock', 'bedrockDialect'],
  cohere: ['cohere', 'cohereDialect'],
}

/** The programs, and the dialects that each of them needs. */
const PROGRAMS: readonly (readonly [name: string, code: string, dialects: readonly string[]])[] = [
  ...Object.entries(ONE_OF_EACH).map(
    ([folder, [provider, dialect]]) =>
      [
        `${provider} and ${dialect}`,
        [load(provider, 'providers/index.ts'), load(dialect, `dialects/${folder}/index.ts`)].join('\n'),
        [folder],
      ] as const,
  ),
  ['anthropicDialect', load('anthropicDialect', 'dialects/anthropic/index.ts'), ['anthropic']],
  ['openai', load('openai', 'providers/index.ts'), ['openai-chat', 'openai-responses']],
  ['gemini', load('gemini', 'providers/index.ts'), ['gemini', 'gemini-interactions']],
]

const loadAll = (file: string): string => `export * from ${JSON.stringify(join(source, file))}`

/**
 * The compressed size that common programs may have, about a twentieth above the measured one: a change that adds more is
 * deliberate and changes the limit. docs/internals/performance.md states what the weight consists of.
 */
const WEIGHTS: readonly (readonly [name: string, code: string, maxKib: number])[] = [
  ['everything', loadAll('index.ts'), 252],
  ['translate', load('translateRequest, translateResponse, translateStream', 'index.ts'), 231],
  ['one dialect', loadAll('dialects/openai-chat/index.ts'), 112],
  ['one function', load('text', 'index.ts'), 9],
  [
    'three providers and an agent',
    [load('anthropic, gemini, openai', 'providers/index.ts'), load('Agent', 'agent/index.ts')].join('\n'),
    245,
  ],
]

test.each(WEIGHTS)('the weight of a program is limited: %s', async (name, code, maxKib) => {
  const { compressedKib } = await bundle(code)
  console.info(`${name}: ${compressedKib.toFixed(1)} KiB, compressed`)
  expect(compressedKib).toBeLessThan(maxKib)
})

describe('a bundle contains only the dialects that the program uses', () => {
  test('one provider and one dialect', async () => {
    const all = await bundle(load('providers', 'providers/index.ts'))
    const lines = [`all providers: ${all.bytes} bytes`]
    for (const [name, code, expected] of PROGRAMS) {
      const { bytes, dialects } = await bundle(code)
      lines.push(`${name}: ${bytes} bytes (${Math.round((100 * bytes) / all.bytes)} %)`)
      expect(dialects, name).toEqual(expected)
      expect(bytes, name).toBeLessThan(all.bytes)
    }
    console.info(lines.join('\n'))
    expect(all.dialects).toEqual(Object.keys(ONE_OF_EACH).toSorted())
  })
})
