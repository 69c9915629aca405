// @ts-check
// `npm run bench [-- <part>…] [--rounds=15]`: runs the benchmarks, alternating between both sides, prints one line each, and
// writes bench/RESULTS.md if all parts ran or with `--write`. Parts: start, growth, requests, messages, streams, gateway, stores. Never fails.
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** @typedef {import('./messages.js').Benchmark} Benchmark */

const words = process.argv.slice(2)
const rounds = Number(words.find((word) => word.startsWith('--rounds='))?.slice('--rounds='.length) ?? 15)
const parts = words.filter((word) => !word.startsWith('--'))
const warmUp = Math.ceil(rounds / 3)

/** @param {string} part */
const isAsked = (part) => parts.length === 0 || parts.includes(part)

/** @type {string[]} */
const lines = []

/** @param {string} line */
function print(line) {
  console.log(line)
  lines.push(line)
}

/** Returns the processor time of this process in milliseconds: other programs do not change it as they change a clock. */
function readProcessorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Returns the processor time of a function in milliseconds.
 * @param {() => number | Promise<number>} act
 * @param {number} expected
 * @param {() => number | Promise<number>} [readMs]
 */
async function time(act, expected, readMs = readProcessorMs) {
  const start = await readMs()
  const result = await act()
  const took = (await readMs()) - start
  if (result !== expected) throw new Error(`a benchmark returned ${result} instead of ${expected}`)
  return took
}

/**
 * Returns the value below which a share of the values is.
 * @param {readonly number[]} values
 * @param {number} share
 */
const quantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0

/** @param {Benchmark} benchmark */
async function runBenchmark({ name, target, ours, plain, oursBase, readOursMs, readPlainMs }) {
  const expected = await plain()
  /** @type {{ ours: number, plain: number }[]} */
  const measured = []
  for (let round = 0; round < warmUp + rounds; round++)
    measured.push({
      ours: (await time(ours, expected, readOursMs)) - (oursBase ? await time(oursBase, expected) : 0),
      plain: await time(plain, expected, readPlainMs),
    })
  const counted = measured.slice(warmUp)
  const ratios = counted.map((round) => round.ours / round.plain)
  const ratio =
    quantile(
      counted.map((round) => round.ours),
      0.5,
    ) /
    quantile(
      counted.map((round) => round.plain),
      0.5,
    )
  const spread = `${quantile(ratios, 0.25).toFixed(1)}–${quantile(ratios, 0.75).toFixed(1)}`
  print(`| ${name} | ${ratio.toFixed(1)} | ${spread} | ${target ?? ''} |`)
}

/** @param {readonly Benchmark[]} benchmarks */
async function runBenchmarks(benchmarks) {
  for (const benchmark of benchmarks) await runBenchmark(benchmark)
}

/** @param {string} title */
function printRatioHead(title) {
  print(
    `\n## ${title}\n\n| work | times the plain work | middle half of the rounds | target |\n| --- | --- | --- | --- |`,
  )
}

print(`# Results of \`npm run bench\`

Node ${process.version} on ${cpus()[0]?.model ?? 'an unknown processor'}, ${cpus().length} cores, ${rounds} rounds after ${warmUp} for
warming up. All times are processor time.`)

// Each part imports its benchmarks: some prepare long conversations.
if (isAsked('start')) {
  const { measureStart } = await import('./imports.js')
  print('\n## Start\n\n| what | measured | target |\n| --- | --- | --- |')
  for (const { name, value, limit } of await measureStart()) print(`| ${name} | ${value} | ${limit} |`)
}

if (isAsked('growth')) {
  const { growthCases } = await import('./growth.js')
  print(
    '\n## Growth (target: an exponent of at most 1.1)\n\n| what | from | to | exponent |\n| --- | --- | --- | --- |',
  )
  for (const { name, sizes, prepare } of growthCases) {
    const [small, large] = sizes.map((size) => {
      const act = prepare(size)
      act()
      const times = Array.from({ length: 3 }, () => {
        const start = readProcessorMs()
        act()
        return readProcessorMs() - start
      })
      return Math.min(...times)
    })
    const exponent = Math.log((large ?? 0) / (small ?? 1)) / Math.log(sizes[1] / sizes[0])
    print(`| ${name} | ${sizes[0]} | ${sizes[1]} | ${exponent.toFixed(1)} |`)
  }
}

if (isAsked('requests')) {
  const { requests } = await import('./requests.js')
  printRatioHead('Requests and responses')
  await runBenchmarks(requests)
}

if (isAsked('messages')) {
  const { append } = await import('./messages.js')
  const { repairing } = await import('./repair.js')
  const { growth } = await import('./encode-growing-conversation.js')
  printRatioHead('Messages')
  await runBenchmarks([...append, ...repairing, ...growth])
}

if (isAsked('streams')) {
  const { translating } = await import('./translate.js')
  const { streaming } = await import('./parse-stream.js')
  printRatioHead('Streams and bodies')
  await runBenchmarks([...translating, ...streaming])
}

if (isAsked('gateway')) {
  const { gateways } = await import('./gateway.js')
  printRatioHead('Gateway')
  const served = await gateways()
  try {
    await runBenchmarks(served.rows)
  } finally {
    served.close()
  }
}

if (isAsked('stores')) {
  const { stores } = await import('./stores.js')
  printRatioHead('Stores')
  // Fills real databases with long conversations first, which takes a while.
  const stored = await stores()
  try {
    await runBenchmarks(stored.rows)
  } finally {
    await stored.close()
  }
}

const isWanted = parts.length === 0 || words.includes('--write')
if (isWanted) writeFileSync(new URL('RESULTS.md', import.meta.url), `${lines.join('\n')}\n`)
