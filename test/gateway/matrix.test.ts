import { accumulate, assistant, type ChatRequest, dialects, textOf, user } from 'interlingua'
import { scripted } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { ask, PAIRS, startTestGateway, weather } from './upstreams.ts'

describe.each(PAIRS)('a client of %s in front of %s', (client, upstream) => {
  const model = `upstream-${upstream}`
  const codec = dialects[client]

  test('gets a whole answer with its own name of the model', async () => {
    const { gateway, mock } = startTestGateway({ model: scripted(['Hello!']) })
    const request: ChatRequest = { model, messages: [user('Hi')], maxOutputTokens: 100, stream: false }
    const response = await ask(gateway, client, request)
    const body: unknown = await response.json()
    expect([response.status, body]).toMatchObject([200, {}])
    const { value } = codec.decodeResponse(body)
    expect(value.candidates.map((message) => textOf(message))).toEqual(['Hello!'])
    expect(value.model ?? model).toBe(model)
    expect(mock.requests.map(({ dialect, problems }) => [dialect, problems])).toEqual([[upstream, []]])
  })

  test('streams an answer with a call of a tool', async () => {
    const { gateway, mock } = startTestGateway({
      model: scripted([
        assistant([
          { type: 'text', text: 'Let me see.' },
          { type: 'tool-call', id: 'call_123456789', name: 'weather', arguments: { city: 'Oslo' } },
        ]),
      ]),
    })
    const request: ChatRequest = {
      model,
      messages: [user('How is the weather in Oslo?')],
      tools: [weather],
      maxOutputTokens: 100,
      stream: true,
    }
    const response = await ask(gateway, client, request)
    expect(response.status).toBe(200)
    if (response.body === null) throw new Error('The answer has no body')
    const answer = await accumulate(codec.decodeStream(response.body))
    const [message] = answer.candidates
    expect(message?.content.filter(({ type }) => type !== 'reasoning')).toMatchObject([
      { type: 'text', text: 'Let me see.' },
      { type: 'tool-call', name: 'weather', arguments: { city: 'Oslo' } },
    ])
    expect(mock.requests.flatMap(({ problems }) => problems)).toEqual([])
  })

  test('gets errors in its own form', async () => {
    const { gateway } = startTestGateway({ faults: [{ type: 'error', status: 429, retryAfterSeconds: 7 }] })
    const request: ChatRequest = { model, messages: [user('Hi')], maxOutputTokens: 100, stream: true }
    const response = await ask(gateway, client, request)
    const error = codec.decodeError(response.status, await response.json(), response.headers)
    expect(error).toMatchObject({ kind: 'rate-limit', retryAfterMs: 7000 })
  })
})
