// @ts-check
// Reads the calls and results of a request body of each API, independently of the codecs that the comparison judges.

/** @typedef {import('../drivers/fake-host.js').Target} Target */
/** @typedef {{ id: string, name: string, arguments: string }} ReadCall */
/** @typedef {{ id: string, text: string }} ReadResult */
/** @typedef {{ calls: ReadCall[], results: ReadResult[] }} CallsOfBody */

/** @param {unknown} value a JSON text or an object */
const toArguments = (value) =>
  JSON.stringify(typeof value === 'string' ? JSON.parse(value || '{}') : (value ?? {}))

/** @param {any} value */
const toList = (value) => (Array.isArray(value) ? value : [])

/** @type {{ readonly [target in Target]: (body: any) => CallsOfBody }} */
const readers = {
  'openai-chat': ({ messages }) => ({
    calls: toList(messages)
      .flatMap((message) => toList(message.tool_calls))
      .map((call) => ({
        id: call.id,
        name: call.function?.name,
        arguments: toArguments(call.function?.arguments),
      })),
    results: toList(messages)
      .filter((message) => message.role === 'tool')
      .map((message) => ({ id: message.tool_call_id, text: JSON.stringify(message.content) })),
  }),
  'openai-responses': ({ input }) => ({
    calls: toList(input)
      .filter((item) => item.type === 'function_call')
      .map((item) => ({ id: item.call_id, name: item.name, arguments: toArguments(item.arguments) })),
    results: toList(input)
      .filter((item) => item.type === 'function_call_output')
      .map((item) => ({ id: item.call_id, text: JSON.stringify(item.output) })),
  }),
  anthropic: ({ messages }) => {
    const blocks = toList(messages).flatMap((message) => toList(message.content))
    return {
      calls: blocks
        .filter((block) => block.type === 'tool_use')
        .map((block) => ({ id: block.id, name: block.name, arguments: toArguments(block.input) })),
      results: blocks
        .filter((block) => block.type === 'tool_result')
        .map((block) => ({ id: block.tool_use_id, text: JSON.stringify(block.content) })),
    }
  },
  gemini: ({ contents }) => {
    const parts = toList(contents).flatMap((content) => toList(content.parts))
    return {
      calls: parts
        .filter((part) => part.functionCall)
        .map(({ functionCall }) => ({
          id: functionCall.id,
          name: functionCall.name,
          arguments: toArguments(functionCall.args),
        })),
      results: parts
        .filter((part) => part.functionResponse)
        .map(({ functionResponse }) => ({
          id: functionResponse.id,
          text: JSON.stringify(functionResponse.response),
        })),
    }
  },
}

/**
 * Returns why the calls and results of a body are not those of the conversation, or undefined.
 * @param {Target} target
 * @param {unknown} body
 * @param {readonly import('interlingua').Message[]} messages
 */
export function findCallProblem(target, body, messages) {
  const read = readers[target](body)
  const parts = messages.flatMap(
    ({ content }) => /** @type {readonly import('interlingua').Part[]} */ (content),
  )
  const calls = parts.filter((part) => part.type === 'tool-call')
  const results = parts.filter((part) => part.type === 'tool-result')
  for (const call of calls) {
    const expected = JSON.stringify(call.arguments)
    const found = read.calls.find((each) => each.name === call.name && each.arguments === expected)
    if (found === undefined) return `the call with ${expected} is missing`
    const result = results.find(({ callId }) => callId === call.id)
    const word = /KEEP_\w+/.exec(JSON.stringify(result?.content ?? ''))?.[0]
    if (word === undefined) continue
    // Gemini matches calls without ids by name and position.
    const position = read.calls.indexOf(found)
    const own =
      found.id === undefined ? read.results[position] : read.results.find(({ id }) => id === found.id)
    if (own === undefined) return `the result of the call with ${expected} is missing`
    if (!own.text.includes(word)) return `the call with ${expected} has the result of another one`
  }
  return undefined
}
