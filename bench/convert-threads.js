// @ts-check
// `node bench/convert-threads.js [lines] [rounds]`, after a build: converts a JSONL file of recorded bodies on one core and on two,
// alternating, and prints the ratio of the medians. The file is built from the recordings beside the repository. Two programs on one
// core each are measured as well: they share nothing, so they show what the second core of this machine adds.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dialects } from 'interlingua'

const TARGET = 1.7
const [lineCount = 100_000, rounds = 3] = process.argv.slice(2).map(Number)

const corpus = new URL('../../shared/corpus/', import.meta.url)
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

/** Prints the processor time of all threads to standard output, which `--output` leaves free. */
const PRELOAD = `data:text/javascript,process.on('exit',()=>process.stdout.write(JSON.stringify(process.cpuUsage())))`

/** Returns the recorded requests and responses of the dialects, one JSON text each. */
function readBodies() {
  return readdirSync(corpus)
    .filter((name) => name.endsWith('.jsonl') && !name.includes('.errors.'))
    .flatMap((name) => readFileSync(new URL(name, corpus), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter(({ dialect }) => Object.hasOwn(dialects, dialect))
    .flatMap(({ request, response }) => [request, response])
    .filter((body) => typeof body === 'object' && body !== null && !Array.isArray(body))
    .map((body) => JSON.stringify(body))
}

/** @param {string} path */
async function writeLines(path) {
  const bodies = readBodies()
  const file = createWriteStream(path)
  for (let index = 0; index < lineCount; index++)
    if (!file.write(`${bodies[index % bodies.length]}\n`)) await once(file, 'drain')
  file.end()
  await once(file, 'close')
}

/** @typedef {{ readonly cores: string, readonly threads: number }} Program The processor cores that a program may use, and its threads. */

/** What is compared: the programs that run at once, each of which converts the file. */
const SETUPS = /** @type {const} */ ({
  'one core, one thread': [{ cores: '0', threads: 1 }],
  'two cores, two threads': [{ cores: '0,1', threads: 2 }],
  'two cores, two programs': [
    { cores: '0', threads: 1 },
    { cores: '1', threads: 1 },
  ],
})

/**
 * Returns the seconds of one conversion: elapsed, and of the processor.
 * @param {string} folder
 * @param {Program} program
 */
async function convert(folder, { cores, threads }) {
  const words = ['in.jsonl', '--to', 'anthropic', '--keep-going', '--quiet', '-o', `out-${cores}.jsonl`]
  const start = performance.now()
  const program = [process.execPath, `--import=${PRELOAD}`, main, 'convert', ...words]
  const child = spawn('taskset', ['-c', cores, ...program, '--threads', `${threads}`], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
  await once(child, 'close')
  const elapsed = (performance.now() - start) / 1000
  const { user, system } = JSON.parse(printed)
  return { elapsed, processor: (user + system) / 1e6 }
}

/** @param {readonly number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const folder = await mkdtemp(join(tmpdir(), 'interlingua-bench-'))
try {
  await writeLines(join(folder, 'in.jsonl'))
  /** @type {Map<string, Awaited<ReturnType<typeof convert>>[]>} */
  const measured = new Map(Object.keys(SETUPS).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, setup] of Object.entries(SETUPS)) {
      const programs = await Promise.all(setup.map((program) => convert(folder, program)))
      measured.get(name)?.push(programs.reduce((a, b) => (a.elapsed > b.elapsed ? a : b)))
    }
  /** @param {keyof typeof SETUPS} name @param {'elapsed' | 'processor'} kind */
  const seconds = (name, kind) => median((measured.get(name) ?? []).map((round) => round[kind]))
  for (const name of /** @type {(keyof typeof SETUPS)[]} */ (Object.keys(SETUPS)))
    console.log(
      `${lineCount} lines, ${name}:  ${seconds(name, 'elapsed').toFixed(2)} s elapsed` +
        `  ${seconds(name, 'processor').toFixed(2)} s of processor time`,
    )
  const one = seconds('one core, one thread', 'elapsed')
  const ratio = one / seconds('two cores, two threads', 'elapsed')
  const [used, usedByTwo] = [
    seconds('one core, one thread', 'processor'),
    seconds('two cores, two threads', 'processor'),
  ]
  const limit = (2 * one) / seconds('two cores, two programs', 'elapsed')
  console.log(`two cores are ${ratio.toFixed(2)} times as fast as one (target: ${TARGET})`)
  console.log(
    `by processor time, at most ${((2 * used) / usedByTwo).toFixed(2)} times: on a busy machine, look at this`,
  )
  console.log(`two programs are ${limit.toFixed(2)} times as fast as one: the limit of this machine`)
} finally {
  await rm(folder, { recursive: true, force: true })
}
