import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Who may import whom: a layer may use itself and the ones listed. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  wire: ['errors'],
  canonical: ['wire', 'errors'],
  schema: ['canonical', 'wire', 'errors'],
  dialects: ['schema', 'canonical', 'wire', 'errors'],
  formats: ['canonical', 'wire', 'errors'],
  client: ['dialects', 'schema', 'canonical', 'wire', 'errors'],
  providers: ['client', 'dialects', 'schema', 'canonical', 'wire', 'errors'],
  agent: ['schema', 'canonical', 'wire', 'errors'],
  stores: ['agent', 'canonical', 'wire', 'errors'],
  node: ['canonical', 'wire', 'errors'],
  index: ['dialects', 'schema', 'canonical', 'wire', 'errors'],
  cli: [
    'canonical',
    'wire',
    'errors',
    'schema',
    'dialects',
    'formats',
    'client',
    'providers',
    'agent',
    'stores',
    'node',
  ],
}

/** What a layer may import beyond those, as types alone: nothing of it is there when the code runs. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  agent: ['src/client/model.ts'],
}

/** The layers that run in browsers and workers, too. */
const NEUTRAL = [
  'errors',
  'wire',
  'canonical',
  'schema',
  'dialects',
  'formats',
  'client',
  'providers',
  'agent',
  'index',
]

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
}

/** Packages that run-time code may import. */
const DEPENDENCIES = Object.keys(dependencies)

/** Packages that users install when they need them: loaded when they are used, and never before. */
const OPTIONAL = Object.keys(peerDependencies)

/** Files over 300 lines, each with its reason. */
const LONG: Readonly<Record<string, string>> = {
  'test/canonical/malformed.test.ts': 'one table, a row per malformed input',
}

/** The files of every dialect's folder: what each exports there under the same name. */
const DIALECT_FILES: Readonly<Record<string, readonly string[]>> = {
  calls: ['encodeCall'],
  codec: ['codec'],
  codes: ['SLOT', 'RESPONSE', 'efforts'],
  conversation: ['WireConversation'],
  endpoint: ['endpoint'],
  errors: ['decodeError', 'encodeError', 'errorFromEvent', 'errorToEvent'],
  finish: ['decodeFinish', 'encodeFinish'],
  head: ['decodeHead'],
  hints: ['hintMeanings'],
  index: [],
  media: ['decodeMedia', 'encodeMedia'],
  messages: ['decodeMessages'],
  models: ['families'],
  parts: [],
  reasoning: ['decodeReasoning'],
  request: ['decodeRequest', 'requests'],
  response: ['decodeResponse', 'encodeResponse'],
  results: ['decodeResult', 'encodeResult'],
  rules: ['rules'],
  settings: ['settings'],
  stream: ['kindOf', 'streamReader'],
  'stream-plan': ['StreamPlan'],
  'stream-writer': ['streamWriter'],
  tools: ['encodeTools'],
  usage: ['decodeUsage', 'encodeUsage'],
  wire: [],
}

/** The files that only some dialects need, each with the question that it answers. */
const FURTHER_FILES: Readonly<Record<string, string>> = {
  audio: 'How does an answer speak?',
  bytes: 'Which byte of a text is which character?',
  cache: 'How is caching asked for?',
  'call-book': 'Which call of a conversation that is read has which id?',
  candidates: 'What is one answer of several?',
  citations: 'How are the sources of a text told?',
  documents: 'How are texts told that come in blocks, or as files of their own?',
  flavors: 'Which hosts speak the format, and how do they differ?',
  fragments: 'What is one message on the wire, before neighbours join it?',
  hosted: 'How are calls of the tools told whose form the provider sets?',
  hosts: 'How is a request made fit for its host?',
  items: 'How does a turn of the model become a run of items?',
  outcomes: 'How is told what such a call gave?',
  pairing: 'Which item must follow which?',
  'partial-args': 'How do arguments grow that are told by path?',
  'planned-text': 'Which stretch of the written text is which part?',
  'provider-calls': 'How are calls told that the provider ran?',
  said: 'How do the parts of an answer share the fields of one wire message?',
  schema: 'How does the format spell a schema?',
  'sent-calls': 'Which calls of a conversation were written, and how?',
  signatures: 'Which parts must be signed, and whose signature goes out?',
  spelling: 'Which spelling of a key came?',
  'stream-deltas': 'How are the pieces of a stream joined?',
  'stream-pieces': 'What are the pieces of a wire event?',
  'stream-rules': 'Which wire event may follow which?',
  'streamed-answer': 'What has an answer of a stream said so far?',
  'streamed-call': 'How does a streamed call grow?',
  'streamed-item': 'How does a streamed item grow?',
  'streamed-parts': 'How do streamed parts grow?',
  'streamed-thoughts': 'How do streamed thoughts grow?',
  text: 'How is plain text said?',
  written: 'What was written of a stream, for the events that repeat it?',
  'written-part': 'What was written of one part of a stream?',
}

const files = filesBelow(join(root, 'src'))
const dialectFolders = readdirSync(join(root, 'src/dialects'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
  .map((entry) => entry.name)
const tests = filesBelow(join(root, 'test')).filter((file) => !file.includes('golden'))

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : [relative(root, path).replaceAll(sep, '/')]
    })
    .filter((path) => path.endsWith('.ts'))
}

function layerOf(path: string): string {
  const [, first = ''] = path.split('/')
  return first.replace(/\.ts$/, '')
}

