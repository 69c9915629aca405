// @ts-check
// Installs the packed package in a scratch project, and uses it as consumers do:
// import and require on two Node versions, a browser bundle, and type checks with four TypeScript versions.
// Run after the build; `node scripts/check-consumers.js` prints one line per check.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { useOwnDialect } from './check-own-dialect.js'
import { createReader, findReachedFiles, listEntries } from './declarations/read-declarations.js'
import { must } from './run-process.js'

/** @typedef {{ name: string, ok: boolean, output: string }} Check */

const root = fileURLToPath(new URL('..', import.meta.url))
const tools = join(root, 'tools/consumers')

const nodes = [
  { name: `this Node (${process.version})`, path: process.execPath },
  { name: 'Node 24', path: join(tools, 'node_modules/.bin/node') },
]

/** @param {string} file */
const mtime = async (file) => (existsSync(file) ? (await stat(file)).mtimeMs : 0)

/**
 * Installs a folder of tools unless its lockfile is installed.
 * @param {string} folder
 */
export async function installTools(folder) {
  // npm writes this file last, so an incomplete install does not have it.
  const installed = await mtime(join(folder, 'node_modules/.package-lock.json'))
  if (installed < (await mtime(join(folder, 'package-lock.json')))) {
    await must('npm', ['ci'], { cwd: folder })
  }
}

/** Optional packages whose types an entry uses: a program that imports the entry has them. */
const TYPE_PEERS = ['@ai-sdk/provider@3', '@types/json-schema@7']

/** The oldest version that is supported, the last ones with a major number, and the newest one. */
const TYPESCRIPTS = ['typescript-5.4', 'typescript-5.9', 'typescript-6', 'typescript-7']

/** Entries that use the types of LangChain, which do not pass these strict checks: its users have `skipLibCheck`. */
const LANGCHAIN_ENTRIES = ['adapters/langchain']

/**
 * Packs the package as it was built, and returns the path of the tarball.
 * @param {string} folder
 */
export async function packPackage(folder) {
  await must('npm', ['pack', '--ignore-scripts', '--pack-destination', folder])
  const tarball = (await readdir(folder)).find((file) => file.endsWith('.tgz'))
  if (!tarball) throw new Error('npm pack created no tarball')
  return join(folder, tarball)
}

/**
 * @param {string} scratch
 * @param {string} tarball
 */
export async function installPackage(scratch, tarball) {
  await writeFile(join(scratch, 'package.json'), '{ "name": "scratch", "private": true, "type": "module" }')
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--no-update-notifier']
  await must('npm', ['install', ...quiet, tarball, ...TYPE_PEERS], { cwd: scratch })
}

/**
 * Runs code in the scratch project and parses its output as JSON.
 * @param {string} scratch
 * @param {string} node
 * @param {'module' | 'commonjs'} type
 * @param {string} code
 * @returns {Promise<unknown>}
 */
async function evaluate(scratch, node, type, code) {
  return JSON.parse(await must(node, [`--input-type=${type}`, '-e', code], { cwd: scratch }))
}

const importNames = `import * as il from 'interlingua'; console.log(JSON.stringify(Object.keys(il).sort()))`
const requireNames = `console.log(JSON.stringify(Object.keys(require('interlingua')).sort()))`
/** Subpath exports of the package. */
const subpaths = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports)
  .filter((key) => key !== '.' && !key.endsWith('.json'))
  .map((key) => key.slice('./'.length))
/** Imports all of them in one process, which takes a fraction of the time of one each; prints the errors. */
const importSubpaths = `const errors = []
for (const subpath of ${JSON.stringify(subpaths)})
  await import('interlingua/' + subpath).catch((error) => errors.push(subpath + ': ' + error))
console.log(JSON.stringify(errors))`
const importSchema = `import schema from 'interlingua/schema.json' with { type: 'json' }
console.log(JSON.stringify(schema))`
const requireSchema = `console.log(JSON.stringify(require('interlingua/schema.json')))`

/** Loads a case of the golden corpus by the entry and as a file. Prints the number of cases, and whether the two are equal. */
const loadGolden = `import { listGoldenCases, loadGoldenCase } from 'interlingua/golden'
import file from 'interlingua/golden/v1/requests/media.json' with { type: 'json' }
const isSame = JSON.stringify(await loadGoldenCase('request', 'media')) === JSON.stringify(file)
console.log(JSON.stringify([(await listGoldenCases()).length, isSame]))`

/**
 * @param {unknown} got
 * @param {unknown} expected
 * @param {string} what
 */
function same(got, expected, what) {
  if (isDeepStrictEqual(got, expected)) return
  throw new Error(`${what}\n  got:      ${JSON.stringify(got)}\n  expected: ${JSON.stringify(expected)}`)
}

/**
 * @param {string} name
 * @param {() => Promise<unknown>} body
 * @returns {Promise<Check>}
 */
