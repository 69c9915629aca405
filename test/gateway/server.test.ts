import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { hashKey } from 'interlingua/gateway'
import { type GatewayServer, startGateway } from 'interlingua/gateway/node'
import { scripted } from 'interlingua/providers'
import { mockProvider } from 'interlingua/testing/providers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestConfig, DIALECTS } from './upstreams.ts'

let server: GatewayServer
beforeAll(async () => {
  const mock = mockProvider({ model: scripted(() => 'Hello!') })
  server = await startGateway(createTestConfig(mock), { port: 0 })
})
afterAll(() => server.close())

/** Asks the official client of each vendor for a whole answer and for a stream. */
const CLIENTS: { readonly [name: string]: (model: string) => Promise<readonly string[]> } = {
  'openai chat': async (model) => {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'unused', maxRetries: 0 })
    const messages = [{ role: 'user', content: 'Hi' }] as const
    const whole = await client.chat.completions.create({ model, messages: [...messages] })
    let streamed = ''
    for await (const chunk of await client.chat.completions.create({
      model,
      messages: [...messages],
      stream: true,
    }))
      streamed += chunk.choices[0]?.delta.content ?? ''
    return [whole.choices[0]?.message.content ?? '', streamed, whole.model]
  },
  'openai responses': async (model) => {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'unused', maxRetries: 0 })
    const whole = await client.responses.create({ model, input: 'Hi' })
    let streamed = ''
    for await (const event of await client.responses.create({ model, input: 'Hi', stream: true }))
      if (event.type === 'response.output_text.delta') streamed += event.delta
    return [whole.output_text, streamed, whole.model]
  },
  anthropic: async (model) => {
    const client = new Anthropic({ baseURL: server.url, apiKey: 'unused', maxRetries: 0 })
    const body = { model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] }
    const whole = await client.messages.create(body)
    const streamed = await client.messages.stream(body).finalText()
    return [
      whole.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      streamed,
      whole.model,
    ]
  },
  gemini: async (model) => {
    const client = new GoogleGenAI({ apiKey: 'unused', httpOptions: { baseUrl: server.url } })
    const whole = await client.models.generateContent({ model, contents: 'Hi' })
    let streamed = ''
    for await (const chunk of await client.models.generateContentStream({ model, contents: 'Hi' }))
      streamed += chunk.text ?? ''
    return [whole.text ?? '', streamed, whole.modelVersion ?? '']
  },
  ollama: async (model) => {
    const client = new Ollama({ host: server.url })
    const messages = [{ role: 'user', content: 'Hi' }]
    const whole = await client.chat({ model, messages })
    let streamed = ''
    for await (const chunk of await client.chat({ model, messages, stream: true }))
      streamed += chunk.message.content
    return [whole.message.content, streamed, whole.model]
  },
}

describe.each(Object.keys(CLIENTS))('the official client: %s', (name) => {
  test.each(DIALECTS)('is answered by %s', async (upstream) => {
    const model = `upstream-${upstream}`
    expect(await CLIENTS[name]?.(model)).toEqual(['Hello!', 'Hello!', model])
  })
})

/** Sends a request with headers that `fetch` does not allow, and returns the status. */
function send(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${server.url}/health`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject).end()
  })
}

describe('the server', () => {
  test('refuses names and pages of other machines', async () => {
    expect(await send({})).toBe(200)
    expect(await send({ host: 'rebound.example' })).toBe(403)
    expect(await send({ origin: 'https://page.example' })).toBe(403)
    expect(await send({ origin: 'http://localhost:3000' })).toBe(200)
  })

  test('refuses WebSockets with a status after which programs use plain requests', async () => {
    const { hostname, port } = new URL(server.url)
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          'GET /v1/responses HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
        ),
      )
      socket.once('data', (bytes) => resolve(String(bytes)))
    })
    expect(answer).toMatch(/^HTTP\/1\.1 426 /)
  })

  test('needs keys for other addresses than those of this machine', async () => {
    const routes = [{ model: '*', to: 'ollama:*' }]
    await expect(startGateway({ routes }, { host: '0.0.0.0', port: 0 })).rejects.toMatchObject({
      path: '/keys',
    })
    const keys = [{ name: 'a', digest: await hashKey('k') }]
    const open = await startGateway({ routes, keys }, { host: '0.0.0.0', port: 0 })
    await open.close()
  })

  test('stops the call to the provider when its client disconnects', async () => {
    const signals: AbortSignal[] = []
    const mock = mockProvider({ faults: [{ type: 'stall', afterChunks: 2 }] })
    const watched = await startGateway(
      createTestConfig(mock, (init) => init?.signal && signals.push(init.signal)),
      { port: 0 },
    )
    const controller = new AbortController()
    const response = await postStream(watched.url, controller.signal)
    await response.body?.getReader().read()
    controller.abort()
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true])
    await watched.close(0)
  })

  test('lets running answers finish when it closes', async () => {
    const mock = mockProvider({
      model: scripted(() => 'One two three.'),
      faults: [{ type: 'slow', delayMs: 20 }],
    })
    const closing = await startGateway(createTestConfig(mock), { port: 0 })
    const response = await postStream(closing.url)
    const closed = closing.close()
    expect(await response.text()).toContain('[DONE]')
    await closed
    await expect(postStream(closing.url)).rejects.toThrow()
  })
})

function postStream(url: string, signal?: AbortSignal): Promise<Response> {
  const body = { model: 'upstream-mistral', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
}
