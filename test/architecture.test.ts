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

/** Packages that run-time code may import. */
const DEPENDENCIES = Object.keys(
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> })
    .dependencies,
)

/** Files over 300 lines, each with its reason. */
const LONG: Readonly<Record<string, string>> = {
  'test/canonical/malformed.test.ts': 'one table, a row per malformed input',
}

const files = filesBelow(join(root, 'src'))
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

describe('[r155] architecture', () => {
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
    const unknown = packages.filter(
      (name) => !DEPENDENCIES.some((known) => name === known || name.startsWith(`${known}/`)),
    )
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

  test('the list of long files has no stale row', () => {
    expect(Object.keys(LONG).filter((file) => ![...files, ...tests].includes(file))).toEqual([])
  })

  test('[r1] no wire key of a provider is known to the canonical types', () => {
    const model = files.filter((file) => file.startsWith('src/canonical/model/'))
    const keys = model.flatMap(
      (file) => readFileSync(join(root, file), 'utf8').match(/^ {2}readonly [a-z]+_[a-z_]+\??:/gm) ?? [],
    )
    expect(keys).toEqual([])
  })
})