export async function check(name, body) {
  try {
    await body()
    return { name, ok: true, output: '' }
  } catch (error) {
    return { name, ok: false, output: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Runs the command in an empty folder, with only the package installed.
 * @param {string} scratch
 * @param {string} node
 */
async function useCommand(scratch, node) {
  const home = await mkdtemp(join(tmpdir(), 'interlingua-home-'))
  /** @type {(...words: string[]) => Promise<any>} */
  const interlingua = async (...words) => {
    const bin = join(scratch, 'node_modules/.bin/interlingua')
    return JSON.parse(
      await must(node, [bin, ...words, '--json'], { cwd: home, env: { HOME: home, XDG_DATA_HOME: '' } }),
    )
  }
  try {
    const { text, session } = await interlingua('chat', 'How is the weather in Oslo?')
    same(text, 'weather says: city: Oslo, celsius: 4.', 'unexpected response')
    const [kept] = await interlingua('store', 'list')
    same(kept?.id, session, 'the conversation was not stored')
    const body = join(home, 'request.json')
    await writeFile(body, JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }))
    const { contents } = await interlingua('convert', body, '--to', 'gemini')
    same(contents, [{ role: 'user', parts: [{ text: 'Hi' }] }], 'unexpected request')
    // Threads need their script, which is a file of the package.
    const log = join(home, 'log.jsonl')
    await copyFile(body, log)
    const line = await interlingua('convert', log, '--to', 'gemini', '--threads', '2')
    same(line.contents, contents, 'unexpected request of a thread')
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** Fails if the package contains declarations that no program can import. @param {string} scratch */
async function checkDeclarations(scratch) {
  const folder = join(scratch, 'node_modules/interlingua')
  const reached = findReachedFiles(
    createReader(),
    listEntries(folder).map(({ file }) => file),
  )
  const files = await readdir(folder, { recursive: true })
  const unused = files.filter((file) => file.endsWith('.d.ts') && !reached.has(join(folder, file)))
  if (unused.length > 0) throw new Error(`no entry uses these declarations:\n${unused.join('\n')}`)
}

/** @param {string} scratch */
async function useChecks(scratch) {
  const names = await evaluate(scratch, process.execPath, 'module', importNames).catch(() => [])
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const checks = nodes.flatMap(({ name, path }) => [
    check(`import on ${name}`, async () => {
      const got = await evaluate(scratch, path, 'module', importNames)
      same(got, names, 'the exported names differ from those on this Node')
      if (isDeepStrictEqual(got, [])) throw new Error('exports nothing')
    }),
    check(`require on ${name}`, async () => {
      same(
        await evaluate(scratch, path, 'commonjs', requireNames),
        names,
        'the exported names differ from those of import',
      )
    }),
    check(`import ${subpaths.length} other entries on ${name}`, async () => {
      same(await evaluate(scratch, path, 'module', importSubpaths), [], 'some entries cannot be imported')
    }),
  ])
  const schemas = ('./schema.json' in exports ? nodes : []).map(({ name, path }) =>
    check(`import and require schema.json on ${name}`, async () => {
      const schema = await evaluate(scratch, path, 'module', importSchema)
      const required = await evaluate(scratch, path, 'commonjs', requireSchema)
      same(required, schema, 'require returns a different schema')
    }),
  )
  const { cases } = JSON.parse(await readFile(join(root, 'golden/v1/index.json'), 'utf8'))
  const corpora = nodes.map(({ name, path }) =>
    check(`golden corpus on ${name}`, async () => {
      const found = await evaluate(scratch, path, 'module', loadGolden)
      same(found, [cases.length, true], 'the entry and the files differ from the repository')
    }),
  )
  const commands = nodes.map(({ name, path }) =>
    check(`command line on ${name}`, () => useCommand(scratch, path)),
  )
  const ownDialect = check('a dialect of the user', () => useOwnDialect(scratch))
  const declared = check('an entry uses each declaration file', () => checkDeclarations(scratch))
  const bundled = check('browser bundle', async () => {
    const printed = await must(process.execPath, [join(tools, 'bundle-for-browser.js'), scratch])
    same(JSON.parse(printed), names, 'the exported names differ from those of import')
  })
  const files = ['consumer.ts', 'tsconfig.nodenext.json', 'tsconfig.bundler.json']
  await Promise.all(files.map((file) => copyFile(join(tools, file), join(scratch, file))))
  const entries = subpaths
    .filter((subpath) => !LANGCHAIN_ENTRIES.includes(subpath))
    .map((subpath, at) => `export * as entry${at} from 'interlingua/${subpath}'\n`)
  await writeFile(join(scratch, 'entries.ts'), entries.join(''))
  const typed = TYPESCRIPTS.flatMap((typescript) =>
    ['nodenext', 'bundler'].map((resolution) => {
      const args = [join(tools, 'node_modules', typescript, 'bin/tsc'), '-p', `tsconfig.${resolution}.json`]
      return check(`types with ${typescript}, ${resolution}`, () =>
        must(process.execPath, args, { cwd: scratch }),
      )
    }),
  )
  return Promise.all([
    ...checks,
    ...schemas,
    ...corpora,
    ...commands,
    ownDialect,
    declared,
    bundled,
    ...typed,
  ])
}

/**
 * @param {string} tarball
 * @returns {Promise<Check[]>}
 */
export async function runConsumers(tarball) {
  const scratch = await mkdtemp(join(tmpdir(), 'interlingua-consumers-'))
  try {
    const setup = [
      await check('install the consumers’ tools', () => installTools(tools)),
      await check('install the package', () => installPackage(scratch, tarball)),
    ]
    return setup.every(({ ok }) => ok) ? [...setup, ...(await useChecks(scratch))] : setup
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const folder = await mkdtemp(join(tmpdir(), 'interlingua-package-'))
  try {
    const checks = await runConsumers(await packPackage(folder))
    for (const { name, ok, output } of checks) {
      console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}${ok ? '' : `\n${output}`}`)
    }
    process.exitCode = checks.every(({ ok }) => ok) ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
