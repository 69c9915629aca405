// @ts-check
// Uses the example of a dialect of your own as its author does: in a project with the packed package, and nothing of this repository.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { must, run } from './run-process.js'

const examples = fileURLToPath(new URL('../examples/', import.meta.url))
const MAX_LINES = 150

/** The law that compares times, which other programs distort. The tests of this repository run it. */
const TIMED_LAW = 'linear-work'

/**
 * Runs the conformance suite, the program with translations and an agent, the command line, and the files of a new dialect.
 * @param {string} scratch the folder of the project
 */
export async function useOwnDialect(scratch) {
  await cp(join(examples, 'own-dialect'), join(scratch, 'own-dialect'), { recursive: true })
  await cp(join(examples, 'own-dialect.js'), join(scratch, 'own-dialect.js'))
  const lines = (await readFile(join(scratch, 'own-dialect/parley.js'), 'utf8')).split('\n').length - 1
  if (lines > MAX_LINES) throw new Error(`the example has ${lines} lines instead of at most ${MAX_LINES}`)
  await Promise.all([runSuite(scratch), runProgram(scratch), runCommand(scratch), runNewDialect(scratch)])
}

/** @param {string} scratch */
async function runSuite(scratch) {
  const pattern = `--test-name-pattern=/^(?!${TIMED_LAW})/`
  const args = ['--test', '--test-reporter=tap', pattern, 'own-dialect/conformance.test.js']
  const printed = await must(process.execPath, args, { cwd: scratch })
  const [, passed = '0'] = /^# pass (\d+)$/m.exec(printed) ?? []
  if (Number(passed) < 100) throw new Error(`only ${passed} tests of the conformance suite ran`)
}

/** @param {string} scratch */
async function runProgram(scratch) {
  const code = await readFile(join(scratch, 'own-dialect.js'), 'utf8')
  const [, expected = ''] = /\/\* prints:\n([\s\S]*?)\n\*\//.exec(code) ?? []
  const printed = await must(process.execPath, ['own-dialect.js'], { cwd: scratch })
  if (printed.trimEnd() !== expected) throw new Error(`own-dialect.js printed:\n${printed}`)
}

/** @param {string} scratch */
async function runCommand(scratch) {
  const body = { engine: 'parley-1', turns: [{ by: 'human', say: 'Hi' }] }
  await writeFile(join(scratch, 'parley.json'), JSON.stringify(body))
  const words = ['convert', 'parley.json', '--registry', 'own-dialect/registry.js', '--to', 'gemini']
  const bin = join(scratch, 'node_modules/.bin/interlingua')
  const printed = await must(process.execPath, [bin, ...words], { cwd: scratch })
  const { contents } = JSON.parse(printed)
  if (contents?.[0]?.parts?.[0]?.text !== 'Hi') throw new Error(`convert printed:\n${printed}`)
}

const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))

/**
 * Writes a new dialect into a package of CommonJS modules. Its files must run, and compile with `strict` alone.
 * @param {string} scratch
 */
async function runNewDialect(scratch) {
  const folder = join(scratch, 'new-dialect')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{}')
  const bin = join(scratch, 'node_modules/.bin/interlingua')
  await must(process.execPath, [bin, 'new', 'dialect', 'quill'], { cwd: folder })
  const { stdout } = await run(
    process.execPath,
    ['--test', '--test-reporter=tap', 'quill/conformance.test.js'],
    { cwd: folder },
  )
  if (!stdout.includes('lines are still those of the made-up format'))
    throw new Error(`the test printed:\n${stdout}`)
  const options = ['--noEmit', '--allowJs', '--checkJs', '--strict', '--skipLibCheck', '--module', 'nodenext']
  await must(
    process.execPath,
    [compiler, ...options, '--target', 'es2023', 'quill/index.js', 'quill/samples.js'],
    { cwd: folder },
  )
}
