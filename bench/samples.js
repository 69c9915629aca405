// @ts-check
// The conversations, tools, answers and streams that the benchmarks work on.
import { assistant, dialects, Messages, toEvents, toolCall, toolResult, toolResults, user } from 'interlingua'

/** @typedef {import('interlingua').DialectName} DialectName */

export const dialectNames = /** @type {readonly DialectName[]} */ (Object.keys(dialects))

export const paragraph = 'The quick brown fox jumps over the lazy dog. '.repeat(10).trim()

/**
 * One turn of an agent, four messages: the model calls a tool, gets the result and answers, and the user asks again.
 * @param {number} index
 */
export function createTurn(index) {
  const call = toolCall({
    id: `call_${index}`,
    name: `tool_${index % 20}`,
    arguments: { query: paragraph, page: index },
  })
  return [
    assistant(['Let me look.', call]),
    toolResults(toolResult(call, paragraph)),
    assistant(paragraph),
    user(`${index} ${paragraph}`),
  ]
}

/**
 * Returns a first message of the user and turns.
 * @param {number} count the number of messages in the turns
 */
export const createMessages = (count) => [
  user('Hi'),
  ...Array.from({ length: Math.ceil(count / 4) }, (_, index) => createTurn(index)).flat(),
]

/** @param {number} count */
export const createTools = (count) =>
  Array.from({ length: count }, (_, index) => ({
    type: /** @type {const} */ ('function'),
    name: `tool_${index}`,
    description: paragraph,
    input: {
      type: 'object',
      properties: Object.fromEntries(
        ['a', 'b', 'c'].map((key) => [
          key,
          { type: 'string', description: `Parameter ${key} of tool ${index}` },
        ]),
      ),
      required: ['a', 'b'],
    },
  }))

/** A request of 66 to 69 KiB: 101 messages and 20 tools. */
export const agentRequest = {
  model: 'm',
  maxOutputTokens: 1000,
  tools: createTools(20),
  messages: Messages.from(createMessages(100)),
}

/** A request with one message and one setting, as a chat sends it first. */
export const smallRequest = {
  model: 'm',
  maxOutputTokens: 100,
  messages: [user('What is the capital of France?')],
}

/** An answer of about 3 KiB: text, one call and usage. */
export const answer = {
  id: 'r',
  model: 'm',
  candidates: [
    assistant([paragraph.repeat(7), toolCall({ id: 'call_1', name: 'tool_1', arguments: { page: 1 } })], {
      finish: { reason: 'tool-calls' },
      usage: { inputTokens: 10, outputTokens: 20, totalTokens: 30 },
    }),
  ],
}

/**
 * Returns the chunks of a streamed answer, one event each: a number of deltas with the same text.
 * @param {DialectName} name
 * @param {number} count
 * @param {string} [text]
 */
export async function createStream(name, count, text = 'word ') {
  const whole = { id: 'r', model: 'm', candidates: [assistant('x', { finish: { reason: 'stop' } })] }
  const [start, open, , ...rest] = toEvents(whole)
  const delta = /** @type {const} */ ({ type: 'text-delta', index: 0, text })
  const events = [start, open, ...Array.from({ length: count }, () => delta), ...rest]
  /** @type {Uint8Array[]} */
  const chunks = []
  const present = events.filter((event) => event !== undefined)
  for await (const chunk of dialects[name].encodeStream(present)) chunks.push(chunk)
  return chunks
}

/**
 * Yields chunks like a network connection.
 * @param {readonly Uint8Array[]} chunks
 */
export async function* receive(chunks) {
  for (const chunk of chunks) yield chunk
}
