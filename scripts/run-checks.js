// @ts-check
// Runs all checks of `npm test`. `--unit` runs only the unit tests, to repeat them on another Node version.
// Every step runs even if an earlier one failed; the last line contains the totals.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packPackage, runConsumers } from './check-consumers.js'
import { run } from './run-process.js'

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */
/** @typedef {{ name: string, ok: boolean, output: string }} Result */

const root = fileURLToPath(new URL('..', import.meta.url))
const total = { passed: 0, failed: 0, skipped: 0 }
/** What failed, repeated at the end: the output of a failure may be thousands of lines above. @type {string[]} */
const failures = []

/** @param {Tally} tally */
function add({ passed, failed, skipped }) {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
}

/** @param {number} start */
const since = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`

/**
 * @param {Result} result
 * @param {string} [time]
 */
function report({ name, ok, output }, time) {
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}${time ? ` (${time})` : ''}`)
  if (!ok) {
    console.log(output.trimEnd().replaceAll(/^/gm, '      '))
    failures.push(name)
  }
  add({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 })
  return ok
}

/**
 * Runs a command as one step.
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
async function step(name, command, args, env) {
  const start = performance.now()
  const { ok, output } = await run(command, args, env ? { env } : {})
  return report({ name, ok, output: output || 'failed without output' }, since(start))
}

/**
 * Runs a tool from node_modules/.bin as one step.
 * @param {string} name
 * @param {string} tool
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
const local = (name, tool, args, env) => step(name, join(root, 'node_modules/.bin', tool), args, env)

/**
 * Counts the test results that vitest wrote. A file that does not load, or an error outside of a test, fails
 * no test but counts as a failure.
 * @param {string} file
 * @param {boolean} ok
 * @returns {Promise<Tally>}
 */
async function countTests(file, ok) {
  /** @type {{ name: string, assertionResults: { fullName: string, status: string }[], status: string }[]} */
  let files = []
  try {
    files = JSON.parse(await readFile(file, 'utf8')).testResults
  } catch {
    console.log('vitest wrote no results')
  }
  const statuses = files.flatMap(({ name, assertionResults, status }) => {
    const file = relative(root, name)
    const failing = assertionResults.filter((test) => test.status === 'failed')
    failures.push(...failing.map(({ fullName }) => `${file}: ${fullName}`))
    const own = assertionResults.map((test) => test.status)
    if (status !== 'failed' || failing.length > 0) return own
    failures.push(file)
    return [...own, 'failed']
  })
  const passed = statuses.filter((status) => status === 'passed').length
  const failed = statuses.filter((status) => status === 'failed').length
  return {
    passed,
    failed: failed === 0 && (!ok || passed === 0) ? 1 : failed,
    skipped: statuses.length - passed - failed,
  }
}

/** @param {string[]} projects the projects of `vitest.config.ts`; all if there are none */
async function unitTests(...projects) {
  const start = performance.now()
  const temp = await mkdtemp(join(tmpdir(), 'interlingua-check-'))
  try {
    const json = join(temp, 'tests.json')
    // Through process.execPath instead of .bin, so that the tests run on the Node version that runs this
    // script.
    const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run']
    args.push(...projects.map((project) => `--project=${project}`))
    const env = { ...process.env, TEST_RESULTS_FILE: json }
    const ok = await new Promise((resolve) => {
      const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env })
      child.on('error', () => resolve(false))
      child.on('close', (code) => resolve(code === 0))
    })
    const tally = await countTests(json, ok)
    add(tally)
    console.log(
      `${tally.failed > 0 ? 'FAIL' : 'ok  '}  ${['unit tests', ...projects].join(' ')} on Node ${process.version} (${since(start)})`,
    )
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
}

async function checkBuild() {
  // Files of an older build in dist would be packed, too.
  await rm(join(root, 'dist'), { recursive: true, force: true })
  const build = step('build', 'npm', ['run', '--silent', 'build'])
  await local('unused code', 'knip', [])
  if (!(await build)) {
    for (const name of ['exports (api-report)', 'package (publint)', 'package (attw)', 'consumers']) {
      report({ name, ok: false, output: 'skipped: the build failed' })
    }
    return
  }
  await step('exports (api-report)', process.execPath, ['scripts/write-api-report.js', '--check'])
  const folder = await mkdtemp(join(tmpdir(), 'interlingua-package-'))
  try {
    const tarball = await packPackage(folder)
    await checkPackage(tarball)
    await checkConsumers(tarball)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param {string} tarball */
async function checkPackage(tarball) {
  await local('package (publint)', 'publint', ['--strict', tarball])
  await local('package (attw)', 'attw', [tarball, '--profile', 'esm-only'])
}

/** @param {string} tarball */
async function checkConsumers(tarball) {
  const start = performance.now()
  for (const result of await runConsumers(tarball)) report({ ...result, name: `consumers: ${result.name}` })
  console.log(`      all consumers (${since(start)})`)
}

async function everything() {
  // The unit tests compare with these libraries if they are installed; they are too large for development dependencies.
  const installed = Promise.all([
    step('install agents of LangChain', 'npm', ['ci', '--prefix', 'tools/langchain']),
    step('install UI clients', 'npm', ['ci', '--prefix', 'tools/ui-clients']),
    step('install the OpenAI Agents SDK', 'npm', ['ci', '--prefix', 'tools/openai-agents']),
  ])
  await Promise.all([checkTypesAndLint(), checkSources(), installed])
  await unitTests('tests', 'isolated')
  // The tests of growth use one core. They measure processor time, so one other program at a time hardly distorts them.
  await Promise.all([unitTests('growth'), checkBuild()])
}

/** Linted only: no `tsconfig.json` includes them, or their packages are not installed. */
const UNTYPED = ['client', 'gateway', 'stores']
  .map((folder) => `test/${folder}/children`)
  .concat('tools', 'vitest.config.ts')

/**
 * The rules that need types share one program with the type errors of sources, tests and scripts: `tsc` would check all of
 * them once more.
 */
async function checkTypesAndLint() {
  const ignored = UNTYPED.map((path) => `--ignore-pattern=${path}`)
  await local('types and lint', 'oxlint', ['--deny-warnings', '--type-check', ...ignored])
}

/** The short checks of the sources: together they take about as long as the rules that need types. */
async function checkSources() {
  await local('lint without type errors', 'oxlint', ['--deny-warnings', ...UNTYPED])
  await local('types, neutral entry', 'tsc', ['-p', 'tsconfig.neutral.json'])
  // Only the errors of declarations, such as those of `isolatedDeclarations`, which oxlint does not report.
  await local('declarations', 'tsc', ['-p', 'tsconfig.json', '--noCheck'])
  await local('format', 'oxfmt', ['--check'])
  await step('rule coverage', process.execPath, ['scripts/rule-coverage.js', '--check'])
}

try {
  await (process.argv.includes('--unit') ? unitTests() : everything())
} catch (error) {
  report({ name: 'check script', ok: false, output: String(error) })
}
for (const failure of failures) console.log(`failed: ${failure}`)
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
)
process.exitCode = total.failed > 0 ? 1 : 0
