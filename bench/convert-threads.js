// @ts-check
// `node bench/convert-threads.js [lines] [rounds]`, after a build: converts a JSONL file of recorded bodies on one thread and
// on two, alternating, and prints the ratio of the medians. The file is built from the recordings beside the repository.
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

/**
 * Returns the seconds of one conversion: elapsed, and of the processor.
 * @param {string} folder
 * @param {number} threads
 */
async function convert(folder, threads) {
  const words = ['in.jsonl', '--to', 'anthropic', '--keep-going', '--quiet', '-o', 'out.jsonl']
  const start = performance.now()
  const child = spawn(
    process.execPath,
    [`--import=${PRELOAD}`, main, 'convert', ...words, '--threads', `${threads}`],
    { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] },
  )
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
  /** @type {{ one: Awaited<ReturnType<typeof convert>>, two: Awaited<ReturnType<typeof convert>> }[]} */
  const measured = []
  for (let round = 0; round < rounds; round++)
    measured.push({ one: await convert(folder, 1), two: await convert(folder, 2) })
  /** @param {'one' | 'two'} side @param {'elapsed' | 'processor'} kind */
  const seconds = (side, kind) => median(measured.map((round) => round[side][kind]))
  const ratio = seconds('one', 'elapsed') / seconds('two', 'elapsed')
  for (const side of /** @type {const} */ (['one', 'two']))
    console.log(
      `${lineCount} lines, threads: ${side}  ${seconds(side, 'elapsed').toFixed(2)} s elapsed` +
        `  ${seconds(side, 'processor').toFixed(2)} s of processor time`,
    )
  console.log(`two threads are ${ratio.toFixed(2)} times as fast as one (target: ${TARGET})`)
} finally {
  await rm(folder, { recursive: true, force: true })
}
