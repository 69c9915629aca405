// @ts-check
// `npm run bench [-- <part>…] [--rounds=9] [--this-node]`: measures the parts, prints their tables, and writes bench/RESULTS.md
// if all parts ran or with `--write`. It runs on a Node version that the peers support, unless `--this-node` is given. Never fails.
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { measure } from './measure.js'
import { runOnPeerNode } from './peers/peer-packages.js'
import {
  lines,
  print,
  printMeasured,
  printMeasuredHead,
  printRatio,
  printRatioHead,
  printTally,
} from './report.js'

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
    note: 'Against `JSON.parse`, and `JSON.stringify` where the result is text. An agent’s request has about 90 KiB.',
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

print(`# Results of \`npm run bench\`

Node ${process.version} on ${cpus()[0]?.model ?? 'an unknown processor'}, ${cpus().length} cores, ${rounds} rounds. All times are
processor time. A ratio is the median of the rounds compared with that of the plain side; the middle half of the rounds shows the noise.`)

for (const [part, { title, note, load, loadMeasured }] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(part)) continue
  if (loadMeasured !== undefined) {
    printMeasuredHead(title, note)
    for await (const measured of (await loadMeasured())()) printMeasured(measured)
  }
  if (load === undefined) continue
  const { rows, close } = await load()
  printRatioHead(title, note)
  try {
    for await (const row of rows) printRatio(await measure(row, rounds))
  } finally {
    await close?.()
  }
}
printTally()

const isWanted = asked.length === 0 || words.includes('--write')
if (isWanted) writeFileSync(fileURLToPath(new URL('RESULTS.md', import.meta.url)), `${lines.join('\n')}\n`)
