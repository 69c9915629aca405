import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BUNDLED, BUNDLED_WITH_PAGE, LAYERS, NEUTRAL, PURE } from './architecture-layers.ts'
import { DIALECT_FILES, FURTHER_FILES } from './dialect-files.ts'

const root = join(import.meta.dirname, '..')

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
}

/** Packages that run-time code may import. */
const DEPENDENCIES = [...Object.keys(dependencies), ...BUNDLED]

/** Packages that users install when they need them: loaded when they are used, and never before. */
const OPTIONAL = Object.keys(peerDependencies)

/** Files over 300 lines, each with its reason. */
const LONG: Readonly<Record<string, string>> = {
  'test/canonical/malformed-input.test.ts': 'one table, a row per malformed input',
  'src/providers/catalog/models-dev-rows.ts': 'generated, a row per model',
}

const files = filesBelow(join(root, 'src'))
const dialectFolders = readdirSync(join(root, 'src/dialects'), { withFileTypes: true })
  .filter(
    (entry) => entry.isDirectory() && !['engine', 'kit', 'server', 'shared', 'testing'].includes(entry.name),
  )
  .map((entry) => entry.name)
/** The folders of formats with a codec; those of wire formats use the codecs of the dialects. */
const formatFolders = findFormatFolders('codec').filter((folder) => folder !== 'wire-messages')
/** The folders of the session files of agent programs. */
const transcriptFolders = findFormatFolders('reader')
/** Formats that can only be read. */
const READ_ONLY_FORMATS = ['chatgpt-export', 'claude-export']
/** Formats whose records are read with the codec of a wire format, and that format. */
const WIRE_RECORD_DIALECTS: Readonly<Record<string, string>> = {
  'gemini-tuning': 'gemini',
  'openai-fine-tuning': 'openai-chat',
}
const tests = filesBelow(join(root, 'test')).filter((file) => !file.includes('golden'))

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : [relative(root, path).replaceAll(sep, '/')]
    })
    .filter((path) => /\.tsx?$/.test(path))
}

/** Returns the folders of `src/formats` with a file of this name. */
function findFormatFolders(name: string): string[] {
  return files
    .filter((file) => file.startsWith('src/formats/') && file.endsWith(`/${name}.ts`))
    .map((file) => file.split('/')[2] ?? '')
}

