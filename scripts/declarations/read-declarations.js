// @ts-check
// Reads the built declaration files without a type checker: `isolatedDeclarations` writes every type out, so the names of a
// file lead to everything that it means. All entries together take less than two seconds.
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseSync } from 'rolldown/utils'

/**
 * @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node
 *
 * @typedef {object} Target What a name of a module leads to: a name of another file or package.
 * @property {string} from An absolute path, or the name of a package.
 * @property {string} name `*` is the whole module.
 *
 * @typedef {object} Declaration
 * @property {string} file
 * @property {string} name
 * @property {string} text Without comments, private members, `export` and `declare`.
 * @property {readonly string[]} mentions The names that it refers to.
 * @property {readonly Target[]} imports The types that it refers to by `import()`.
 *
 * @typedef {object} Module
 * @property {ReadonlyMap<string, Declaration>} declarations
 * @property {ReadonlyMap<string, Target>} imports
 * @property {ReadonlyMap<string, Target>} exports
 * @property {readonly string[]} files The files that it imports from.
 */

/** @param {string} file @param {string} source */
function findTarget(file, source) {
  return source.startsWith('.') ? resolve(dirname(file), source).replace(/(\.d)?\.[jt]sx?$/, '.d.ts') : source
}

/** @param {Node} node @param {(node: Node) => void} visit */
function walk(node, visit) {
  visit(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') walk(child, visit)
    }
  }
}

/** The first identifier of `a.b.c`. @param {Node} node @returns {string | undefined} */
function readFirstName(node) {
  if (node.type === 'Identifier') return node['name']
  const left = node['left'] ?? node['object']
  return left && readFirstName(left)
}

/**
 * The expressions by which a node refers to declarations.
 * @type {Readonly<Record<string, (node: Node) => readonly Node[]>>}
 */
const REFERENCES = {
  TSTypeReference: (node) => [node['typeName']],
  TSTypeQuery: (node) => [node['exprName']],
  TSInterfaceHeritage: (node) => [node['expression']],
  TSClassImplements: (node) => [node['expression']],
  ClassDeclaration: (node) => (node['superClass'] ? [node['superClass']] : []),
  TSPropertySignature: (node) => (node['computed'] ? [node['key']] : []),
  PropertyDefinition: (node) => (node['computed'] ? [node['key']] : []),
  MethodDefinition: (node) => (node['computed'] ? [node['key']] : []),
  TSMethodSignature: (node) => (node['computed'] ? [node['key']] : []),
}

/** @param {Node} node */
const isPrivate = (node) =>
  node['accessibility'] === 'private' ||
  (node.type === 'PropertyDefinition' && node['key'].type === 'PrivateIdentifier')

/** Returns the names that a statement declares. @param {Node} node @returns {readonly string[]} */
function readDeclaredNames(node) {
  if (node.type === 'VariableDeclaration')
    return node['declarations'].map((/** @type {Node} */ each) => each['id'].name)
  return node['id'] ? [node['id'].name] : []
}

/**
 * @param {string} file
 * @param {string} name
 * @param {readonly Node[]} statements Several for overloads, and for a type and a value of the same name.
 * @param {string} code
 * @param {readonly { start: number, end: number }[]} comments
 * @returns {Declaration}
 */
function describe(file, name, statements, code, comments) {
  const mentions = new Set()
  /** @type {Target[]} */
  const imports = []
  const texts = statements.map((statement) => {
    const omitted = comments.filter(({ start, end }) => start >= statement.start && end <= statement.end)
    /** @type {Node[]} */
    const privates = []
    walk(statement, (node) => {
      if (isPrivate(node)) privates.push(node)
      if (privates.some(({ start, end }) => node.start >= start && node.end <= end)) return
      for (const reference of REFERENCES[node.type]?.(node) ?? []) mentions.add(readFirstName(reference))
      if (node.type === 'TSImportType')
        imports.push({
          from: findTarget(file, node['source'].value),
          name: (node['qualifier'] && readFirstName(node['qualifier'])) ?? '*',
        })
    })
    let text = ''
    let at = statement.start
    for (const { start, end } of [...omitted, ...privates].toSorted((a, b) => a.start - b.start)) {
      if (start > at) text += code.slice(at, start)
      at = Math.max(at, end)
    }
    return (text + code.slice(at, statement.end))
      .replace(/^declare /, '')
      .replaceAll(/^\s*;?\n|[ \t]+$/gm, '')
  })
  mentions.delete(undefined)
  return { file, name, text: texts.join('\n'), mentions: [...mentions], imports }
}

