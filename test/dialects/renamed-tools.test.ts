import {
  accumulate,
  assistant,
  type ChatRequest,
  dialects,
  toEvents,
  Messages,
  toolCall,
  toolCallsOf,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../law-assertions.ts'
import { identity, source, streamNames, encodeStreamText } from './stream-responses.ts'
import { payloads } from './stream-payloads.ts'
import { subjects } from './dialect-table.ts'

const invalidName = 'weather.now (v2)'
const old = 'old tool'

const request: ChatRequest = {
  model: 'm',
  maxOutputTokens: 10,
  tools: [
    { type: 'function', name: invalidName, input: { type: 'object' } },
    { type: 'function', name: 'plain', input: { type: 'object' } },
  ],
  messages: Messages.of(user('Hi'), assistant(toolCall({ id: 'a', name: old }))),
}

describe.each(streamNames)('%s: tools that had to be renamed', (name) => {
  const dialect = dialects[name]
  const answer = {
    id: 'r',
    model: 'm',
    createdAt: '2026-01-01T00:00:00.000Z',
    candidates: [
      assistant(
        [
          toolCall({ id: 'b', name: invalidName, arguments: { city: 'Oslo' } }),
          toolCall({ id: 'c', name: 'plain' }),
          toolCall({ id: 'd', name: old }),
        ],
        { finish: { reason: 'tool-calls' } },
      ),
    ],
  }
  const names = (response: { readonly candidates: readonly ReturnType<typeof assistant>[] }): string[] =>
    response.candidates.flatMap((message) => toolCallsOf(message).map((call) => call.name))

  test('a response has the tool names of its request, and is encoded as it was received', () => {
    const wire = again(dialect.encodeResponse(answer).value)
    const isTaken = subjects.some((subject) => subject.name === name && subject.row.names.test(invalidName))
    expect(names(dialect.decodeResponse(wire).value).includes(invalidName)).toBe(isTaken)
    const back = dialect.decodeResponse(wire, { request }).value
    expect(names(back)).toEqual([invalidName, 'plain', old])
    expectSame(dialect.encodeResponse(back), { value: wire, losses: [] })
    expectSame(again(dialect.encodeResponse(again(back) as typeof back).value), wire)
  })

  test.each([true, false])('a stream has the tool names of its request, exact: %s', async (exact) => {
    const { text } = await encodeStreamText(name, toEvents(answer))
    const events = dialect.decodeStream(source(text), { ...identity, request, exact })
    expect(names(await accumulate(events))).toEqual([invalidName, 'plain', old])
    const { text: back, losses } = await encodeStreamText(
      name,
      dialect.decodeStream(source(text), { ...identity, request }),
    )
    expectSame(payloads(back), payloads(text))
    expect(losses).toEqual([])
  })

  test('a name that another tool of the request has is not replaced', () => {
    const wire = again(dialect.encodeResponse(answer).value)
    const [fit = ''] = names(dialect.decodeResponse(wire).value)
    const tools = [...(request.tools ?? []), { type: 'function', name: fit, input: {} } as const]
    expect(names(dialect.decodeResponse(wire, { request: { ...request, tools } }).value)[0]).toBe(fit)
  })
})
