import {
  assistant,
  type ChatRequest,
  dialects,
  type Flavor,
  InterlinguaError,
  toolCall,
  toolCallsOf,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../law-assertions.ts'

const { anthropic, gemini } = dialects
const asked: ChatRequest = {
  model: 'claude-sonnet-4-5@20250929',
  messages: [user('Hi')],
  maxOutputTokens: 100,
  temperature: 0.5,
  stream: true,
}

describe('anthropic on a cloud host: the path contains the model, the body the version', () => {
  const rest = {
    max_tokens: 100,
    temperature: 0.5,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  }

  test.each([
    [
      'bedrock',
      { ...rest, anthropic_version: 'bedrock-2023-05-31' },
      '/model/claude-sonnet-4-5%4020250929/invoke-with-response-stream',
      '/model/claude-sonnet-4-5%4020250929/invoke',
    ],
    [
      'vertex',
      { ...rest, anthropic_version: 'vertex-2023-10-16', stream: true },
      '/publishers/anthropic/models/claude-sonnet-4-5%4020250929:streamRawPredict',
      '/publishers/anthropic/models/claude-sonnet-4-5%4020250929:rawPredict',
    ],
  ] as const)('%s', (flavor, body, streamed, whole) => {
    const { value, losses } = anthropic.encodeRequest(asked, { flavor })
    expectSame(again(value), body)
    expect(losses).toEqual([])
    expect(anthropic.endpoint(asked, { flavor })).toEqual({ path: streamed })
    expect(anthropic.endpoint({ ...asked, stream: false }, { flavor })).toEqual({ path: whole })
    const back = anthropic.decodeRequest(body, { flavor }).value
    expectSame(again(anthropic.encodeRequest(back, { flavor })), { value: body, losses: [] })
    expectSame(again(anthropic.encodeRequest(back)), { value: body, losses: [] })
  })

  test('a path without a model is refused', () => {
    const ask = (): unknown => anthropic.endpoint({ messages: [] }, { flavor: 'bedrock' })
    expect(ask).toThrow(InterlinguaError)
  })

  test('the flavor of another dialect changes nothing', () => {
    const flavor: Flavor = 'groq'
    expectSame(anthropic.encodeRequest(asked, { flavor }), anthropic.encodeRequest(asked))
    expectSame(anthropic.endpoint(asked, { flavor }), anthropic.endpoint(asked))
  })
})

describe('gemini on vertex', () => {
  const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
  const request: ChatRequest = {
    model: 'gemini-2.5-pro',
    messages: [user('Hi'), assistant([call]), toolResults([toolResult(call, 'Rain')])],
  }

  test('calls and results have no ids and are still paired', () => {
    const { value } = gemini.encodeRequest(request, { flavor: 'vertex' })
    expect(JSON.stringify(value)).not.toContain('"id"')
    const [, answer, round] = [...gemini.decodeRequest(value).value.messages]
    const [begun] = answer === undefined ? [] : toolCallsOf(answer)
    expect(begun?.id).toBeTypeOf('string')
    expect(round?.content[0]).toMatchObject({ callId: begun?.id })
    const back = gemini.decodeRequest(again(value), { flavor: 'vertex' }).value
    expectSame(again(gemini.encodeRequest(back, { flavor: 'vertex' }).value), again(value))
  })

  test('model paths are relative to the project and the location in the base URL', () => {
    expect(gemini.endpoint(request, { flavor: 'vertex' })).toEqual({
      path: '/publishers/google/models/gemini-2.5-pro:generateContent',
    })
    expect(gemini.endpoint({ ...request, stream: true }, { flavor: 'vertex' })).toEqual({
      path: '/publishers/google/models/gemini-2.5-pro:streamGenerateContent',
      query: { alt: 'sse' },
    })
  })
})
