// @ts-check
// Runs the tests of the neutral layers and prints how many branches of each folder they take. Fails if a layer is below
// the limit. The arguments go to Vitest.
import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ locations: { start: { line?: number } }[], line: number }} Branch */
/** @typedef {{ branchMap: Record<string, Branch>, b: Record<string, number[]> }} FileCoverage */
/** @typedef {{ covered: number, total: number }} Tally */

const LIMIT = 95
const LAYERS = ['errors.ts', 'wire', 'canonical', 'schema', 'models', 'dialects', 'formats']
/**
 * The tests of the layers themselves, and of the handlers, which read the requests of UI protocols: what agents or the gateway
 * happen to run proves nothing about a layer.
 */
const TESTS = [
  'errors.test',
  'first-mistakes',
  'leaving-streams',
  'unknown-options',
  'wire/',
  'canonical/',
  'schema/',
  'models/',
  'dialects/',
  'formats/',
  'hostile/',
  'fuzz/',
  'handlers/',
]

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'coverage/branches')

/** Returns whether all tests passed. @returns {Promise<boolean>} */
function runTests() {
  const sources = LAYERS.map(
    (layer) => `--coverage.include=src/${layer.endsWith('.ts') ? layer : `${layer}/**`}`,
  )
  const options = ['--coverage.enabled', '--coverage.reportOnFailure', '--coverage.reporter=json', ...sources]
  options.push(`--coverage.reportsDirectory=${folder}`, '--project=tests', '--project=isolated')
  const tests = TESTS.map((path) => `test/${path}`)
  const args = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...options,
    ...process.argv.slice(2),
    ...tests,
  ]
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
}

/** Returns the layer of a source file, then its folder inside of the layer. @param {string} file */
function foldersOf(file) {
  const [layer = '', inner = ''] = relative(join(root, 'src'), file).split(sep)
  return inner === '' || inner.endsWith('.ts') ? [layer] : [layer, `${layer}/${inner}`]
}

/** @param {Tally} tally */
const percentOf = ({ covered, total }) => (total === 0 ? 100 : (100 * covered) / total)

/** Returns the lines of a file with a branch that no test takes. @param {FileCoverage} coverage */
function findUncoveredLines({ branchMap, b }) {
  const lines = Object.entries(branchMap).flatMap(([id, { locations, line }]) =>
    // An `else` that is not written has no location.
    (b[id] ?? []).flatMap((count, index) => (count === 0 ? [locations[index]?.start.line ?? line] : [])),
  )
  return [...new Set(lines)].sort((left, right) => left - right)
}

/** @param {Record<string, FileCoverage>} files */
function tallyFolders(files) {
  /** @type {Map<string, Tally>} */
  const tallies = new Map(LAYERS.map((layer) => [layer, { covered: 0, total: 0 }]))
  for (const [file, { b }] of Object.entries(files)) {
    const counts = Object.values(b).flat()
    for (const name of foldersOf(file)) {
      const { covered, total } = tallies.get(name) ?? { covered: 0, total: 0 }
      const taken = counts.filter((count) => count > 0).length
      tallies.set(name, { covered: covered + taken, total: total + counts.length })
    }
  }
  return tallies
}

await rm(folder, { recursive: true, force: true })
const passed = await runTests()
/** @type {Record<string, FileCoverage>} */
const files = JSON.parse(await readFile(join(folder, 'coverage-final.json'), 'utf8'))
for (const [file, coverage] of Object.entries(files)) {
  const lines = findUncoveredLines(coverage)
  if (lines.length > 0) console.log(`${relative(root, file)}: ${lines.join(', ')}`)
}
const tallies = tallyFolders(files)
for (const [name, tally] of [...tallies].sort(([left], [right]) => (left < right ? -1 : 1))) {
  console.log(`${percentOf(tally).toFixed(1).padStart(5)} %  ${tally.covered} of ${tally.total}  src/${name}`)
}
const low = LAYERS.filter((layer) => percentOf(tallies.get(layer) ?? { covered: 0, total: 0 }) < LIMIT)
for (const layer of low) console.log(`failed: src/${layer} is below ${LIMIT} %`)
process.exitCode = passed && low.length === 0 ? 0 : 1
