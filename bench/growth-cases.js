// @ts-check
// Work whose cost may only grow as its size does. Each case prepares a size, and returns what is measured.
import {
  assistant,
  dialects,
  Messages,
  repair,
  system,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { createTools, dialectNames, receive } from './samples.js'

/** @typedef {import('interlingua').DialectName} DialectName */
/** @typedef {import('interlingua').Message} Message */
/** @typedef {{ name: string, sizes: [small: number, large: number], prepare: (size: number) => () => unknown }} GrowthCase */

const words = 'The quick brown fox. '
const settings = { model: 'm', maxOutputTokens: 9 }

/**
 * Encodes a conversation once.
 * @param {DialectName} name
 * @param {readonly Message[]} list
 */
const encodeOnce = (name, list) => () =>
  dialects[name].encodeRequestText({ ...settings, messages: Messages.from(list) })

/**
 * Adds 20 messages to an encoded conversation and encodes each time.
 * @param {DialectName} name
 * @param {number} size
 * @param {(index: number) => Message} create
 */
function prepareNextTurns(name, size, create) {
  let messages = Messages.from(Array.from({ length: size }, (_, index) => create(index)))
  const encode = () => dialects[name].encodeRequestText({ ...settings, messages })
  encode()
  encode()
  let next = size
  return () => {
    for (let count = 0; count < 20; count++) {
      messages = messages.append(create(next++))
      encode()
    }
  }
}

/** Decodes an answer of Gemini with citations. @param {number} size */
export function prepareCitations(size) {
  const texts = Array.from({ length: size }, (_, index) => `Sentence ${index}. `)
  let end = 0
  const groundingSupports = texts.map((text) => {
    const startIndex = end
    end += text.length
    return { segment: { startIndex, endIndex: end, text }, groundingChunkIndices: [0] }
  })
  const groundingMetadata = {
    groundingChunks: [{ web: { uri: 'https://example.com', title: 'A page' } }],
    groundingSupports,
  }
  const content = { role: 'model', parts: [{ text: texts.join('') }] }
  const body = { candidates: [{ content, finishReason: 'STOP', groundingMetadata }], modelVersion: 'm' }
  const limits = { maxCitations: size }
  return () => dialects.gemini.decodeResponse(body, { limits })
}

/** Encodes calls that were answered in reverse order. @param {DialectName} name @param {number} size */
export function prepareCalls(name, size) {
  const calls = Array.from({ length: size }, (_, page) =>
    toolCall({ id: `call_${page}`, name: 'search', arguments: { page } }),
  )
  const results = calls.toReversed().map((call) => toolResult(call, words))
  return encodeOnce(name, [user(words), assistant(calls), toolResults(results)])
}

/** Encodes messages of which every second one causes a loss. @param {DialectName} name @param {number} size */
export const prepareLosses = (name, size) =>
  encodeOnce(
    name,
    Array.from({ length: size }, (_, index) => createLossy(index)),
  )

/** Decodes a request with tools. @param {DialectName} name @param {number} size */
export function prepareTools(name, size) {
  const request = { ...settings, tools: createTools(size), messages: [user(words)] }
  const text = dialects[name].encodeRequestText(request).value
  const limits = { maxTools: size }
  return () => dialects[name].decodeRequest(JSON.parse(text), { limits })
}

/** @param {number} index */
const createLossy = (index) => (index % 2 === 0 ? user(words, { name: 'bob' }) : assistant(words))

/** @param {number} index */
const createAlternating = (index) => (index % 2 === 0 ? user(words) : assistant(words))

/** Repairs messages each of which is wrong. @param {number} size */
function prepareRepair(size) {
  const round = [
    assistant(toolCall({ id: 'call', name: 'x' }), { id: 'm' }),
    user('Hello', { id: 'm' }),
    toolResults(toolResult('call', 'late'), { id: 'm' }),
  ]
  const list = Array.from({ length: size / 3 }, () => round).flat()
  return () => repair(list)
}

/** Decodes a stream of Chat Completions with a call whose arguments grow. @param {number} size the number of deltas */
function prepareArguments(size) {
  const encoder = new TextEncoder()
  const toChunk = (/** @type {object} */ delta) =>
    encoder.encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`)
  const start = { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{' } }] }
  const chunks = Array.from({ length: size }, (_, index) =>
    toChunk({ tool_calls: [{ index: 0, function: { arguments: `"key ${index}":[${index},"x"],` } }] }),
  )
  const all = [toChunk(start), ...chunks]
  return async () => {
    let seen = 0
    for await (const event of dialects['openai-chat'].decodeStream(receive(all), { exact: false }))
      if (event.type === 'arguments-delta' && event.value !== undefined) seen++
    return seen
  }
}

/** @param {DialectName} name @returns {GrowthCase[]} */
const casesOf = (name) => [
  {
    name: `${name}: calls answered in reverse order`,
    sizes: [1000, 8000],
    prepare: (size) => prepareCalls(name, size),
  },
  {
    name: `${name}: a role that continues`,
    sizes: [4000, 32_000],
    prepare: (size) =>
      encodeOnce(
        name,
        Array.from({ length: size }, () => user(words)),
      ),
  },
  {
    name: `${name}: ends on an assistant turn`,
    sizes: [2501, 20_001],
    prepare: (size) =>
      encodeOnce(name, [
        system(words),
        ...Array.from({ length: size }, (_, index) => createAlternating(index + 1)),
      ]),
  },
  {
    name: `${name}: next turn, alternating roles`,
    sizes: [2500, 20_000],
    prepare: (size) => prepareNextTurns(name, size, createAlternating),
  },
  {
    name: `${name}: next turn, one role only`,
    sizes: [2500, 20_000],
    prepare: (size) => prepareNextTurns(name, size, () => user(words)),
  },
  {
    name: `${name}: next turn, a loss per message`,
    sizes: [2500, 20_000],
    prepare: (size) => prepareNextTurns(name, size, createLossy),
  },
  { name: `${name}: decode tools`, sizes: [125, 1000], prepare: (size) => prepareTools(name, size) },
]

/** @type {readonly GrowthCase[]} */
export const growthCases = [
  { name: 'gemini: decode an answer with citations', sizes: [400, 3200], prepare: prepareCitations },
  { name: 'repair: messages each of which is wrong', sizes: [3000, 24_000], prepare: prepareRepair },
  { name: 'openai-chat: stream of growing arguments', sizes: [2500, 20_000], prepare: prepareArguments },
  ...dialectNames.flatMap(casesOf),
]