function layerOf(path: string): string {
  const [, first = '', second = ''] = path.split('/')
  // The page runs in a browser, its server in Node; they share types alone.
  if (first === 'studio' && (second === 'page' || second === 'api')) return `studio-${second}`
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

/** Returns the files of one import cycle, or an empty list. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const finished = new Set<string>()
  const visit = (file: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
    if (finished.has(file)) return []
    for (const target of graph.get(file) ?? []) {
      const cycle = visit(target, [...trail, file])
      if (cycle.length > 0) return cycle
    }
    finished.add(file)
    return []
  }
  for (const file of graph.keys()) {
    const cycle = visit(file, [])
    if (cycle.length > 0) return cycle
  }
  return []
}

/** A relative specifier as a path from the root. */
function resolve(file: string, specifier: string): string {
  return relative(root, join(root, file, '..', specifier)).replaceAll(sep, '/')
}

/** Returns the names of files that the folder of a format lacks. */
function missingFiles(folder: string, names: readonly string[]): string[] {
  return names.filter((name) => !files.includes(`src/formats/${folder}/${name}.ts`))
}

describe('[r155, r159] architecture', () => {
  test('every folder is a layer', () => {
    expect([...new Set(files.map(layerOf))].filter((layer) => !(layer in LAYERS))).toEqual([])
  })

  test.each(files)('%s imports only what its layer may', (file) => {
    const allowed = [layerOf(file), ...(LAYERS[layerOf(file)] ?? [])]
    const wrong = importsOf(file)
      .filter((specifier) => specifier.startsWith('.'))
      .filter((specifier) => !allowed.includes(layerOf(resolve(file, specifier))))
    expect(wrong).toEqual([])
  })

  test.each(files)('%s imports only packages that we depend on', (file) => {
    const packages = importsOf(file).filter((specifier) => !/^(\.|node:)/.test(specifier))
    const lazily = [...lazyImportsOf(file), ...typeImportsOf(file)]
    const unknown = packages.filter((name) => {
      const always = layerOf(file) === 'studio-page' ? BUNDLED_WITH_PAGE : DEPENDENCIES
      const allowed = lazily.includes(name) ? [...always, ...OPTIONAL] : always
      return !allowed.some((known) => name === known || name.startsWith(`${known}/`))
    })
    expect(unknown).toEqual([])
  })

  test.each(files.filter((file) => NEUTRAL.includes(layerOf(file))))('%s runs anywhere', (file) => {
    expect(importsOf(file).filter((specifier) => specifier.startsWith('node:'))).toEqual([])
    const code = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
    expect(code).not.toMatch(/\b(process\.|globalThis\.process|__dirname|new Buffer\(|Buffer\.from)/)
  })

  test('[r32] pure code draws random values for the ids of new objects alone', () => {
    const isRandom = (file: string): boolean =>
      /Math\.random|getRandomValues|randomUUID/.test(readFileSync(join(root, file), 'utf8'))
    expect(files.filter((file) => PURE.includes(layerOf(file)) && isRandom(file))).toEqual([
      'src/canonical/build/ids-and-timestamps.ts',
      'src/dialects/server/side-endpoint-bodies.ts',
    ])
  })

  // A call has at most about 120,000 arguments, so a longer list of the input would throw a RangeError.
  test.each(files)('%s spreads no list of unknown length into arguments', (file) => {
    const code = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
    const calls = code.match(
      /(?:push|unshift|concat|Math\.max|Math\.min|fromCharCode|fromCodePoint)\(\.\.\.[^\n]*/g,
    )
    expect(calls?.filter((call) => !call.includes('subarray(')) ?? []).toEqual([])
  })

  test('URLs are parsed by `tryParseUrl`: `URL.canParse` of Node 20 is wrong for some', () => {
    const usesCanParse = (file: string): boolean =>
      /URL\.canParse\(/.test(readFileSync(join(root, file), 'utf8'))
    expect(files.filter(usesCanParse)).toEqual([])
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

  test.each(formatFolders)('%s answers the same questions in the same files', (folder) => {
    const written = READ_ONLY_FORMATS.includes(folder) ? [] : ['types', 'write']
    expect(missingFiles(folder, ['codec', 'constants', 'index', 'read', ...written])).toEqual([])
  })

  test.each(transcriptFolders)('%s answers the same questions in the same files', (folder) => {
    expect(missingFiles(folder, ['constants', 'index', 'reader'])).toEqual([])
  })

  test.each(files.filter((file) => /^src\/formats\/[^/]+\/types\.ts$/.test(file)))(
    '%s contains types alone',
    (file) => {
      const source = readFileSync(join(root, file), 'utf8')
      expect(source.match(/^(export )?(const|let|function|class|enum) \w+/gm) ?? []).toEqual([])
    },
  )

  test('no file imports itself through others, types included', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => resolve(file, specifier)),
      ]),
    )
    expect(findCycle(graph)).toEqual([])
  })

  test.each(files.filter((file) => file.startsWith('src/dialects/engine/')))(
    '%s knows no wire format',
    (file) => {
      const targets = importsOf(file).map((specifier) => resolve(file, specifier))
      expect(targets.filter((target) => /^src\/dialects\/(?!engine\/)/.test(target))).toEqual([])
    },
  )

  test.each(dialectFolders)('%s alone imports no other dialect', (folder) => {
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

  test.each(formatFolders)('%s alone imports no wire format but its own', (folder) => {
    const reached = new Set([`src/formats/${folder}/index.ts`])
    for (const file of reached) {
      const types = typeImportsOf(file)
      for (const specifier of importsOf(file))
        if (specifier.startsWith('.') && !types.includes(specifier)) reached.add(resolve(file, specifier))
    }
    const allowed = WIRE_RECORD_DIALECTS[folder] ?? '(none)'
    const dialectFiles = [...reached].filter((file) => /^src\/dialects\/(?!engine\/|shared\/)/.test(file))
    expect(dialectFiles.filter((file) => !file.startsWith(`src/dialects/${allowed}/`))).toEqual([])
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