/** @param {string} file @returns {Module} */
function readModule(file) {
  const code = readFileSync(file, 'utf8')
  const { program, errors, comments } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  /** @type {Map<string, Node[]>} */
  const statements = new Map()
  /** @type {Map<string, Target>} */
  const imports = new Map()
  /** @type {Map<string, Target>} */
  const exports = new Map()
  const files = new Set()
  for (const node of /** @type {Node[]} */ (/** @type {unknown} */ (program.body))) {
    const source = node['source'] && findTarget(file, node['source'].value)
    if (source) files.add(source)
    if (node.type === 'ExportAllDeclaration' || node.type === 'ExportDefaultDeclaration')
      throw new Error(`${file}: ${node.type} is not supported`)
    if (node.type === 'ImportDeclaration') {
      for (const { imported, local } of node['specifiers'])
        imports.set(local.name, { from: source, name: imported?.name ?? '*' })
      continue
    }
    for (const { local, exported } of node['specifiers'] ?? [])
      exports.set(exported.name, { from: source ?? file, name: local.name })
    const declaration = node.type === 'ExportNamedDeclaration' ? node['declaration'] : node
    for (const name of declaration ? readDeclaredNames(declaration) : []) {
      statements.set(name, [...(statements.get(name) ?? []), declaration])
      if (declaration !== node) exports.set(name, { from: file, name })
    }
  }
  const declarations = new Map(
    [...statements].map(([name, nodes]) => [name, describe(file, name, nodes, code, comments)]),
  )
  for (const { imports: types } of declarations.values()) for (const { from } of types) files.add(from)
  return { declarations, imports, exports, files: [...files].filter((each) => each.startsWith('/')) }
}

/** Returns a function that reads a file once. */
export function createReader() {
  /** @type {Map<string, Module>} */
  const modules = new Map()
  /** @param {string} file */
  return (file) => {
    const module = modules.get(file) ?? readModule(file)
    modules.set(file, module)
    return module
  }
}

/** @typedef {ReturnType<typeof createReader>} Reader */

/**
 * Follows imports and exports to a declaration; undefined for a name of the language, a package or a whole module.
 * @param {Reader} read
 * @param {Target} target
 * @returns {Declaration | undefined}
 */
export function findDeclaration(read, { from, name }) {
  if (!from.startsWith('/') || name === '*') return undefined
  const { declarations, imports, exports } = read(from)
  const next = exports.get(name)
  if (next && (next.from !== from || next.name !== name)) return findDeclaration(read, next)
  const imported = imports.get(name)
  return declarations.get(name) ?? (imported && findDeclaration(read, imported))
}

/** Returns the declarations of this package that a declaration mentions. @param {Reader} read @param {Declaration} declaration */
export function findMentions(read, { file, mentions, imports }) {
  const targets = [...mentions.map((name) => ({ from: file, name })), ...imports]
  return [...new Set(targets.flatMap((target) => findDeclaration(read, target) ?? []))]
}

/** Returns the declaration files that a program which imports one of the files reads. @param {Reader} read @param {readonly string[]} files */
export function findReachedFiles(read, files) {
  const reached = new Set(files)
  // The loop includes what is added meanwhile.
  for (const file of reached) for (const next of read(file).files) reached.add(next)
  return reached
}

/**
 * Returns the entries of a package and their declaration files.
 * @param {string} root folder of the package
 * @returns {readonly { readonly key: string, readonly file: string }[]}
 */
export function listEntries(root) {
  /** @type {{ exports: Record<string, { types?: string }> }} */
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.entries(manifest.exports).flatMap(([key, { types }]) =>
    types === undefined ? [] : [{ key, file: resolve(root, types) }],
  )
}
