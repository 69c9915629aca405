// @ts-check
// Breaks the rules of docs/internals/rules.json, one at a time, in a copy of the repository, and expects the tests with the
// tag of the rule to fail. Arguments: the rules to check, by their ids or by parts of the paths of their files; all if there
// are none.
import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createVitest } from 'vitest/node'
import { mutations } from './rule-mutations/all-mutations.js'
import { mutate } from './rule-mutations/mutation.js'

/**
 * @typedef {import('./rule-mutations/mutation.js').RuleMutation} RuleMutation
 * @typedef {{ fullName: string, status: 'passed' | 'failed' | 'skipped' | 'pending' }} TestResult
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const wanted = process.argv.slice(2)

/**
 * Runs a command; its output is returned, whether it fails or not.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<string>}
 */
function run(command, args, cwd) {
  return new Promise((resolve, reject) => {
    let output = ''
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })
}

/** Copies the files of the repository, also those that are not committed yet. @param {string} folder */
async function copyRepository(folder) {
  const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], root)
  for (const file of listed.split('\0').filter((each) => each !== '')) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    // A file that was deleted without a commit is listed, too.
    await cp(join(root, file), join(folder, file)).catch(() => {})
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
}

/** Returns a pattern of test names with one of the tags. @param {readonly string[]} rules */
const tagPattern = (rules) => `\\[(?:[^\\]]*[ ,])?(?:${rules.join('|')})(?:,[^\\]]*)?\\]`

/**
 * Runs the tests of a file with the tags of rules. One server transforms the modules for all runs: to start one takes longer
 * than most tests.
 * @param {import('vitest/node').Vitest} vitest
 * @param {Pick<RuleMutation, 'rules' | 'test'>} selection
 * @returns {Promise<{ results: TestResult[], output: string }>}
 */
async function runTaggedTests(vitest, { rules, test }) {
  vitest.setGlobalTestNamePattern(new RegExp(tagPattern(rules)))
  const run = await vitest.runTestSpecifications(await vitest.globTestSpecifications([test]))
  // The results of earlier runs are listed, too: those of other files, which a test with the same tag would repeat.
  const testModules = run.testModules.filter(({ moduleId }) => moduleId.endsWith(`/${test}`))
  const results = testModules.flatMap(({ children }) =>
    [...children.allTests()].map((each) => ({ fullName: each.fullName, status: each.result().state })),
  )
  const errors = testModules.flatMap((module) => module.errors())
  return { results, output: errors.map(({ message }) => message).join('\n') }
}

/**
 * Returns what the tests of a rule say about a mutation: `killed` if one failed, `survived` if all passed, `no test` if none
 * ran, which is also so if the file of the tests could not be loaded.
 * @param {string} rule
 * @param {readonly TestResult[]} results
 */
function judge(rule, results) {
  const pattern = new RegExp(tagPattern([rule]))
  const statuses = results.filter(({ fullName }) => pattern.test(fullName)).map(({ status }) => status)
  if (statuses.includes('failed')) return 'killed'
  return statuses.includes('passed') ? 'survived' : 'no test'
}

/** The results of the tests of each file without a change. @type {Map<string, Promise<readonly TestResult[]>>} */
const unchangedResults = new Map()

/**
 * Runs all tagged tests of a file without a change, once: a test that fails anyway shows nothing.
 * @param {import('vitest/node').Vitest} vitest
 * @param {string} test
 */
function runUnchanged(vitest, test) {
  const known = unchangedResults.get(test)
  if (known !== undefined) return known
  const rules = mutations.filter((each) => each.test === test).flatMap((each) => each.rules)
  const results = runTaggedTests(vitest, { rules, test }).then((run) => run.results)
  unchangedResults.set(test, results)
  return results
}

/**
 * @param {import('vitest/node').Vitest} vitest
 * @param {RuleMutation} mutation
 */
async function checkMutation(vitest, mutation) {
  const unchanged = await runUnchanged(vitest, mutation.test)
  const path = join(vitest.config.root, mutation.file)
  const source = await readFile(path, 'utf8')
  const write = async (/** @type {string} */ text) => {
    await writeFile(path, text)
    vitest.invalidateFile(path)
  }
  await write(mutate(source, mutation))
  try {
    const { results, output } = await runTaggedTests(vitest, mutation)
    return mutation.rules.map((rule) => {
      const isRed = judge(rule, unchanged) === 'killed'
      return { rule, verdict: isRed ? 'red' : judge(rule, results), output }
    })
  } finally {
    await write(source)
  }
}

let passed = 0
let failed = 0
const folder = await realpath(await mkdtemp(join(tmpdir(), 'interlingua-rules-')))
try {
  await copyRepository(folder)
  process.chdir(folder)
  const options = {
    root: folder,
    watch: true,
    project: ['tests', 'isolated'],
    maxWorkers: 1,
    reporters: [{}],
  }
  const vitest = await createVitest('test', options, { server: { watch: null } })
  for (const mutation of mutations) {
    const { file, test } = mutation
    const isWanted = (/** @type {string} */ rule) =>
      wanted.length === 0 || wanted.some((each) => each === rule || `${file} ${test}`.includes(each))
    const rules = mutation.rules.filter(isWanted)
    if (rules.length === 0) continue
    for (const { rule, verdict, output } of await checkMutation(vitest, { ...mutation, rules })) {
      console.log(`${verdict.padEnd(8)}  ${rule}  ${file} (${test})`)
      if (verdict === 'no test') console.log(output.trimEnd().slice(-2_000).replaceAll(/^/gm, '      '))
      if (verdict === 'killed') passed += 1
      else failed += 1
    }
  }
  await vitest.close()
} finally {
  await rm(folder, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
