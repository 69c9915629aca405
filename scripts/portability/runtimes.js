// @ts-check
// Runs the portable laws (test/portability) with the packed package on other JavaScript runtimes. Each runtime must pass
// every law and return the same as this Node, byte by byte.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { rolldown } from 'rolldown'
import { check } from '../check-consumers.js'
import { must } from '../run-process.js'

/** @typedef {{ name: string, digest?: string, error?: string }} LawResult */
/** @typedef {{ name: string, run: () => Promise<readonly LawResult[]>, missing?: string }} Runtime */

const root = join(import.meta.dirname, '../..')
const CHROMIUM = '/usr/bin/chromium'

/**
 * Returns the file of a package for this platform; undefined if npm did not install it.
 * @param {string} folder
 * @param {string[]} names
 * @param {string} file
 */
function findBinary(folder, names, file) {
  const require = createRequire(join(folder, 'package.json'))
  const paths = names.map((name) => join(require.resolve.paths(name)?.[0] ?? '', name, file))
  return paths.find((path) => existsSync(path))
}

/** Writes `laws.js`, which imports the installed package, and `laws-for-web.js`, which contains it. @param {string} scratch */
async function writePrograms(scratch) {
  const laws = await rolldown({
    input: join(root, 'test/portability/run-laws.ts'),
    external: /^interlingua(\/|$)/,
    platform: 'neutral',
  })
  await laws.write({ file: join(scratch, 'laws.js'), codeSplitting: false })
  await writeFile(
    join(scratch, 'print-laws.js'),
    `import { runLaws } from './laws.js'\nconsole.log(JSON.stringify(await runLaws()))\n`,
  )
  const complete = await rolldown({
    input: join(scratch, 'laws.js'),
    cwd: scratch,
    platform: 'browser',
    // A browser has none of the modules of Node: an entry that imports one fails.
    onLog: (level, log, handle) => (log.code === 'UNRESOLVED_IMPORT' ? handle('error', log) : undefined),
  })
  await complete.write({ file: join(scratch, 'laws-for-web.js'), codeSplitting: false })
}

/** @param {string} printed @returns {readonly LawResult[]} */
function readResults(printed) {
  const line = printed.split('\n').find((text) => text.startsWith('[{'))
  if (line === undefined) throw new Error(`No results were printed:\n${printed}`)
  return JSON.parse(line)
}

/** A worker of workerd without modules of Node. The laws run in its `test` handler. @param {string} scratch */
async function writeWorker(scratch) {
  await writeFile(
    join(scratch, 'worker.js'),
    `import { runLaws } from './laws-for-web.js'
export default { async test() { console.log(JSON.stringify(await runLaws())) } }\n`,
  )
  const config = `using Workerd = import "/workerd/workerd.capnp";
const laws :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "laws-for-web.js", esModule = embed "laws-for-web.js"),
  ],
  compatibilityDate = "2026-01-01",
);
const config :Workerd.Config = (services = [(name = "laws", worker = .laws)]);\n`
  await writeFile(join(scratch, 'worker.capnp'), config)
}

/** @param {string} scratch @returns {Promise<readonly LawResult[]>} */
async function runInChromium(scratch) {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage()
    // A secure origin, as `crypto.subtle` needs; nothing is sent over a network.
    const program = `${await readFile(join(scratch, 'laws-for-web.js'), 'utf8')}\nglobalThis.runLaws = runLaws`
    await page.route('**/*', (route) =>
      route.request().url().endsWith('.js')
        ? route.fulfill({ contentType: 'text/javascript', body: program })
        : route.fulfill({ contentType: 'text/html', body: '<!doctype html><meta charset="utf-8">' }),
    )
    await page.goto('https://laws.example/')
    await page.addScriptTag({ type: 'module', url: 'https://laws.example/laws.js' })
    return await page.evaluate(async () => await Reflect.get(globalThis, 'runLaws')())
  } finally {
    await browser.close()
  }
}

/**
 * @param {string} scratch
 * @param {string} tools
 * @param {string} consumers
 * @returns {readonly Runtime[]}
 */
function listRuntimes(scratch, tools, consumers) {
  const platform = `${process.platform}-${process.arch}`
  const bunPlatform = platform.replace('arm64', 'aarch64')
  /** @type {(name: string, path: string | undefined, args: string[]) => Runtime} */
  const program = (name, path, args) => ({
    name,
    ...(path === undefined && { missing: `npm has no package of it for ${platform}` }),
    run: async () => readResults(await must(path ?? '', args, { cwd: scratch })),
  })
  const names = [`node-${platform}`, `node-bin-${platform}`]
  return [
    program(`Node ${process.versions.node}`, process.execPath, ['print-laws.js']),
    program('Node 22', findBinary(tools, [`node-22-${platform}`], 'bin/node'), ['print-laws.js']),
    program('Node 24', findBinary(consumers, names, 'bin/node'), ['print-laws.js']),
    // No permission is granted: the neutral entries read no file and no environment variable.
    program('Deno', findBinary(tools, [`@deno/${platform}-glibc`, `@deno/${platform}`], 'deno'), [
      'run',
      '--no-prompt',
      '--no-remote',
      'print-laws.js',
    ]),
    program('Bun', findBinary(tools, [`@oven/bun-${bunPlatform}`], 'bin/bun'), ['run', 'print-laws.js']),
    program(
      'workerd',
      findBinary(
        tools,
        [`@cloudflare/workerd-${platform}`, `@cloudflare/workerd-${platform.replace('x64', '64')}`],
        'bin/workerd',
      ),
      ['test', 'worker.capnp'],
    ),
    {
      name: 'Chromium',
      ...(!existsSync(CHROMIUM) && { missing: `${CHROMIUM} does not exist: apt-get install chromium` }),
      run: () => runInChromium(scratch),
    },
  ]
}

/**
 * @param {readonly LawResult[]} results
 * @param {readonly LawResult[]} expected
 */
function compareResults(results, expected) {
  const failed = results.flatMap(({ name, error }) => (error === undefined ? [] : `${name}\n${error}`))
  const different = expected.filter(({ name, digest }, at) => {
    const result = results[at]
    return result?.name !== name || (result.error === undefined && result.digest !== digest)
  })
  const lines = [
    ...failed,
    ...different.map(({ name }) => `${name}: the output differs from that of this Node`),
  ]
  if (results.length !== expected.length) lines.push(`${results.length} laws instead of ${expected.length}`)
  if (lines.length > 0) throw new Error(lines.slice(0, 20).join('\n'))
}

/**
 * Runs the laws on every runtime that is installed.
 * @param {string} scratch The folder in which the package is installed.
 * @param {string} tools
 * @param {string} consumers
 */
export async function checkRuntimes(scratch, tools, consumers) {
  await writePrograms(scratch)
  await writeWorker(scratch)
  /** @type {readonly LawResult[] | undefined} */
  let expected
  const checks = []
  for (const { name, run, missing } of listRuntimes(scratch, tools, consumers)) {
    if (missing !== undefined) {
      checks.push({ name: `laws on ${name}`, ok: true, output: '', skipped: missing })
      continue
    }
    let count = 0
    const result = await check(`laws on ${name}`, async () => {
      const results = await run()
      count = results.length
      compareResults(results, (expected ??= results))
    })
    checks.push({ ...result, name: `${count} laws on ${name}` })
  }
  return checks
}
