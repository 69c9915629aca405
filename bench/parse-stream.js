// @ts-check
// The cost of reading a stream: events compared with eventsource-parser, and growing tool arguments.
import { createParser } from 'eventsource-parser'
import { dialects } from 'interlingua'
import { loadSource } from '../scripts/load-source.js'

/** @type {typeof import('../src/wire/sse.ts')} */
const { createSseParser } = await loadSource('wire/sse.ts')
/** @type {typeof import('../src/wire/partial-json.ts')} */
const { createPartialJsonParser } = await loadSource('wire/partial-json.ts')

const EVENTS = 20_000
const CHUNK = 1400

const text = Array.from({ length: EVENTS }, (_, index) => {
  const delta = { content: `word ${index} – ` }
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] }
  return `data: ${JSON.stringify(chunk)}\n\n`
}).join('')
const named = text.replaceAll('data:', 'event: content_block_delta\ndata:')

/** @param {string} whole */
function inTexts(whole) {
  return Array.from({ length: Math.ceil(whole.length / CHUNK) }, (_, index) =>
    // A network yields new strings, not slices of one.
    structuredClone(whole.slice(index * CHUNK, (index + 1) * CHUNK)),
  )
}

/** @param {string} whole */
function inBytes(whole) {
  const bytes = new TextEncoder().encode(whole)
  return Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, index) =>
    bytes.slice(index * CHUNK, (index + 1) * CHUNK),
  )
}

/** @param {readonly (string | Uint8Array)[]} chunks */
function ours(chunks) {
  let length = 0
  const parser = createSseParser(({ data }) => (length += data.length))
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
  return length
}

/** @param {readonly (string | Uint8Array)[]} chunks */
function theirs(chunks) {
  let length = 0
  const decoder = new TextDecoder()
  const parser = createParser({ onEvent: ({ data }) => (length += data.length) })
  for (const chunk of chunks) {
    parser.feed(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))
  }
  return length
}

/** @type {readonly [string, readonly (string | Uint8Array)[]][]} */
const streams = [
  ['text', inTexts(text)],
  ['text, named', inTexts(named)],
  ['bytes', inBytes(text)],
]

const PUSHES = 20_000
const TENTH = PUSHES / 10
const PIECE = Math.ceil(2 ** 20 / PUSHES)
/** One long string, and many short members: the two ways in which arguments grow. @type {Record<string, string>} */
const growing = {
  'one string': `{"code":"${'const x = 1;\\n'.repeat(2 ** 20)}`,
  members: `{${Array.from({ length: 100_000 }, (_, index) => `"key ${index}":[${index},"x"]`).join(',')}`,
}

/**
 * Returns a reader that has parsed some tenths of the arguments, reading its value after each chunk.
 * @param {ReturnType<typeof createPartialJsonParser>} partial
 * @param {string} arguments_
 * @param {number} first
 * @param {number} last
 */
function grow(partial, arguments_, first, last) {
  let seen = 0
  for (let push = first * TENTH; push < last * TENTH; push++) {
    partial.push(arguments_.slice(push * PIECE, (push + 1) * PIECE))
    if (partial.value !== undefined) seen++
  }
  return seen
}

/** @param {string} arguments_ */
function nineTenths(arguments_) {
  const partial = createPartialJsonParser()
  grow(partial, arguments_, 0, 9)
  return partial
}

/** @typedef {'openai-chat' | 'openai-responses' | 'anthropic'} TextArgumentsDialect streams arguments as text */

/**
 * The payloads of a call with these arguments, one for each chunk.
 * @type {{ readonly [name in TextArgumentsDialect]: { start: object, piece: (json: string) => object } }}
 */
const calls = {
  'openai-chat': {
    start: {
      choices: [
        { index: 0, delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] } },
      ],
    },
    piece: (json) => ({
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: json } }] } }],
    }),
  },
  'openai-responses': {
    start: {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'function_call', id: 'i', call_id: 'c', name: 'f', arguments: '' },
    },
    piece: (json) => ({
      type: 'response.function_call_arguments.delta',
      item_id: 'i',
      output_index: 0,
      delta: json,
    }),
  },
  anthropic: {
    start: {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'c', name: 'f', input: {} },
    },
    piece: (json) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: json },
    }),
  },
}

/**
 * Yields the events of a call whose arguments arrive in chunks.
 * @param {TextArgumentsDialect} name
 * @param {string} arguments_
 */
function decoded(name, arguments_) {
  const { start, piece } = calls[name]
  async function* source() {
    yield `data: ${JSON.stringify(start)}\n\n`
    for (let push = 0; push < PUSHES; push++)
      yield `data: ${JSON.stringify(piece(arguments_.slice(push * PIECE, (push + 1) * PIECE)))}\n\n`
  }
  return dialects[name].decodeStream(source(), { exact: false })[Symbol.asyncIterator]()
}

/**
 * Consumes some tenths of the deltas, reading the partial arguments after each.
 * @param {ReturnType<typeof decoded>} events
 * @param {number} tenths
 */
async function take(events, tenths) {
  let seen = 0
  while (seen < tenths * TENTH) {
    const { done, value } = await events.next()
    if (done) break
    if (value.type === 'arguments-delta' && value.value !== undefined) seen++
  }
  return seen
}

/**
 * @param {TextArgumentsDialect} name
 * @param {string} kind
 * @param {string} arguments_
 */
async function throughStream(name, kind, arguments_) {
  /** @type {ReturnType<typeof decoded>[]} */
  const ready = []
  for (let round = 0; round < 20; round++) {
    const events = decoded(name, arguments_)
    await take(events, 9)
    ready.push(events)
  }
  return {
    name: `${name}: 1 MiB of arguments (${kind}) in ${PUSHES.toLocaleString('en')} deltas, last tenth against first`,
    target: 2,
    ours: () => take(ready.pop() ?? decoded(name, arguments_), 1),
    plain: () => take(decoded(name, arguments_), 1),
  }
}

/** @type {import('./messages.js').Benchmark[]} */
const through = []
for (const name of /** @type {readonly TextArgumentsDialect[]} */ (Object.keys(calls)))
  for (const [kind, arguments_] of Object.entries(growing))
    through.push(await throughStream(name, kind, arguments_))

/** @type {readonly import('./messages.js').Benchmark[]} */
export const streaming = [
  ...through,
  ...streams.map(([kind, chunks]) => ({
    name: `SSE, ${EVENTS.toLocaleString('en')} events in ${kind}, against eventsource-parser`,
    ours: () => ours(chunks),
    plain: () => theirs(chunks),
  })),
  ...Object.entries(growing).map(([kind, arguments_]) => {
    // Created before the measurement; each can be used once.
    const ready = Array.from({ length: 24 }, () => nineTenths(arguments_))
    return {
      name: `1 MiB of arguments (${kind}), last tenth against first`,
      target: 2,
      ours: () => grow(ready.pop() ?? nineTenths(arguments_), arguments_, 9, 10),
      plain: () => grow(createPartialJsonParser(), arguments_, 0, 1),
    }
  }),
]
