// @ts-check
// The cost of translation compared with the unavoidable work: serializing the body, parsing the payloads of a stream.
import { assistant, dialects, toEvents, Messages, toolCall, toolResult, toolResults, user } from 'interlingua'
import { createPlainReader } from './plain-stream-reader.js'

/** @typedef {import('./messages.js').Benchmark} Benchmark */
/** @typedef {import('interlingua').DialectName} DialectName */

const long = 'The quick brown fox jumps over the lazy dog. '.repeat(10)

/**
 * An agent's conversation with tools, four messages per turn.
 * @param {number} turns
 */
function conversation(turns) {
  const messages = Messages.from(
    Array.from({ length: turns }, (_, index) => {
      const call = toolCall({ id: `call_${index}`, name: 'search', arguments: { query: long, page: index } })
      return [
        user(`${index} ${long}`),
        assistant(['Let me look.', call]),
        toolResults(toolResult(call, long)),
        assistant(long),
      ]
    }).flat(),
  )
  return { model: 'm', maxOutputTokens: 1000, messages }
}

const request = conversation(250)
const longer = conversation(1000)

/**
 * @param {DialectName} name
 * @returns {readonly Benchmark[]}
 */
function bodies(name) {
  const dialect = dialects[name]
  const body = JSON.parse(JSON.stringify(dialect.encodeRequest(request).value))
  const count = [...dialect.decodeRequest(body).value.messages].length
  const longerBody = JSON.parse(JSON.stringify(dialect.encodeRequest(longer).value))
  return [
    {
      name: `${name}: encode 1,000 messages, against JSON.stringify`,
      target: 1.5,
      ours: () => Object.keys(dialect.encodeRequest(request).value).length,
      plain: () => (JSON.stringify(body).length > 0 ? Object.keys(body).length : 0),
    },
    {
      name: `${name}: decode with residue, against encode`,
      target: 3,
      ours: () => [...dialect.decodeRequest(body).value.messages].length,
      plain: () => (Object.keys(dialect.encodeRequest(request).value).length > 0 ? count : 0),
    },
    {
      name: `${name}: encode 4,000 messages, against 1,000`,
      target: 4,
      ours: () => Object.keys(dialect.encodeRequest(longer).value).length,
      plain: () => Object.keys(dialect.encodeRequest(request).value).length,
    },
    {
      name: `${name}: decode 4,000 messages, against 1,000`,
      target: 4,
      ours: () => Object.keys(dialect.decodeRequest(longerBody).value).length,
      plain: () => Object.keys(dialect.decodeRequest(body).value).length,
    },
  ]
}

/**
 * Returns the bytes of a response that was streamed in a number of deltas.
 * @param {DialectName} name
 * @param {number} length
 */
async function streamed(name, length) {
  const answer = { id: 'r', model: 'm', candidates: [assistant('x', { finish: { reason: 'stop' } })] }
  const [start, open, , ...rest] = toEvents(answer)
  const deltas = Array.from(
    { length },
    () => /** @type {const} */ ({ type: 'text-delta', index: 0, text: 'word ' }),
  )
  const events = [start, open, ...deltas, ...rest].filter((event) => event !== undefined)
  /** @type {Uint8Array[]} */
  const pieces = []
  for await (const bytes of dialects[name].encodeStream(events)) pieces.push(bytes)
  return Buffer.concat(pieces)
}

/**
 * Splits bytes into chunks like a network.
 * @param {Buffer} bytes
 */
async function* arriving(bytes) {
  for (let at = 0; at < bytes.length; at += 16_384) yield bytes.subarray(at, at + 16_384)
}

/**
 * Parses every payload of a stream without decoding it, and counts those with text.
 * @param {DialectName} name
 * @param {Buffer} bytes
 */
async function parsed(name, bytes) {
  let text = 0
  const reader = createPlainReader(name, (_, data) => {
    if (data.includes('"word "')) text++
  })
  for await (const piece of arriving(bytes)) reader.push(piece)
  return text
}

/**
 * @param {DialectName} name
 * @returns {Promise<readonly Benchmark[]>}
 */
async function streams(name) {
  const bytes = await streamed(name, 20_000)
  const fewer = await streamed(name, 5000)
  /** @param {boolean} exact */
  const decode = async (exact, source = bytes) => {
    let text = 0
    for await (const event of dialects[name].decodeStream(arriving(source), { exact }))
      if (event.type === 'text-delta' && event.text === 'word ') text++
    return text
  }
  const plain = () => parsed(name, bytes)
  return [
    {
      name: `${name}: lean stream decode, against parsing alone`,
      target: 1.5,
      ours: () => decode(false),
      plain,
    },
    {
      name: `${name}: exact stream decode, against parsing alone`,
      target: 4,
      ours: () => decode(true),
      plain,
    },
    {
      name: `${name}: exact decode of 20,000 deltas, against 5,000`,
      target: 4,
      ours: async () => (await decode(true)) / 4,
      plain: () => decode(true, fewer),
    },
  ]
}

const names = /** @type {readonly DialectName[]} */ (Object.keys(dialects))

export const translating = [...names.flatMap(bodies), ...(await Promise.all(names.map(streams))).flat()]
