import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as kit from 'interlingua/dialects/kit'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../../../src')
const read = (file: string): string => readFileSync(join(source, file), 'utf8')

const SHARED_FOLDERS: ReadonlySet<string> = new Set(['engine', 'kit', 'server', 'shared', 'testing'])
const dialectFolders = readdirSync(join(source, 'dialects'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !SHARED_FOLDERS.has(entry.name))
  .map(({ name }) => `dialects/${name}`)

/** The folders whose imports the kit must offer: the built-in dialects, and the formats with blocks. */
const authors = [...dialectFolders, 'dialects/kit']

function splitNames(list: string): readonly string[] {
  const names = list.split(',').map((each) => each.replace(/^\s*type /, '').trim())
  return names.map((each) => each.split(' as ')[0] ?? '').filter((each) => each !== '')
}

/** Returns the names that a file imports from outside of its folder. */
function importedNames(file: string): readonly string[] {
  return [
    ...read(file).matchAll(/import (?:type )?\{([^}]*)\} from '\.\.\/(?!dialect-types)[^']*'/g),
  ].flatMap(([, list = '']) => splitNames(list))
}

function exportedNames(file: string): readonly string[] {
  return [...read(file).matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    splitNames(list),
  )
}

const engineEntry = exportedNames('dialects/kit/engine/index.ts')
const entries = [
  'index.ts',
  'entries/content.ts',
  'entries/parse.ts',
  'entries/schema.ts',
  'dialects/kit/index.ts',
]
const publicNames = new Set([...entries.flatMap(exportedNames), ...engineEntry])

const imported = new Set(
  authors.flatMap((folder) =>
    readdirSync(join(source, folder))
      .filter((file) => file.endsWith('.ts') && !(folder === 'dialects/kit' && file === 'index.ts'))
      .flatMap((file) => importedNames(`${folder}/${file}`)),
  ),
)

test('the built-in dialects import only what authors of other dialects can import', () => {
  // Add what is missing to `src/dialects/kit/engine/index.ts`.
  expect([...imported].filter((name) => !publicNames.has(name))).toEqual([])
})

test('the engine entry of the kit has no piece that no dialect uses', () => {
  expect(engineEntry.filter((name) => !imported.has(name))).toEqual([])
})

test('the public surface of interlingua/dialects/kit is this and nothing else', () => {
  expect(Object.keys(kit).toSorted()).toEqual([
    'convertedSetting',
    'createBlockCodec',
    'createDefaultErrorCodec',
    'createSseFraming',
    'defineDialect',
    'defineSettings',
    'directSetting',
    'isDialect',
    'ndjsonFraming',
    'readMedia',
    'readReasoning',
    'readText',
    'readTool',
    'readToolCall',
    'readToolResult',
    'unsupportedSetting',
    'valueChecks',
  ])
})
