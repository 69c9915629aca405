// @ts-check
// Cost against the length of a conversation, of a stream and of the list of tools, for this library and other clients. Writes
// docs/images/growth-*.svg.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dialects, Messages } from 'interlingua'
import { loadClients } from './clients.js'
import { streamed } from './drivers/fake-host.js'
import { timeWork } from './growth.js'
import { drawPlot } from './plot.js'
import { createMessages, createStream, createTools, createTurn } from './samples.js'

/** @typedef {import('./clients.js').Client} Client */
/** @typedef {import('./plot.js').Line} Line */

const images = new URL('../docs/images/', import.meta.url)
const MAX_EXPONENT = 1.1
const target = 'anthropic'

/** Sends a conversation. @param {Client} client @param {number} size */
function sendMessages(client, size) {
  const native = client.prepare(target, { system: '', messages: createMessages(size), tools: [] })
  return () => client.send(native)
}

/** Sends a question with tools. @param {Client} client @param {number} size */
function sendTools(client, size) {
  const messages = createMessages(4).slice(0, 1)
  const native = client.prepare(target, { system: '', messages, tools: createTools(size) })
  return () => client.send(native)
}

/** Reads a streamed answer. @param {Client} client @param {number} size */
async function readStream(client, size) {
  const native = client.prepare(target, { system: '', messages: createMessages(4).slice(0, 1), tools: [] })
  const chunks = await createStream(target, size)
  return () => {
    streamed.chunks = chunks
    return client.stream(native)
  }
}

/** Encodes one more turn of a conversation that was encoded before. @param {number} size */
function encodeNextTurn(size) {
  const encode = (/** @type {Messages} */ messages) =>
    dialects[target].encodeRequestText({ model: 'm', maxOutputTokens: 1000, messages })
  let messages = Messages.from(createMessages(size))
  encode(messages)
  let next = size
  return () => {
    messages = messages.append(...createTurn(next++))
    return encode(messages)
  }
}

/** @type {readonly { file: string, title: string, xLabel: string, sizes: readonly number[], prepare: (client: Client, size: number) => (() => unknown) | Promise<() => unknown>, own?: { name: string, prepare: (size: number) => () => unknown } }[]} */
const plots = [
  {
    file: 'growth-conversation',
    title: 'Sending a conversation',
    xLabel: 'messages',
    sizes: [10, 100, 1000, 10_000],
    prepare: sendMessages,
    own: { name: 'next turn', prepare: encodeNextTurn },
  },
  {
    file: 'growth-stream',
    title: 'Reading a streamed answer',
    xLabel: 'deltas',
    sizes: [100, 1000, 10_000],
    prepare: readStream,
  },
  {
    file: 'growth-tools',
    title: 'Sending tools',
    xLabel: 'tools',
    sizes: [1, 10, 100, 1000],
    prepare: sendTools,
  },
]

/**
 * Measures one line, and returns it with its exponent between the last two sizes.
 * @param {string} name
 * @param {readonly number[]} sizes
 * @param {(size: number) => (() => unknown) | Promise<() => unknown>} prepare
 */
async function measureLine(name, sizes, prepare) {
  /** @type {[number, number][]} */
  const points = []
  for (const size of sizes) {
    streamed.chunks = undefined
    points.push([size, await timeWork(await prepare(size))])
  }
  const [[x1, y1] = [1, 1], [x2, y2] = [1, 1]] = points.slice(-2)
  return { line: { name, points }, exponent: Math.log(y2 / y1) / Math.log(x2 / x1) }
}

/**
 * Draws the plots, and yields the exponents of each.
 * @returns {AsyncGenerator<import('./report.js').Measured>}
 */
export async function* drawGrowthPlots() {
  mkdirSync(images, { recursive: true })
  const clients = await loadClients()
  for (const { file, title, xLabel, sizes, prepare, own } of plots) {
    const measured = []
    for (const client of clients)
      measured.push(await measureLine(client.name, sizes, (size) => prepare(client, size)))
    if (own !== undefined) measured.push(await measureLine(`interlingua, ${own.name}`, sizes, own.prepare))
    const lines = measured.map(({ line }) => line)
    const plot = { title, xLabel, yLabel: 'processor time in ms', lines }
    writeFileSync(new URL(`${file}.svg`, images), drawPlot(plot))
    const [first, ...others] = measured
    const exponent = first?.exponent ?? 0
    const peers = others.map(({ line, exponent: other }) => `${line.name} ${other.toFixed(2)}`).join(', ')
    const range = sizes
      .slice(-2)
      .map((size) => size.toLocaleString('en'))
      .join(' to ')
    yield {
      name: `${title}, ${range} ${xLabel}`,
      value: exponent.toFixed(2),
      target: String(MAX_EXPONENT),
      isMet: exponent <= MAX_EXPONENT,
      peers,
    }
  }
}
