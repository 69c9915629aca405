// @ts-check
// Reading and translating streams, made and recorded, compared with their framing and `JSON.parse` alone.
import { dialects, translateStream } from 'interlingua'
import { createPlainReader } from './plain-stream-reader.js'
import { readRecordedStreams } from './recordings.js'
import { createStream, dialectNames, receive } from './samples.js'

/** @typedef {import('./measure.js').Benchmark} Benchmark */
/** @typedef {import('interlingua').DialectName} DialectName */
/** @typedef {readonly (readonly Uint8Array[])[]} Streams the chunks of each stream, one event each */

const DELTAS = 1000

/**
 * Reads all events of some streams, and returns how many characters of text they contain.
 * @param {DialectName} name
 * @param {Streams} streams
 * @param {boolean} exact
 */
async function decode(name, streams, exact) {
  let length = 0
  for (const chunks of streams)
    for await (const event of dialects[name].decodeStream(receive(chunks), { exact }))
      if (event.type === 'text-delta') length += event.text.length
  return length
}

/**
 * @param {DialectName} from
 * @param {DialectName} to
 * @param {Streams} streams
 * @param {boolean} exact
 */
async function translate(from, to, streams, exact) {
  /** @type {Uint8Array[]} */
  const written = []
  for (const chunks of streams)
    for await (const bytes of translateStream(receive(chunks), { from, to, exact })) written.push(bytes)
  return written
}

/**
 * @param {'lines' | DialectName} framing
 * @param {Streams} streams
 */
async function readPlain(framing, streams) {
  let payloads = 0
  for (const chunks of streams) {
    const reader = createPlainReader(framing === 'lines' ? 'ollama' : framing, () => payloads++)
    for await (const chunk of receive(chunks)) reader.push(chunk)
  }
  return payloads
}

/**
 * @param {DialectName} name
 * @param {string} label
 * @param {Streams} streams
 * @param {number} length the characters of text in the streams
 * @param {'lines' | DialectName} [framing]
 * @returns {Benchmark[]}
 */
function rowsOf(name, label, streams, length, framing = name) {
  const to = name === 'anthropic' ? 'openai-chat' : 'anthropic'
  const plain = () => readPlain(framing, streams)
  const isRead = (/** @type {number} */ characters) => characters === length
  const isWritten = (/** @type {Uint8Array[]} */ bytes) => Buffer.concat(bytes).length > length
  return [
    {
      name: `${name}: lean decode${label}`,
      target: 1.5,
      ours: () => decode(name, streams, false),
      plain,
      isRight: isRead,
    },
    {
      name: `${name}: exact decode${label}`,
      target: 3,
      ours: () => decode(name, streams, true),
      plain,
      isRight: isRead,
    },
    {
      name: `${name}: \`translateStream\` to ${to}${label}`,
      target: 3,
      ours: () => translate(name, to, streams, true),
      plain,
      isRight: isWritten,
    },
    {
      name: `${name}: \`translateStream\` to ${to}, lean${label}`,
      target: 2,
      ours: () => translate(name, to, streams, false),
      plain,
      isRight: isWritten,
    },
  ]
}

/** Yields the rows of each dialect. */
export async function* streamRows() {
  for (const name of dialectNames)
    yield* rowsOf(name, '', [await createStream(name, DELTAS)], DELTAS * 'word '.length)
  for (const name of dialectNames) {
    const { streams, framing } = readRecordedStreams(name)
    if (streams.length === 0) continue
    const label = `, ${streams.length} recorded streams`
    yield* rowsOf(name, label, streams, await decode(name, streams, true), framing)
  }
}
