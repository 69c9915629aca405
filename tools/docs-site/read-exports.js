// @ts-check
// Reads what each entry of the package exports from its built declaration files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/**
 * @typedef {object} Export
 * @property {string} name
 * @property {'value' | 'type'} kind
 * @property {string} comment
 * @property {string[]} examples
 * @property {string} code its declaration
 * @property {ts.Symbol} symbol the same for all entries that export it
 * @property {ts.Symbol[]} mentions what the declaration refers to
 *
 * @typedef {{ name: string, exports: Export[] }} Entry
 */

/**
 * Returns the entries of the package with everything that they export, in the order of `package.json`.
 * @param {string} root folder of the package
 * @returns {Entry[]}
 */
export function readEntries(root) {
  /** @type {{ name: string, exports: Record<string, { types?: string }> }} */
  const description = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const files = Object.entries(description.exports).flatMap(([key, { types }]) =>
    types === undefined ? [] : [{ name: join(description.name, key), file: join(root, types) }],
  )
  const program = ts.createProgram({
    rootNames: files.map(({ file }) => file),
    options: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
      allowImportingTsExtensions: true,
      noEmit: true,
      noLib: true,
      types: [],
    },
  })
  const checker = program.getTypeChecker()
  return files.map(({ name, file }) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} exports nothing: run "npm run build"`)
    const exports = checker.getExportsOfModule(module).map((symbol) => describe(checker, symbol))
    return { name, exports: exports.sort((a, b) => a.name.localeCompare(b.name, 'en')) }
  })
}

/**
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} alias
 * @returns {Export}
 */
function describe(checker, alias) {
  const symbol = resolve(checker, alias)
  const declarations = (symbol.declarations ?? []).map((each) =>
    ts.isVariableDeclaration(each) ? each.parent.parent : each,
  )
  if (declarations.length === 0)
    throw new Error(`the declaration of ${alias.name} is missing: run "npm run build"`)
  const tags = symbol.getJsDocTags(checker)
  return {
    name: alias.name,
    kind: symbol.flags & ts.SymbolFlags.Value ? 'value' : 'type',
    comment: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
    examples: tags.filter((tag) => tag.name === 'example').map((tag) => ts.displayPartsToString(tag.text)),
    code: declarations.map(printDeclaration).join('\n'),
    symbol,
    mentions: declarations.flatMap((each) => listMentions(checker, each)),
  }
}

/**
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} symbol
 */
const resolve = (checker, symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

/**
 * Returns the text of a declaration, without what only the compiler needs.
 * @param {ts.Node} node
 */
function printDeclaration(node) {
  return node
    .getText()
    .replaceAll(/^ *(?:#private|private .*);\n/gm, '')
    .replace(/^export declare /, 'export ')
}

/**
 * Returns the types that a declaration refers to, in the order of their first use.
 * @param {ts.TypeChecker} checker
 * @param {ts.Node} declaration
 */
function listMentions(checker, declaration) {
  /** @type {Set<ts.Symbol>} */
  const symbols = new Set()
  /** @param {ts.Node} node */
  const visit = (node) => {
    const reference = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined
    const symbol = reference && checker.getSymbolAtLocation(reference)
    if (symbol) symbols.add(resolve(checker, symbol))
    ts.forEachChild(node, visit)
  }
  visit(declaration)
  return [...symbols]
}
