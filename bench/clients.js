// @ts-check
// Whole calls through clients: a long conversation that is sent, and a long answer that is read.
import { dialects } from 'interlingua'
import { clients } from './drivers/drivers.js'
import { installFakeHost, sent, streamed, targets } from './drivers/fake-host.js'
import { interlingua } from './drivers/interlingua.js'
import { officialSdks } from './drivers/official-sdks.js'
import { isComplete } from './encode.js'
import { installPeers, supportsPeers } from './peers/peer-packages.js'
import { createPlainReader } from './plain-stream-reader.js'
import { createMessages, createStream } from './samples.js'

/** @typedef {import('./measure.js').Benchmark} Benchmark */
/** @typedef {import('./drivers/fake-host.js').Target} Target */
/** @typedef {import('./drivers/read-content.js').Conversation} Conversation */
/** What a driver does, with the types of its library hidden. @typedef {{ name: string, prepare: (target: Target, conversation: Conversation) => any, send: (native: any) => Promise<{ text: string }>, stream: (native: any) => Promise<string> }} Client */

const DELTAS = 1000

/** Loads the clients; this library is the first one. @returns {Promise<Client[]>} */
export async function loadClients() {
  installFakeHost()
  // An SDK warns about the age of the model at each request; printing would count as its work.
  console.warn = () => {}
  const own = { name: interlingua.name, ...(await interlingua.load()) }
  if (!supportsPeers()) return [own]
  installPeers()
  /** @type {Client[]} */
  const loaded = [own]
  for (const { name, load } of [officialSdks, ...clients]) loaded.push({ name, ...(await load()) })
  return loaded
}

/** The request that every client must answer with the same stream. @type {Conversation} */
const question = { system: '', messages: createMessages(4).slice(0, 1), tools: [] }
/** @type {Conversation} */
const long = { system: '', messages: createMessages(1000), tools: [] }

/**
 * @param {readonly Client[]} list
 * @param {(client: Client) => () => unknown} toAct
 */
function toSides(list, toAct) {
  const [own, ...others] = list
  if (own === undefined) throw new Error('no client')
  return { ours: toAct(own), peers: Object.fromEntries(others.map((client) => [client.name, toAct(client)])) }
}

/** @param {Target} target @param {readonly Client[]} list @returns {Benchmark} */
function sendRow(target, list) {
  const body = dialects[target].encodeRequest({
    model: 'm',
    maxOutputTokens: 1000,
    messages: long.messages,
  }).value
  const toAct = (/** @type {Client} */ client) => {
    const native = client.prepare(target, long)
    return async () => {
      sent.text = ''
      streamed.chunks = undefined
      return (await client.send(native)).text
    }
  }
  const name = `${target}: send 1,000 messages, against \`JSON.stringify\` of the body`
  return {
    name,
    target: 1.7,
    ...toSides(list, toAct),
    plain: () => JSON.stringify(body),
    isRight: isComplete,
  }
}

/** @param {Target} target @param {readonly Client[]} list @returns {Promise<Benchmark>} */
async function streamRow(target, list) {
  const chunks = await createStream(target, DELTAS)
  const path = {
    'openai-chat': '/chat/completions',
    'openai-responses': '/responses',
    anthropic: '/messages',
    gemini: '/',
  }
  const plain = async () => {
    streamed.chunks = chunks
    const init = { method: 'POST', body: '{"stream":true}' }
    const response = await fetch(`https://api.example.com${path[target]}?x=streamGenerateContent`, init)
    const reader = createPlainReader(target, () => {})
    for await (const chunk of response.body ?? []) reader.push(chunk)
  }
  const toAct = (/** @type {Client} */ client) => {
    const native = client.prepare(target, question)
    return () => {
      streamed.chunks = chunks
      return client.stream(native)
    }
  }
  const isRight = (/** @type {string} */ text) => text.length === DELTAS * 'word '.length
  const name = `${target}: stream an answer of 1,000 deltas, against framing and \`JSON.parse\``
  return { name, ...toSides(list, toAct), plain, isRight }
}

/** Yields two rows for each API. */
export async function* clientRows() {
  const list = await loadClients()
  for (const target of targets) {
    yield sendRow(target, list)
    yield await streamRow(target, list)
  }
}
