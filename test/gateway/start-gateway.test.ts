import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { hashKey } from 'interlingua/gateway'
import { type GatewayServer, startGateway } from 'interlingua/gateway/node'
import { scripted } from 'interlingua/providers'
import { mockProvider } from 'interlingua/testing/providers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestConfig } from './upstreams.ts'

let server: GatewayServer
beforeAll(async () => {
  const mock = mockProvider({ model: scripted(() => 'Hello!') })
  server = await startGateway(createTestConfig(mock), { port: 0 })
})
afterAll(() => server.close())

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
  test('[S15] refuses names and pages of other machines', async () => {
    expect(await send({})).toBe(200)
    expect(await send({ host: 'rebound.example' })).toBe(403)
    expect(await send({ origin: 'https://page.example' })).toBe(403)
    expect(await send({ origin: 'http://localhost:3000' })).toBe(200)
  })

  test('refuses WebSockets at other endpoints with a status after which programs use plain requests', async () => {
    const { hostname, port } = new URL(server.url)
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          'GET /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
        ),
      )
      socket.once('data', (bytes) => resolve(String(bytes)))
    })
    expect(answer).toMatch(/^HTTP\/1\.1 426 /)
  })

  test('[S15] needs keys for other addresses than those of this machine', async () => {
    const routes = [{ model: '*', to: 'ollama:*' }]
    await expect(startGateway({ routes }, { host: '0.0.0.0', port: 0 })).rejects.toMatchObject({
      path: '/keys',
    })
    const keys = [{ name: 'a', digest: await hashKey('k') }]
    const open = await startGateway({ routes, keys }, { host: '0.0.0.0', port: 0 })
    await open.close()
  })

  test('states the length of a whole answer, and reads a request with a byte order mark', async () => {
    const body = { model: 'upstream-mistral', messages: [{ role: 'user', content: 'Hi' }] }
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      body: `\uFEFF${JSON.stringify(body)}`,
    })
    const bytes = await response.arrayBuffer()
    expect(response.headers.get('content-length')).toBe(String(bytes.byteLength))
    expect(new TextDecoder().decode(bytes)).toContain('Hello!')
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
    // The connection is kept alive: it must not delay the end until the time is over.
    const closed = [closing.close(3_600_000), closing.close()]
    expect(await response.text()).toContain('[DONE]')
    await Promise.all(closed)
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
