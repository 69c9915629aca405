import { accumulate, assistant, dialects, toEvents, toolCall } from 'interlingua'
import { describe, expect, test } from 'vitest'

const chat = dialects['openai-chat']
const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const messages = [{ role: 'user', content: 'Weather in Oslo?' }]
const legacy = chat.decodeRequest({
  model: 'm',
  messages,
  functions: [{ name: 'weather', parameters }],
}).value
const current = chat.decodeRequest({
  model: 'm',
  messages,
  tools: [{ type: 'function', function: { name: 'weather', parameters } }],
}).value

const oslo = toolCall({ id: 'a', name: 'weather', arguments: { city: 'Oslo' } })
const rome = toolCall({ id: 'b', name: 'weather', arguments: { city: 'Rome' } })
const answer = (...calls: readonly (typeof oslo)[]) =>
  ({ candidates: [assistant(calls, { finish: { reason: 'tool-calls' } })] }) as const

const called = { name: 'weather', arguments: '{"city":"Oslo"}' }

describe('answers of other providers to a request with `functions`', () => {
  test('contain the call in `function_call`', () => {
    const { value, losses } = chat.encodeResponse(answer(oslo), { request: legacy })
    const [choice] = value.choices
    expect(choice).toMatchObject({ message: { function_call: called }, finish_reason: 'function_call' })
    expect(choice?.message).not.toHaveProperty('tool_calls')
    expect(losses).toEqual([])
  })

  test('contain further calls in `tool_calls`: a legacy answer has one call', () => {
    const [choice] = chat.encodeResponse(answer(oslo, rome), { request: legacy }).value.choices
    expect(choice?.message).toMatchObject({ function_call: called, tool_calls: [{ id: 'b' }] })
  })

  test('contain `tool_calls` if the request has `tools`', () => {
    const [choice] = chat.encodeResponse(answer(oslo), { request: current }).value.choices
    expect(choice).toMatchObject({ message: { tool_calls: [{ id: 'a' }] }, finish_reason: 'tool_calls' })
    expect(choice?.message).not.toHaveProperty('function_call')
  })

  test('contain the call in `function_call` when they are streamed', async () => {
    const stream = chat.encodeStream(toEvents(answer(oslo)), { request: legacy })
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) chunks.push(chunk)
    const blob = new Blob(chunks as BlobPart[])
    const text = await blob.text()
    expect(text).toContain('"function_call":{"name":"weather"')
    expect(text).toContain('"finish_reason":"function_call"')
    expect(text).not.toContain('tool_calls')
    const received = await accumulate(chat.decodeStream(blob.stream()))
    expect(received.candidates[0]?.content).toMatchObject([{ name: 'weather', arguments: { city: 'Oslo' } }])
  })
})
