import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { root } from './pages.ts'

type Statement = ReturnType<typeof parseAst>['body'][number]

/** Pieces of the built-in dialects, shown in use by the guide. They may change in minor versions. */
const WITHOUT_EXAMPLES: readonly string[] = ['./dialects/kit/engine']

interface Module {
  readonly text: string
  readonly body: readonly Statement[]
}

const modules = new Map<string, Module>()

function readModule(file: string): Module {
  const known = modules.get(file)
  if (known !== undefined) return known
  const text = readFileSync(file, 'utf8')
  // Positions are UTF-16 units of the text.
  const module = { text, body: parseAst(text, { lang: 'ts' }).body }
  modules.set(file, module)
  return module
}

/** Returns the names that a declaration declares. */
function listNames(statement: Statement): readonly string[] {
  if (statement.type === 'VariableDeclaration')
    return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  if (
    statement.type === 'FunctionDeclaration' ||
    statement.type === 'TSDeclareFunction' ||
    statement.type === 'ClassDeclaration'
  )
    return statement.id === null ? [] : [statement.id.name]
  return []
}

/** Returns the comment right before a position, or an empty text. */
function readComment(text: string, position: number): string {
  return /\/\*\*(?:(?!\*\/)[^])*\*\/\s*$/.exec(text.slice(0, position))?.[0] ?? ''
}

/** Returns the doc comments of the exported values of a module by name; re-exports are followed. */
function listComments(file: string): ReadonlyMap<string, string> {
  const { text, body } = readModule(file)
  const comments = new Map<string, string>()
  for (const statement of body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') continue
    const { declaration, source, specifiers } = statement
    if (declaration !== null)
      // The first overload has the comment.
      for (const name of listNames(declaration))
        comments.set(name, comments.get(name) ?? readComment(text, statement.start))
    if (source === null) continue
    const targets = listComments(join(dirname(file), source.value))
    for (const { local, exported, exportKind } of specifiers) {
      const name = local.type === 'Identifier' ? local.name : ''
      const comment = targets.get(name)
      if (exportKind !== 'type' && exported.type === 'Identifier' && comment !== undefined)
        comments.set(exported.name, comment)
    }
  }
  return comments
}

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: { readonly [entry: string]: string | { readonly types: string } }
}
const entries = Object.entries(exports).flatMap(([entry, target]) =>
  typeof target === 'string'
    ? []
    : [{ entry, file: join(root, target.types.replace('./dist/', 'src/').replace('.d.ts', '.ts')) }],
)

test.each(entries)('each value that $entry exports has a doc comment', ({ file }) => {
  const comments = [...listComments(file)]
  expect(comments.length).toBeGreaterThan(0)
  expect(comments.filter(([, comment]) => comment === '').map(([name]) => name)).toEqual([])
})

test.each(entries.filter(({ entry }) => !WITHOUT_EXAMPLES.includes(entry)))(
  'each value that $entry exports has an example',
  ({ file }) => {
    const without = [...listComments(file)].filter(([, comment]) => !comment.includes('@example'))
    expect(without.map(([name]) => name)).toEqual([])
  },
)

test('values are found through re-exports', () => {
  const comments = listComments(join(root, 'src/index.ts'))
  expect(comments.get('textOf')).toContain('@example')
  expect(comments.has('Message')).toBe(false)
})
