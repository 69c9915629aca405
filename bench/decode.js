// @ts-check
// Decoding and translation of whole bodies, compared with `JSON.parse` and `JSON.stringify` of them.
import { dialects, translateRequest } from 'interlingua'
import { agentRequest, answer, dialectNames, smallRequest } from './samples.js'

/** @typedef {import('./measure.js').Benchmark} Benchmark */
/** @typedef {import('interlingua').DialectName} DialectName */
/** @typedef {{ value: { messages: { size: number } | readonly unknown[] } }} Decoded */

/** @param {Decoded} decoded */
const countMessages = ({ value: { messages } }) => ('size' in messages ? messages.size : messages.length)

/**
 * @param {DialectName} name
 * @returns {Benchmark[]}
 */
function rowsOf(name) {
  const dialect = dialects[name]
  const text = dialect.encodeRequestText(agentRequest).value
  const response = JSON.stringify(dialect.encodeResponse(answer).value)
  const to = name === 'anthropic' ? 'openai-chat' : 'anthropic'
  const parseRequest = () => JSON.parse(text)
  const isDecoded = (/** @type {Decoded} */ result) => countMessages(result) === agentRequest.messages.size
  const countText = (/** @type {string} */ body) =>
    JSON.stringify(JSON.parse(body)).split('quick brown fox').length
  const words = countText(text)
  return [
    {
      name: `${name}: decode an agent's request`,
      target: 3,
      ours: () => dialect.decodeRequest(JSON.parse(text)),
      plain: parseRequest,
      isRight: isDecoded,
    },
    {
      name: `${name}: decode an agent's request, \`exact: false\``,
      target: 1.5,
      ours: () => dialect.decodeRequest(JSON.parse(text), { exact: false }),
      plain: parseRequest,
      isRight: isDecoded,
    },
    {
      name: `${name}: decode a response of 3 KiB`,
      target: 6,
      ours: () => dialect.decodeResponse(JSON.parse(response)),
      plain: () => JSON.parse(response),
      isRight: ({ value }) => value.candidates[0].content.length === 2,
    },
    {
      name: `${name}: an agent's request to ${to}, text to text`,
      target: 2.5,
      ours: () => JSON.stringify(translateRequest(JSON.parse(text), { from: name, to }).value),
      plain: () => JSON.stringify(JSON.parse(text)),
      isRight: (body) => countText(body) === words,
    },
  ]
}

/** A small request between two formats, compared with the work of parsing and serializing it. @returns {Benchmark[]} */
function smallRows() {
  const body = dialects['openai-chat'].encodeRequest(smallRequest).value
  const text = JSON.stringify(body)
  const options = /** @type {const} */ ({ from: 'openai-chat', to: 'anthropic' })
  const isRight = (/** @type {any} */ result) => JSON.stringify(result).includes('capital of France')
  const plain = () => JSON.stringify(JSON.parse(text))
  return [
    {
      name: 'small request, openai-chat to anthropic, objects',
      targetMs: 0.012,
      ours: () => translateRequest(body, options).value,
      plain,
      isRight,
    },
    {
      name: 'small request, openai-chat to anthropic, objects, `exact: false`',
      targetMs: 0.006,
      ours: () => translateRequest(body, { ...options, exact: false }).value,
      plain,
      isRight,
    },
  ]
}

/** Yields the rows of each dialect; those of the next one are prepared when they are measured. */
export function* decodeRows() {
  for (const name of dialectNames) yield* rowsOf(name)
  yield* smallRows()
}
