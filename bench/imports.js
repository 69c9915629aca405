// @ts-check
// What a program pays before its first call: the processor time of an import in a new process, and the size of a bundle.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const ROUNDS = 7
const root = join(import.meta.dirname, '..')

/** Entries and the milliseconds that an import may take, more than that of an empty module. */
const ENTRIES = { interlingua: 25, 'interlingua/dialects/openai-chat': 15, 'interlingua/providers': 30 }

/** Programs, and the compressed KiB that their bundles may have. @type {[name: string, code: string, maxKib: number][]} */
const PROGRAMS = [
  ['everything', `export * from 'interlingua'`, 150],
  ['translate', `export { translateRequest, translateResponse, translateStream } from 'interlingua'`, 90],
  ['one dialect', `export * from 'interlingua/dialects/openai-chat'`, 35],
  [
    'three providers and an agent',
    `export { anthropic, gemini, openai } from 'interlingua/providers'; export { Agent } from 'interlingua/agent'`,
    110,
  ],
]

/**
 * Returns the processor time of an import in milliseconds, the least of some processes: others only add to it.
 * @param {string} specifier
 */
function measureImport(specifier) {
  const code = `const start = process.cpuUsage(); await import(${JSON.stringify(specifier)})
const { user, system } = process.cpuUsage(start); console.log((user + system) / 1000)`
  const times = Array.from({ length: ROUNDS }, () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root }).toString()),
  )
  return Math.min(...times)
}

/**
 * Returns the compressed KiB of a bundle: all of it, and the part that the program loads only if it needs it.
 * @param {string} code
 */
async function measureBundle(code) {
  const entry = join(root, 'bench/program.js')
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? code : undefined),
      },
    ],
  })
  const { output: whole } = await build.generate({ codeSplitting: false, minify: true })
  const { output: chunks } = await build.generate({ minify: true })
  const sizes = [...whole, ...chunks.filter((file) => file.type === 'chunk' && !file.isDynamicEntry)].map(
    (file) => (file.type === 'chunk' ? gzipSync(file.code, { level: 9 }).length / 1024 : 0),
  )
  const [total = 0, ...initial] = sizes
  return { total, later: Math.max(0, total - initial.reduce((sum, size) => sum + size, 0)) }
}

/**
 * Yields the rows of both measurements.
 * @returns {AsyncGenerator<import('./report.js').Measured>}
 */
export async function* measureStart() {
  const empty = measureImport('data:text/javascript,')
  for (const [entry, limit] of Object.entries(ENTRIES)) {
    const ms = measureImport(entry) - empty
    yield { name: `import ${entry}`, value: `${ms.toFixed(0)} ms`, target: `${limit} ms`, isMet: ms <= limit }
  }
  for (const [name, code, limit] of PROGRAMS) {
    const { total, later } = await measureBundle(code)
    const value = `${total.toFixed(0)} KiB${later < 1 ? '' : ` (${later.toFixed(0)} on first use)`}`
    yield { name: `bundle: ${name}`, value, target: `${limit} KiB`, isMet: total - later <= limit }
  }
}