function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  const specifier =
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s*['"]([^'"]+)['"]/g
  return [...source.matchAll(specifier)].map(([, from, dynamic, bare]) => from ?? dynamic ?? bare ?? '')
}

/** What a file imports when it is needed, and not before. */
function lazyImportsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  return [...source.matchAll(/import\(\s*['"]([^'"]+)['"]\s*\)/g)].map(([, specifier = '']) => specifier)
}

/** What a file imports as types alone. */
function typeImportsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  const types = [...source.matchAll(/(?:^|\n)import type [^'"`;]*?from\s*['"]([^'"]+)['"]/g)]
  const others = [...source.matchAll(/(?:^|\n)(?:import|export) (?!type\b)[^'"`;]*?from\s*['"]([^'"]+)['"]/g)]
  const used = new Set(others.map(([, specifier]) => specifier))
  return types.flatMap(([, specifier = '']) => (used.has(specifier) ? [] : specifier))
}

/** A relative specifier as a path from the root. */
function resolve(file: string, specifier: string): string {
  return relative(root, join(root, file, '..', specifier)).replaceAll(sep, '/')
}

describe('[r155, r159] architecture', () => {
  test('every folder is a layer', () => {
    expect([...new Set(files.map(layerOf))].filter((layer) => !(layer in LAYERS))).toEqual([])
  })

  test.each(files)('%s imports only what its layer may', (file) => {
    const allowed = [layerOf(file), ...(LAYERS[layerOf(file)] ?? [])]
    const types = typeImportsOf(file)
    const wrong = importsOf(file)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({ specifier, target: resolve(file, specifier) }))
      .filter(({ target }) => !allowed.includes(layerOf(target)))
      .filter(({ specifier, target }) => {
        return !(types.includes(specifier) && TYPES[layerOf(file)]?.includes(target))
      })
    expect(wrong).toEqual([])
  })

  test.each(files)('%s imports only packages that we depend on', (file) => {
    const packages = importsOf(file).filter((specifier) => !/^(\.|node:)/.test(specifier))
    const lazily = lazyImportsOf(file)
    const unknown = packages.filter((name) => {
      const allowed = lazily.includes(name) ? [...DEPENDENCIES, ...OPTIONAL] : DEPENDENCIES
      return !allowed.some((known) => name === known || name.startsWith(`${known}/`))
    })
    expect(unknown).toEqual([])
  })

  test.each(files.filter((file) => NEUTRAL.includes(layerOf(file))))('%s runs anywhere', (file) => {
    expect(importsOf(file).filter((specifier) => specifier.startsWith('node:'))).toEqual([])
    expect(readFileSync(join(root, file), 'utf8')).not.toMatch(
      /\b(process\.|globalThis\.process|__dirname|new Buffer\(|Buffer\.from)/,
    )
  })

  test.each([...files, ...tests])('%s is at most 300 lines', (file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n').length - 1
    expect(lines <= 300 || file in LONG, `${lines} lines`).toBe(true)
  })

  test('the lists of files have no stale row', () => {
    expect(Object.keys(LONG).filter((file) => ![...files, ...tests].includes(file))).toEqual([])
    const isFound = (name: string): boolean =>
      files.some((file) => file.startsWith('src/dialects/') && file.endsWith(`/${name}.ts`))
    expect(Object.keys(FURTHER_FILES).filter((name) => !isFound(name))).toEqual([])
  })

  test.each(dialectFolders)('%s answers the same questions in the same files', (folder) => {
    const found = files
      .filter((file) => file.startsWith(`src/dialects/${folder}/`))
      .map((file) => file.replace(/^.*\/|\.ts$/g, ''))
    expect(Object.keys(DIALECT_FILES).filter((name) => !found.includes(name))).toEqual([])
    expect(found.filter((name) => !(name in DIALECT_FILES) && !(name in FURTHER_FILES))).toEqual([])
    const unnamed = Object.entries(DIALECT_FILES).flatMap(([name, exported]) => {
      const source = readFileSync(join(root, `src/dialects/${folder}/${name}.ts`), 'utf8')
      return exported.filter(
        (each) => !new RegExp(`^export (function|const|class) ${each}\\b`, 'm').test(source),
      )
    })
    expect(unnamed).toEqual([])
  })

  test.each(dialectFolders)('%s alone brings no other dialect', (folder) => {
    const reached = new Set([`src/dialects/${folder}/index.ts`])
    for (const file of reached) {
      const types = typeImportsOf(file)
      for (const specifier of importsOf(file)) {
        if (specifier.startsWith('.') && !types.includes(specifier)) reached.add(resolve(file, specifier))
      }
    }
    const others = dialectFolders.filter((other) => other !== folder)
    expect(
      [...reached].filter((file) => others.some((other) => file.startsWith(`src/dialects/${other}/`))),
    ).toEqual([])
    expect(reached).toContain(`src/dialects/${folder}/request.ts`)
  })

  test.each(tests.filter((file) => !file.endsWith('.test.ts')))('%s leaves hooks to the tests', (file) => {
    // Test files share what they import: a hook would be set by the first of them alone.
    expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/\b(before|after)(All|Each)\b/)
  })

  test('[r1] no wire key of a provider is known to the canonical types', () => {
    const model = files.filter((file) => file.startsWith('src/canonical/model/'))
    const keys = model.flatMap(
      (file) => readFileSync(join(root, file), 'utf8').match(/^ {2}readonly [a-z]+_[a-z_]+\??:/gm) ?? [],
    )
    expect(keys).toEqual([])
  })
})
