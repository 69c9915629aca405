// @ts-check
// Writes api-report: a text for each entry of the package with everything that it exports, from the built declarations. With
// `--check`, it writes nothing and fails if the report is out of date: a change of the public surface is seen in review.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createReader, findDeclaration, findMentions, listEntries } from './declarations/read-declarations.js'

/** @typedef {import('./declarations/read-declarations.js').Declaration} Declaration */

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'api-report')
const read = createReader()
const STATEMENT = /^(?=(?:abstract|class|const|enum|function|interface|let|type) )/gm

/** @param {string} key */
const nameEntry = (key) => join('interlingua', key)

const entries = listEntries(root).map(({ key, file }) => ({
  key,
  exports: [...read(file).exports.keys()]
    .toSorted()
    .map((name) => ({ name, target: findDeclaration(read, { from: file, name }) })),
}))

/** The first entry that exports a declaration prints it; the other ones name that entry. @type {Map<Declaration, string>} */
const homes = new Map()
for (const { key, exports } of entries) {
  for (const { target } of exports) if (target && !homes.has(target)) homes.set(target, key)
}

/** Declarations that no entry exports, and that some entry printed already. @type {Set<Declaration>} */
const printed = new Set()

/** Returns what the declarations refer to without that any entry exports it. @param {readonly Declaration[]} declarations */
function collectInternals(declarations) {
  const visited = new Set(declarations)
  // The loop includes what is added meanwhile.
  for (const declaration of visited) {
    for (const mention of findMentions(read, declaration)) {
      if (!homes.has(mention) && !printed.has(mention)) visited.add(mention)
    }
  }
  const internals = [...visited].filter((each) => !homes.has(each))
  for (const each of internals) printed.add(each)
  return internals.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
}

/** @param {(typeof entries)[number]} entry */
function renderEntry({ key, exports }) {
  const own = exports.flatMap(({ name, target }) =>
    target && homes.get(target) === key ? [{ name, target }] : [],
  )
  const others = exports.flatMap(({ name, target }) => {
    const home = target && homes.get(target)
    if (home === key) return []
    return `${name}: ${home === undefined ? 'another package' : nameEntry(home)}`
  })
  const internals = collectInternals(own.map(({ target }) => target))
  const sections = [
    nameEntry(key),
    ...own.map(({ name, target }) => {
      const text = target.text.replaceAll(STATEMENT, 'export ')
      return name === target.name ? text : `${text}\nexport { ${target.name} as ${name} }`
    }),
    ...(others.length > 0 ? [`Also exported, declared by:\n${others.join('\n')}`] : []),
    ...(internals.length > 0
      ? ['Not exported, but used by what is exported:', ...internals.map(({ text }) => text)]
      : []),
  ]
  return `${sections.join('\n\n')}\n`
}

const reports = new Map(
  entries.map((entry) => [
    entry.key === '.' ? 'index.txt' : `${entry.key.slice('./'.length)}.txt`,
    renderEntry(entry),
  ]),
)

/** Returns the files of the report in the repository. @returns {ReadonlyMap<string, string>} */
function readReports() {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [relative(folder, path), readFileSync(path, 'utf8')]
    }),
  )
}

/** Returns the first line that differs, for the message. @param {string} before @param {string} after */
function showDifference(before, after) {
  const [old, current] = [before.split('\n'), after.split('\n')]
  const at = current.findIndex((line, index) => line !== old[index])
  const line = at < 0 ? current.length : at
  return `line ${line + 1}\n  reported: ${old[line] ?? '(nothing)'}\n  built:    ${current[line] ?? '(nothing)'}`
}

if (process.argv.includes('--check')) {
  const written = readReports()
  const differences = [...new Set([...reports.keys(), ...written.keys()])].flatMap((name) => {
    const [before, after] = [written.get(name) ?? '', reports.get(name) ?? '']
    return before === after ? [] : `api-report/${name}, ${showDifference(before, after)}`
  })
  if (differences.length > 0) {
    console.log(
      `${differences.join('\n')}\nThe exports changed. Run "npm run api", and review the difference.`,
    )
    process.exitCode = 1
  }
} else {
  rmSync(folder, { recursive: true, force: true })
  for (const [name, text] of reports) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  console.log(`api-report: ${reports.size} entries`)
}
