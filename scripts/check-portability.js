// @ts-check
// `npm run test:portability`: packs the built package, bundles it with four bundlers, and runs the portable laws with it
// on other runtimes.
// `npm test` covers two versions of Node and of TypeScript (scripts/check-consumers.js); .ci/run runs this script, too.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, installPackage, installTools, packPackage } from './check-consumers.js'
import { checkBundlers } from './portability/bundlers.js'
import { checkRuntimes } from './portability/runtimes.js'

/** @typedef {{ name: string, ok: boolean, output: string, skipped?: string }} PortabilityCheck */

const tools = join(import.meta.dirname, '../tools/portability')
const consumers = join(import.meta.dirname, '../tools/consumers')
const scratch = await mkdtemp(join(tmpdir(), 'interlingua-portability-'))
/** @type {PortabilityCheck[]} */
const checks = []
let start = performance.now()

/** @param {readonly PortabilityCheck[]} results */
function report(results) {
  for (const { name, ok, output, skipped } of results) {
    if (skipped !== undefined) console.log(`skip  ${name}: ${skipped}`)
    else console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}${ok ? '' : `\n${output}`}`)
  }
  console.log(`      (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  start = performance.now()
  checks.push(...results)
}

try {
  report([
    await check('install the tools', async () => {
      await installTools(tools)
      await installTools(consumers)
    }),
    await check('pack and install the package', async () =>
      installPackage(scratch, await packPackage(scratch)),
    ),
  ])
  if (checks.every(({ ok }) => ok)) {
    report(await checkBundlers(scratch, tools, consumers))
    report(await checkRuntimes(scratch, tools, consumers))
  }
} finally {
  await rm(scratch, { recursive: true, force: true })
}
for (const { name } of checks.filter(({ ok }) => !ok)) console.log(`failed: ${name}`)
const skipped = checks.filter((each) => each.skipped !== undefined).length
const failed = checks.filter(({ ok }) => !ok).length
console.log(
  `${checks.length - failed - skipped} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
)
process.exitCode = failed > 0 ? 1 : 0
