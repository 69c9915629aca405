// @ts-check
// The cost of one request or response as text, compared with the work that no library can avoid: JSON.parse and JSON.stringify.
import {
  assistant,
  dialects,
  Messages,
  toolCall,
  toolResult,
  toolResults,
  translateRequest,
  user,
} from 'interlingua'

/** @typedef {import('./messages.js').Benchmark} Benchmark */
/** @typedef {import('interlingua').DialectName} DialectName */

const long = 'The quick brown fox jumps over the lazy dog. '.repeat(10)

/** @param {number} turns */
function conversation(turns) {
  return Array.from({ length: turns }, (_, index) => {
    const call = toolCall({
      id: `call_${index}`,
      name: `tool_${index % 20}`,
      arguments: { query: long, page: index },
    })
    return [
      user(`${index} ${long}`),
      assistant(['Let me look.', call]),
      toolResults(toolResult(call, long)),
      assistant(long),
    ]
  }).flat()
}

const parameter = { type: 'string', description: 'A parameter of the tool' }
const tools = Array.from({ length: 20 }, (_, index) => ({
  type: /** @type {const} */ ('function'),
  name: `tool_${index}`,
  description: long,
  input: { type: 'object', properties: { a: parameter, b: parameter, c: parameter }, required: ['a', 'b'] },
}))
const thousand = conversation(250)
const agentRequest = { model: 'm', maxOutputTokens: 1000, tools, messages: Messages.from(conversation(25)) }
const answer = {
  id: 'r',
  model: 'm',
  candidates: [
    assistant([long.repeat(7), toolCall({ id: 'call_1', name: 'tool_1', arguments: { page: 1 } })], {
      finish: { reason: 'tool-calls' },
      usage: { inputTokens: 10, outputTokens: 20, totalTokens: 30 },
    }),
  ],
}

/**
 * Repeats short work, so that the clock can measure it.
 * @param {number} times
 * @param {() => unknown} act
 */
const repeat = (times, act) => () => {
  for (let count = 0; count < times; count++) act()
  return times
}

/**
 * @param {DialectName} name
 * @returns {readonly Benchmark[]}
 */
function rowsOf(name) {
  const dialect = dialects[name]
  const coldRequest = () => ({ model: 'm', maxOutputTokens: 1000, messages: Messages.from(thousand) })
  const body = dialect.encodeRequest(coldRequest()).value
  const text = JSON.stringify(dialect.encodeRequest(agentRequest).value)
  const response = JSON.stringify(dialect.encodeResponse(answer).value)
  const to = name === 'anthropic' ? 'openai-chat' : 'anthropic'
  const parseText = repeat(5, () => JSON.parse(text))
  return [
    {
      name: `${name}: encode 1,000 messages cold, to text`,
      target: 1.5,
      ours: repeat(1, () => dialect.encodeRequestText(coldRequest()).value),
      plain: repeat(1, () => JSON.stringify(body)),
    },
    {
      name: `${name}: decode an agent's request`,
      target: 3,
      ours: repeat(5, () => dialect.decodeRequest(JSON.parse(text))),
      plain: parseText,
    },
    {
      name: `${name}: decode an agent's request, exact: false`,
      target: 1.5,
      ours: repeat(5, () => dialect.decodeRequest(JSON.parse(text), { exact: false })),
      plain: parseText,
    },
    {
      name: `${name}: translate an agent's request to ${to}, text to text`,
      target: 2.5,
      ours: repeat(5, () => JSON.stringify(translateRequest(JSON.parse(text), { from: name, to }).value)),
      plain: repeat(5, () => JSON.stringify(JSON.parse(text))),
    },
    {
      name: `${name}: decode a response of 3 KiB`,
      target: 6,
      ours: repeat(100, () => dialect.decodeResponse(JSON.parse(response))),
      plain: repeat(100, () => JSON.parse(response)),
    },
  ]
}

export const requests = /** @type {DialectName[]} */ (Object.keys(dialects)).flatMap(rowsOf)
