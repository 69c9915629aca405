// @ts-check
// How cost grows with size: the exponent is 1 if twice the size costs twice as much, and 0 if the size does not matter.
import { assistant, dialects, Messages, toolCall, toolResult, toolResults, user } from 'interlingua'

/** @typedef {import('interlingua').DialectName} DialectName */
/** @typedef {import('interlingua').Message} Message */
/** @typedef {{ name: string, sizes: [small: number, large: number], prepare: (size: number) => () => unknown }} GrowthCase */

const words = 'The quick brown fox. '

/**
 * Adds 20 messages to an encoded conversation and encodes each time.
 * @param {DialectName} name
 * @param {number} size
 * @param {(index: number) => Message} create
 */
function prepareNextTurns(name, size, create) {
  let messages = Messages.from(Array.from({ length: size }, (_, index) => create(index)))
  const encode = () => dialects[name].encodeRequestText({ model: 'm', maxOutputTokens: 9, messages })
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

/** @param {number} size */
function groundedBody(size) {
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
  return { candidates: [{ content, finishReason: 'STOP', groundingMetadata }], modelVersion: 'm' }
}

/** @param {number} size */
function reversedResults(size) {
  const calls = Array.from({ length: size }, (_, page) =>
    toolCall({ id: `call_${page}`, name: 'search', arguments: { page } }),
  )
  const results = calls.toReversed().map((call) => toolResult(call, words))
  return [user(words), assistant(calls), toolResults(results)]
}

/** @type {DialectName[]} */
const names = /** @type {any} */ (Object.keys(dialects))

/** @type {readonly GrowthCase[]} */
export const growthCases = [
  {
    name: 'gemini: decode a response with citations',
    sizes: [400, 1600],
    prepare: (size) => {
      const body = groundedBody(size)
      return () => dialects.gemini.decodeResponse(body)
    },
  },
  ...names.flatMap((name) => [
    {
      name: `${name}: calls answered in reverse order`,
      sizes: /** @type {[number, number]} */ ([2000, 8000]),
      prepare: (/** @type {number} */ size) => {
        const list = reversedResults(size)
        return () =>
          dialects[name].encodeRequest({
            model: 'm',
            maxOutputTokens: 9,
            messages: Messages.from(list),
          })
      },
    },
    {
      name: `${name}: next turn, alternating roles`,
      sizes: /** @type {[number, number]} */ ([2500, 20_000]),
      prepare: (/** @type {number} */ size) =>
        prepareNextTurns(name, size, (index) => (index % 2 === 0 ? user(words) : assistant(words))),
    },
    {
      name: `${name}: next turn, one role only`,
      sizes: /** @type {[number, number]} */ ([2500, 20_000]),
      prepare: (/** @type {number} */ size) => prepareNextTurns(name, size, () => user(words)),
    },
    {
      name: `${name}: next turn, a loss per message`,
      sizes: /** @type {[number, number]} */ ([2500, 20_000]),
      prepare: (/** @type {number} */ size) =>
        prepareNextTurns(name, size, (index) =>
          index % 2 === 0 ? user(words, { name: 'bob' }) : assistant(words),
        ),
    },
    {
      name: `${name}: decode tools`,
      sizes: /** @type {[number, number]} */ ([90, 1000]),
      prepare: (/** @type {number} */ size) => {
        const tools = Array.from({ length: size }, (_, index) => ({
          type: /** @type {const} */ ('function'),
          name: `tool_${index}`,
          input: { type: 'object', properties: { a: { type: 'string', description: `${index}` } } },
        }))
        const request = { model: 'm', maxOutputTokens: 9, tools, messages: [user(words)] }
        const text = JSON.stringify(dialects[name].encodeRequest(request).value)
        return () => dialects[name].decodeRequest(JSON.parse(text))
      },
    },
  ]),
]
