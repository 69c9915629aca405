import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { dialects, type DialectName, user } from 'interlingua'
import { startGateway } from 'interlingua/gateway/node'
import { scripted } from 'interlingua/providers'
import { type Fault, mockProvider, startMockServer } from 'interlingua/testing/providers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { builtFolder } from '../stores/built-package.ts'
import { ask, createTestConfig, DIALECTS, startTestGateway, TARGETS, toHttpRequest } from './upstreams.ts'

const request = { messages: [user('Hi')], maxOutputTokens: 100, stream: true } as const

/** Reads the answer of a stream: the text before its end, and the error that ended it. */
async function readStream(
  dialect: DialectName,
  response: Response,
): Promise<readonly [text: string, error: string]> {
  let text = ''
  let error = ''
  for await (const event of dialects[dialect].decodeStream(response.body ?? new ReadableStream())) {
    if (event.type === 'text-delta') text += event.text
    if (event.type === 'error') error = event.error.code
  }
  return [text, error]
}

/** Failures of a provider in the middle of a stream, and the timeouts that end them. */
const BROKEN: {
  readonly [name: string]: { readonly fault: Fault; readonly timeouts?: { readonly idleMs: number } }
} = {
  'is reset': { fault: { type: 'cut', afterChunks: 4 } },
  stalls: { fault: { type: 'stall', afterChunks: 4 }, timeouts: { idleMs: 300 } },
  'becomes garbage': { fault: { type: 'malformed' } },
}

describe.each(DIALECTS)('a client of %s', (client) => {
  test.each(Object.keys(BROKEN))(
    'gets an error in its own form if the stream of a provider %s',
    async (name) => {
      const { fault = null, timeouts = {} } = BROKEN[name] ?? {}
      const { gateway } = startTestGateway(
        { model: scripted(() => 'One two three four five six seven.'), faults: () => fault },
        { routes: [{ model: '*', to: TARGETS.anthropic, timeouts }] },
      )
      const response = await ask(gateway, client, { ...request, model: 'upstream-anthropic' })
      if (response.status !== 200) {
        // Garbage in the first event, or a machine so busy that it arrives late: the client gets a status of its own.
        const error = dialects[client].decodeError(response.status, await response.json(), response.headers)
        expect(name).not.toBe('is reset')
        expect(error.status).toBeGreaterThanOrEqual(500)
        return
      }
      const [text, error] = await readStream(client, response)
      expect('One two three four five six seven.'.startsWith(text)).toBe(true)
      expect(error).not.toBe('')
    },
  )
})

describe('a storm of 429', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  test('reaches the clients with its delay, pauses the provider, and ends with it', async () => {
    let isStorm = true
    const { gateway, mock } = startTestGateway(
      {
        model: scripted(() => 'Hello'),
        faults: () => (isStorm ? { type: 'error', status: 429, retryAfterSeconds: 3 } : null),
      },
      { routes: [{ model: '*', to: TARGETS.anthropic }], circuit: { failures: 5, pauseMs: 60_000 } },
    )
    const send = (): Promise<Response> => ask(gateway, 'openai-chat', { ...request, model: 'm' })
    const responses = await Promise.all(Array.from({ length: 30 }, send))
    expect(responses[0]?.status).toBe(429)
    for (const { status } of responses) expect([429, 503]).toContain(status)
    const sent = mock.requests.length
    const paused = await send()
    expect([paused.status, paused.headers.get('retry-after')]).toEqual([503, '60'])
    expect(mock.requests.length).toBe(sent)
    isStorm = false
    vi.setSystemTime(Date.now() + 60_001)
    expect((await send()).status).toBe(200)
    expect(mock.requests.length).toBe(sent + 1)
  })
})

test('clients that send their requests slowly do not delay others', async () => {
  const server = await startGateway(createTestConfig(mockProvider({ model: scripted(() => 'Hello') })), {
    port: 0,
  })
  const { hostname, port } = new URL(server.url)
  const sockets: Socket[] = []
  try {
    for (let index = 0; index < 100; index++) {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(`POST /v1/messages HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 1000000\r\n`)
      // Half of them never end their headers, the others their bodies.
      socket.write(index % 2 === 0 ? 'x-slow: ' : '\r\n{"model": "')
      sockets.push(socket)
    }
    const sent = toHttpRequest('anthropic', { ...request, model: 'upstream-mistral', stream: false })
    const answer = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      headers: sent.headers,
      body: await sent.text(),
    })
    expect([answer.status, await answer.json()]).toMatchObject([200, { content: [{ text: 'Hello' }] }])
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.close(0)
  }
})

test('a gateway that is killed in the middle of a stream continues conversations after its restart', async () => {
  const provider = await startMockServer({
    model: scripted(() => 'One two three four five six seven eight nine.'),
    faults: ({ index }) => (index === 0 ? { type: 'stall', afterChunks: 4 } : null),
  })
  const script = join(import.meta.dirname, 'children/gateway.js')
  const built = await builtFolder()
  const sealKey = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
  const start = async () => {
    const child = spawn(process.execPath, [script, built, provider.url, sealKey])
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    return { child, url: String(line).trim() }
  }
  const post = async (url: string): Promise<Response> => {
    const sent = toHttpRequest('openai-chat', { ...request, model: 'm' })
    return fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: sent.headers,
      body: await sent.text(),
    })
  }
  const first = await start()
  let second: typeof first | undefined
  try {
    const response = await post(first.url)
    const reader = response.body?.getReader()
    await reader?.read()
    first.child.kill('SIGKILL')
    // The client sees a connection that broke, not the end of an answer.
    const readRest = async (): Promise<string> => {
      let text = ''
      for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
        text += Buffer.from(piece.value).toString()
      return text
    }
    await expect(readRest()).rejects.toThrow()
    second = await start()
    const [text, error] = await readStream('openai-chat', await post(second.url))
    expect([text, error]).toEqual(['One two three four five six seven eight nine.', ''])
  } finally {
    first.child.kill('SIGKILL')
    second?.child.kill('SIGKILL')
    await provider.close()
  }
}, 900_000)
