// @ts-check
// `npm run bench [-- <part>…] [--rounds=9] [--this-node] [--write]`: measures the parts and prints their tables. Without names
// of parts it measures all of them, and writes their sections of bench/RESULTS.md, as `--write` does. It runs on a Node version
// that the peers support, unless `--this-node` is given. A row that fails says so and does not end the run.
import { measure } from './measure.js'
import { runOnPeerNode } from './peers/peer-packages.js'
import { printMeasured, printMeasuredHead, printRatio, printRatioHead, takeLines } from './report.js'
import { writeSection } from './results-file.js'

/** @typedef {import('./measure.js').Benchmark} Benchmark */
/** @typedef {{ rows: Iterable<Benchmark> | AsyncIterable<Benchmark>, close?: () => unknown }} RatioPart */
/** @typedef {() => Iterable<import('./report.js').Measured> | AsyncIterable<import('./report.js').Measured>} MeasuredPart */

runOnPeerNode()

const words = process.argv.slice(2)
const rounds = Number(words.find((word) => word.startsWith('--rounds='))?.slice('--rounds='.length) ?? 9)
const asked = words.filter((word) => !word.startsWith('--'))

/**
 * Each part imports its benchmarks when it runs: some prepare long conversations.
 * @type {{ readonly [part: string]: { title: string, note: string, load?: () => Promise<RatioPart>, loadMeasured?: () => Promise<MeasuredPart> } }}
 */
const parts = {
  start: {
    title: 'Imports and bundles',
    note: 'The processor time of an import in a new process, more than that of an empty module, and the compressed size of a bundle.',
    loadMeasured: async () => (await import('./imports.js')).measureStart,
  },
  memory: {
    title: 'Memory',
    note: 'How much the memory of a new process grows while it translates a stream of 100 MB.',
    loadMeasured: async () => (await import('./memory.js')).measureMemory,
  },
  growth: {
    title: 'Growth',
    note: 'The exponent is 1 if twice the size costs twice as much, and 0 if the size does not matter.',
    loadMeasured: async () => (await import('./growth.js')).measureGrowth,
  },
  encode: {
    title: 'Encode',
    note: 'Against `JSON.stringify` of the ready body. The text of 1,000 messages; the next turn is compared with one at 10 messages.',
    load: async () => ({ rows: (await import('./encode.js')).encodeRows() }),
  },
  decode: {
    title: 'Decode and translate bodies',
    note: 'Against `JSON.parse`, and `JSON.stringify` where the result is text. An agent’s request has 66 to 69 KiB.',
    load: async () => ({ rows: (await import('./decode.js')).decodeRows() }),
  },
  streams: {
    title: 'Streams',
    note: 'Against the framing and `JSON.parse` alone, one event a chunk.',
    load: async () => ({ rows: (await import('./streams.js')).streamRows() }),
  },
  clients: {
    title: 'Clients',
    note: 'Whole calls with `fetch` replaced, against what no client can avoid. Each library gets messages in its own types.',
    load: async () => ({ rows: (await import('./clients.js')).clientRows() }),
  },
  translators: {
    title: 'Translators',
    note: 'Against `JSON.parse` and `JSON.stringify`. The other libraries carry less: see the comparison.',
    load: async () => ({ rows: (await import('./translators.js')).translatorRows() }),
  },
  plots: {
    title: 'Growth of whole calls',
    note: 'Exponents between the last two sizes. Draws docs/images/growth-*.svg.',
    loadMeasured: async () => (await import('./growth-plots.js')).drawGrowthPlots,
  },
  messages: {
    title: 'Messages',
    note: 'The list of messages against the collections of the language.',
    load: async () => ({ rows: (await import('./messages.js')).messageRows }),
  },
  gateway: {
    title: 'Gateway',
    note: 'The processor time of the server.',
    load: async () => (await import('./gateway.js')).gateways(),
  },
  stores: {
    title: 'Stores',
    note: 'On disk. The processor time of this process, which includes SQLite.',
    load: async () => (await import('./stores.js')).stores(),
  },
}

const unknown = asked.filter((part) => !Object.hasOwn(parts, part))
if (unknown.length > 0)
  throw new Error(`no part '${unknown.join(', ')}'; there are: ${Object.keys(parts).join(', ')}`)

const isWritten = asked.length === 0 || words.includes('--write')
const titles = Object.values(parts).map(({ title }) => title)
const date = new Date().toISOString().slice(0, 10)

for (const [part, { title, note, load, loadMeasured }] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(part)) continue
  const described = `${note} Node ${process.version}, ${date}${load ? `, ${rounds} rounds` : ''}.`
  if (loadMeasured !== undefined) {
    printMeasuredHead(title, described)
    for await (const measured of (await loadMeasured())()) printMeasured(measured)
  }
  if (load !== undefined) {
    const { rows, close } = await load()
    printRatioHead(title, described)
    try {
      for await (const row of rows) printRatio(await measure(row, rounds))
    } finally {
      await close?.()
    }
  }
  if (isWritten) writeSection(title, takeLines(), titles)
}
