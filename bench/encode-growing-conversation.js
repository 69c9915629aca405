// @ts-check
// The cost of the next turn if everything before it was encoded already, and the cost of one encoding.
import { assistant, dialects, Messages, toolCall, toolResult, toolResults, user } from 'interlingua'
import { openaiResponses } from 'interlingua/providers'

/** @typedef {import('./messages.js').Benchmark} Benchmark */
/** @typedef {keyof typeof dialects} Name */

const words = 'The quick brown fox jumps over the lazy dog. '.repeat(10)

/**
 * One turn of an agent: the model calls a tool, gets its result and responds; then a user message follows.
 * @param {number} index
 */
function turn(index) {
  const call = toolCall({ id: `call_${index}`, name: 'search', arguments: { query: words, page: index } })
  return [
    assistant(['Let me look.', call]),
    toolResults(toolResult(call, words)),
    assistant(words),
    user(`${index} ${words}`),
  ]
}

/** @param {number} size */
function conversation(size) {
  const turns = Array.from({ length: size / 4 }, (_, index) => turn(index))
  return Messages.of(user('Hi')).append(...turns.flat())
}

/**
 * Adds ten turns and encodes each of them; one turn is too fast to be measured.
 * @param {Name} name
 * @param {number} size
 */
function growing(name, size) {
  /** @param {Messages} messages */
  const ask = (messages) => dialects[name].encodeRequestText({ model: 'm', maxOutputTokens: 1000, messages })
  let messages = conversation(size)
  ask(messages)
  ask(messages)
  let next = size
  return () => {
    for (let turns = 0; turns < 10; turns++) {
      messages = messages.append(...turn(next++))
      ask(messages)
    }
    return 0
  }
}

/**
 * @param {Name} name
 * @returns {readonly Benchmark[]}
 */
function rows(name) {
  const array = conversation(1000).toArray()
  const dialect = dialects[name]
  const request = () => ({ model: 'm', maxOutputTokens: 1000, messages: Messages.from(array) })
  return [
    {
      name: `${name}: the next turn at 10,000 messages, against 100`,
      target: 2,
      ours: growing(name, 10_000),
      plain: growing(name, 100),
    },
    {
      name: `${name}: the text of 1,000 messages once, against its body`,
      ours: () => dialect.encodeRequestText(request()).value.length,
      plain: () => JSON.stringify(dialect.encodeRequest(request()).value).length,
    },
  ]
}

/** A host that stores responses and responds at once. */
function storing() {
  let answers = 0
  const fetch = () => {
    const id = ++answers
    const content = [{ type: 'output_text', text: words, annotations: [] }]
    const item = { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content }
    const told = { object: 'response', id: `resp_${id}`, status: 'completed', model: 'm', output: [item] }
    return Promise.resolve(Response.json(told))
  }
  return openaiResponses('m', { apiKey: 'none', fetch })
}

/**
 * Ten turns of a conversation that the host has stored.
 * @param {number} size
 */
function stored(size) {
  const model = storing()
  let messages = conversation(size)
  return async () => {
    for (let turns = 0; turns < 10; turns++) {
      const { message } = await model.generate({ messages })
      messages = messages.append(message, user(words))
    }
    return 0
  }
}

export const growth = [
  .../** @type {Name[]} */ (Object.keys(dialects)).flatMap(rows),
  {
    name: 'a stored conversation: the next turn at 10,000 messages, against 100',
    target: 2,
    ours: stored(10_000),
    plain: stored(100),
  },
]
