// @ts-check
// Encoding: a long conversation once, through a client, and the next turn of one that grows.
import { dialects, Messages, user } from 'interlingua'
import * as providers from 'interlingua/providers'
import { answer, createMessages, createTurn, dialectNames, paragraph } from './samples.js'

/** @typedef {import('./measure.js').Benchmark} Benchmark */
/** @typedef {import('interlingua').DialectName} DialectName */

const COUNT = 1000
const thousand = createMessages(COUNT)
const settings = { model: 'm', maxOutputTokens: 1000 }

/**
 * Returns a model of a dialect whose host answers at once.
 * @param {DialectName} name
 * @param {unknown} body the answer
 */
function createModel(name, body) {
  const text = JSON.stringify(body)
  /** The request that the host received last. */
  const sent = { text: '' }
  /** @type {typeof globalThis.fetch} */
  const fetch = async (_, init) => {
    sent.text =
      typeof init?.body === 'string'
        ? init.body
        : Buffer.from(/** @type {Uint8Array} */ (init?.body)).toString()
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  }
  const options = { apiKey: 'none', fetch }
  const model = {
    'openai-chat': () => providers.openaiChat('m', options),
    'openai-responses': () => providers.openaiResponses('m', options),
    anthropic: () => providers.anthropic('m', options),
    gemini: () => providers.gemini('m', options),
    'gemini-interactions': () => providers.geminiInteractions('m', options),
    ollama: () => providers.ollama('m', options),
    mistral: () => providers.mistral('m', options),
    cohere: () => providers.cohere('m', options),
    bedrock: () => providers.bedrock('m', { ...options, baseUrl: 'https://bedrock.example.com' }),
  }[name]()
  return { model, sent }
}

/**
 * Whether a body contains all texts, calls and results of the long conversation.
 * @param {string} text
 */
export function isComplete(text) {
  const body = JSON.stringify(JSON.parse(text))
  const count = (/** @type {string} */ part) => body.split(part).length - 1
  // Two texts, one argument and one result for each turn.
  return count(paragraph) === COUNT && count('Let me look.') === COUNT / 4
}

/** No conversation of a benchmark grows by more turns than this. */
const MAX_TURNS = 10

/**
 * Adds a turn to one of several conversations that were sent already, and sends it.
 * @param {number} size
 * @param {(messages: Messages, index: number) => Messages | Promise<Messages>} sendTurn returns the longer conversation
 */
function nextTurns(size, sendTurn) {
  const list = createMessages(size)
  // Long conversations are few, and may grow by the same share.
  const turns = Math.max(MAX_TURNS, size / 40)
  /** @type {Messages[]} */
  let conversations = []
  let calls = 0
  const act = async () => {
    const index = Math.floor(calls++ / turns)
    const messages = conversations[index]
    if (messages === undefined) throw new Error('more turns than prepared')
    conversations[index] = await sendTurn(messages, calls)
    return true
  }
  return Object.assign(act, {
    /** @param {number} count */
    setup: async (count) => {
      calls = 0
      conversations = []
      while (conversations.length < Math.ceil(count / turns)) {
        const sent = await sendTurn(Messages.from(list), -2)
        conversations.push(await sendTurn(sent, -1))
      }
    },
  })
}

/** @param {DialectName} name */
function encodeTurns(name) {
  const dialect = dialects[name]
  return (/** @type {Messages} */ messages, /** @type {number} */ index) => {
    const longer = messages.append(...createTurn(index))
    dialect.encodeRequestText({ ...settings, messages: longer })
    return longer
  }
}

/** Sends the turns of a conversation that the host of Responses stores. */
function sendStoredTurns() {
  const content = [{ type: 'output_text', text: paragraph, annotations: [] }]
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }
  const stored = { object: 'response', id: 'resp_1', status: 'completed', model: 'm', output: [item] }
  const { model } = createModel('openai-responses', stored)
  return async (/** @type {Messages} */ messages) => {
    const { message } = await model.generate({ messages })
    return messages.append(message, user(paragraph))
  }
}

/**
 * @param {DialectName} name
 * @returns {Benchmark[]}
 */
function rowsOf(name) {
  const dialect = dialects[name]
  const coldRequest = () => ({ ...settings, messages: Messages.from(thousand) })
  const body = dialect.encodeRequest(coldRequest()).value
  const { model, sent } = createModel(name, dialect.encodeResponse(answer).value)
  return [
    {
      name: `${name}: encode 1,000 messages cold, to text`,
      target: 1.5,
      ours: () => dialect.encodeRequestText(coldRequest()).value,
      plain: () => JSON.stringify(body),
      isRight: isComplete,
    },
    {
      name: `${name}: \`model.generate\` with an array of 1,000 messages`,
      target: 1.7,
      ours: async () => {
        await model.generate({ messages: thousand, maxOutputTokens: 1000 })
        return sent.text
      },
      plain: () => JSON.stringify(body),
      isRight: isComplete,
    },
    {
      name: `${name}: the next turn at 10,000 messages, against 10`,
      target: 2,
      ours: nextTurns(10_000, encodeTurns(name)),
      plain: nextTurns(10, encodeTurns(name)),
    },
  ]
}

/** Yields the rows of each dialect; those of the next one are prepared when they are measured. */
export function* encodeRows() {
  for (const name of dialectNames) yield* rowsOf(name)
  yield {
    name: 'openai-responses: the next turn at 10,000 stored messages, against 10',
    target: 2,
    ours: nextTurns(10_000, sendStoredTurns()),
    plain: nextTurns(10, sendStoredTurns()),
  }
}
