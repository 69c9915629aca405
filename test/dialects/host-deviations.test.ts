import { type ChatEvent, dialects, type Json, type JsonObject } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { expectSame } from '../law-assertions.ts'
import { collect, framed, identity, source, type StreamName, streamNames } from './stream-responses.ts'

/**
 * The end of a stream in each format with server-sent events: enough for a complete stream. Streams of ollama have lines of
 * JSON, and those of bedrock binary messages.
 */
const endings: { readonly [name in Exclude<StreamName, 'ollama' | 'bedrock'>]: readonly JsonObject[] } = {
  'openai-chat': [{ id: 'c', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }],
  'openai-responses': [
    { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } },
  ],
  anthropic: [{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} }],
  gemini: [{ candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] }],
  mistral: [{ id: 'c', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }],
  'gemini-interactions': [
    { event_type: 'interaction.completed', interaction: { id: 'r', status: 'completed' } },
  ],
  cohere: [{ type: 'message-end', delta: { finish_reason: 'COMPLETE' } }],
}
const names = streamNames.filter((name) => name !== 'ollama' && name !== 'bedrock')

const read = (name: StreamName, text: string): Promise<ChatEvent[]> =>
  collect(dialects[name].decodeStream(source(text), { ...identity, exact: false }))

const errorOf = (events: readonly ChatEvent[]): unknown => {
  const last = events.at(-1)
  return last?.type === 'error' ? last.error : undefined
}

describe.each(names)('streams of %s, as hosts send them', (name) => {
  const plain = framed(name, endings[name])

  test.each([
    'data: [DONE]',
    'data:[done]',
    'data:  [DONE] ',
    'event: done\ndata: [DONE]',
    'data:',
    'data:  ',
  ])('%j is ignored', async (line) => {
    expectSame(await read(name, `${line}\n\n${plain}${line}\n\n`), await read(name, plain))
  })

  const failure = { error: { type: 'server_error', code: 500, status: 'INTERNAL', message: 'Boom' } }

  test.each([
    ['an error without the name of its field', `${plain}${JSON.stringify(failure)}\n\n`],
    ['an error instead of a stream', JSON.stringify(failure)],
    ['the same over several lines', JSON.stringify(failure, null, 2)],
    ['an event that is called an error', 'event: error\ndata: {"message":"Boom"}\n\n'],
    ['one that is no JSON', 'event: error\ndata: Boom\n\n'],
  ])('%s is a typed error with its message', async (_, text) => {
    expect(errorOf(await read(name, text))).toMatchObject({ code: 'provider-error', message: 'Boom' })
  })

  test('a response that is not a stream is rejected with a named error', async () => {
    const events = await read(name, '{"id":"x","content":"All at once"}')
    expect(errorOf(events)).toMatchObject({ code: 'invalid-stream' })
  })
})

describe('calls whose arguments deviate from the format', () => {
  const call = (given: JsonObject, more: JsonObject = { id: 'x' }): JsonObject => ({
    ...more,
    type: 'function',
    function: { name: 'f', ...given },
  })
  const forms: readonly (readonly [JsonObject, Json])[] = [
    [{ arguments: { a: 1 } }, { a: 1 }],
    [{ arguments: null }, {}],
    [{}, {}],
  ]

  test.each(forms)('openai-chat: %j', async (given, meant) => {
    const message = { role: 'assistant', content: null, tool_calls: [call(given)] }
    const body = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
    const { value } = dialects['openai-chat'].decodeResponse(body)
    expect(value.candidates[0]?.content).toMatchObject([{ id: 'x', name: 'f', arguments: meant }])
    expectSame(dialects['openai-chat'].encodeResponse(value).value, body)
    const request = { model: 'm', messages: [message, { role: 'tool', tool_call_id: 'x', content: 'r' }] }
    const asked = dialects['openai-chat'].decodeRequest(request).value
    expect([...asked.messages][0]?.content).toMatchObject([{ name: 'f', arguments: meant }])
    expectSame(dialects['openai-chat'].encodeRequest(asked).value, request)
  })

  test('openai-chat: streamed in one chunk, and without an id', async () => {
    const { id: _id, ...unnamed } = call({ arguments: { a: 1 } })
    const chunk = (delta: JsonObject, finish: Json): JsonObject => ({
      id: 'c',
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
    // Some hosts send an empty finish reason with every chunk before the last.
    const wires = [chunk({ tool_calls: [{ index: 0, ...unnamed }] }, ''), chunk({}, 'tool_calls')]
    const events = await read('openai-chat', framed('openai-chat', wires))
    expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1)
    expect(events.find(({ type }) => type === 'arguments-delta')).toMatchObject({ json: '{"a":1}' })
    const message = { role: 'assistant', content: null, tool_calls: [unnamed] }
    const body = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
    const { value } = dialects['openai-chat'].decodeResponse(body)
    expect(value.candidates[0]?.content).toMatchObject([{ id: expect.stringMatching(/^call_/), name: 'f' }])
    expectSame(dialects['openai-chat'].encodeResponse(value).value, body)
  })

  test.each([...forms, [{ arguments: '{"a":1}' }, { a: 1 }] as const])('ollama: %j', (given, meant) => {
    const { function: called } = call(given)
    const message = { role: 'assistant', content: '', tool_calls: [{ function: called ?? {} }] }
    const body = { model: 'm', created_at: '2026-01-01T00:00:00Z', message, done: true, done_reason: 'stop' }
    const { value } = dialects.ollama.decodeResponse(body)
    expect(value.candidates[0]?.content).toMatchObject([{ name: 'f', arguments: meant }])
    expectSame(dialects.ollama.encodeResponse(value), { value: body, losses: [] })
  })

  test.each(['x', '{"a":12345678901234567890}', ''])('ollama: text that is not a JSON object, %j', (text) => {
    const message = { role: 'assistant', content: '', tool_calls: [call({ arguments: text })] }
    const body = { model: 'm', created_at: '2026-01-01T00:00:00Z', message, done: true, done_reason: 'stop' }
    const { value } = dialects.ollama.decodeResponse(body)
    expectSame(dialects.ollama.encodeResponse(value), { value: body, losses: [] })
    // In a request the server requires an object.
    const asked = dialects.ollama.encodeRequest({ model: 'm', messages: [...value.candidates] })
    expect(asked.value.messages[0]).toMatchObject({
      tool_calls: [{ function: { arguments: expect.any(Object) as object } }],
    })
  })

  test('openai-responses: an object', () => {
    const item = { type: 'function_call', call_id: 'x', name: 'f', arguments: { a: 1 } }
    const { value } = dialects['openai-responses'].decodeResponse({ status: 'completed', output: [item] })
    expect(value.candidates[0]?.content).toMatchObject([{ name: 'f', arguments: { a: 1 } }])
  })
})

test('openai-responses: events after the complete item are not decoded twice', async () => {
  const content = [{ type: 'output_text', text: 'Hi', annotations: [] }]
  const item = { type: 'message', id: 'm', role: 'assistant', status: 'completed', content }
  const events = await read(
    'openai-responses',
    framed('openai-responses', [
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hi' },
      { type: 'response.completed', response: { id: 'r', status: 'completed', output: [item] } },
    ]),
  )
  expect(events.flatMap((event) => ('text' in event ? [event.text] : [])).join('')).toBe('Hi')
})
