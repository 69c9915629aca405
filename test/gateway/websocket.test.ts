import { createServer } from 'node:http'
import { EventEmitter, once } from 'node:events'
import { createGateway, type GatewayConfig, hashKey } from 'interlingua/gateway'
import { type GatewayServer, startGateway } from 'interlingua/gateway/node'
import { scripted } from 'interlingua/providers'
import { memoryStorage } from 'interlingua/stores'
import { mockProvider, type MockProvider, type MockProviderOptions } from 'interlingua/testing/providers'
import { afterEach, describe, expect, test } from 'vitest'
import type { ClientOptions, WebSocket } from 'ws'
import { ResponsesSocket } from '../../src/gateway/node/responses-socket.ts'
import { createSocketServer, type SocketServerOptions } from '../../src/gateway/node/socket-server.ts'
import { closeServer, listenOn } from '../../src/gateway/node/listen.ts'
import { Connection } from './responses-connection.ts'
import { createTestConfig } from './upstreams.ts'

const started: GatewayServer[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close(0)))
})

interface TestServer {
  readonly url: string
  readonly server: GatewayServer
  readonly mock: MockProvider
  /** The signals of the calls to providers. */
  readonly signals: readonly AbortSignal[]
  readonly open: (options?: ClientOptions) => Promise<Connection>
}

async function start(
  options: MockProviderOptions = {},
  config: Partial<GatewayConfig> = {},
): Promise<TestServer> {
  const mock = mockProvider(options)
  const signals: AbortSignal[] = []
  const base = createTestConfig(mock, (init) => init?.signal && signals.push(init.signal))
  const server = await startGateway({ ...base, ...config }, { port: 0 })
  started.push(server)
  const open = (clientOptions?: ClientOptions): Promise<Connection> =>
    new Connection(server.url, clientOptions).open()
  return { url: server.url, server, mock, signals, open }
}

const turn = { model: 'upstream-anthropic', input: 'Hi', store: false }

describe('an upgrade', () => {
  test('needs a key, which applies to all turns', async () => {
    const keys = [{ name: 'alice', digest: await hashKey('alice-key'), models: ['upstream-anthropic'] }]
    const { open } = await start({}, { keys })
    await expect(open()).rejects.toThrow('401')
    await expect(open({ headers: { authorization: 'Bearer other' } })).rejects.toThrow('401')
    const connection = await open({ headers: { authorization: 'Bearer alice-key' } })
    expect(await connection.turn(turn)).toMatchObject({ status: 'completed' })
    connection.send({ ...turn, model: 'upstream-mistral' })
    expect(await connection.next()).toMatchObject({ type: 'error', status: 404 })
  })

  test('is refused for pages and names of other machines, and at other paths', async () => {
    const { open, url } = await start()
    await expect(open({ origin: 'https://page.example' })).rejects.toThrow('403')
    await expect(open({ headers: { host: 'rebound.example' } })).rejects.toThrow('403')
    await expect(new Connection(`${url}/v1/chat/completions?`).open()).rejects.toThrow('426')
  })

  test('is refused by a handler without WebSockets, so that programs use plain requests', async () => {
    const gateway = createGateway(createTestConfig(mockProvider()))
    const headers = { upgrade: 'websocket', connection: 'upgrade' }
    const response = await gateway(new Request('http://g.example/v1/responses', { headers }))
    expect(response.status).toBe(426)
  })
})

/** The server's end of a connection whose client reacts to each frame before the server continues. */
class FakeSocket extends EventEmitter {
  readonly frames: { readonly type: string; readonly error?: { readonly code: string } }[] = []
  bufferedAmount = 0
  onFrame: (type: string) => void = () => {}
  isTerminated = false

  send(frame: string, done: () => void): void {
    const parsed = JSON.parse(frame) as FakeSocket['frames'][number]
    this.frames.push(parsed)
    this.onFrame(parsed.type)
    done()
  }

  receive(message: object): void {
    this.emit('message', Buffer.from(JSON.stringify(message)), false)
  }

  terminate(): void {
    this.isTerminated = true
    this.emit('close')
  }
}

function serveFake(): FakeSocket {
  const socket = new FakeSocket()
  const gateway = createGateway(createTestConfig(mockProvider()))
  new ResponsesSocket(socket as unknown as WebSocket, gateway, {
    url: 'http://gateway/v1/responses',
    headers: new Headers(),
  })
  return socket
}

describe('a connection of a fast client', () => {
  test('accepts the next message when the last frame of an answer arrives', async () => {
    const socket = serveFake()
    // After an answer comes a failure, and after a failure an answer.
    const models = [turn.model, 'unknown', turn.model]
    let completed = 0
    const sendNext = (): void => {
      const model = models.shift()
      if (model !== undefined) socket.receive({ ...turn, type: 'response.create', model })
    }
    socket.onFrame = (type) => {
      if (type === 'response.completed') completed += 1
      if (type === 'response.completed' || type === 'error') sendNext()
    }
    sendNext()
    await expect.poll(() => completed).toBe(2)
    expect(socket.frames.filter(({ type }) => type === 'error')).toMatchObject([{ status: 404 }])
    socket.terminate()
  })

  test('that sends and does not read is ended', () => {
    const socket = serveFake()
    socket.receive({ type: 'other' })
    expect([socket.frames.length, socket.isTerminated]).toEqual([1, false])
    socket.bufferedAmount = 2 * 1024 * 1024
    socket.receive({ type: 'other' })
    expect([socket.frames.length, socket.isTerminated]).toEqual([1, true])
  })
})

describe('a connection', () => {
  test('continues its last response only, which is not stored', async () => {
    const { open, mock } = await start({ model: scripted(['1', '2', '3']) })
    const connection = await open()
    const first = await connection.turn(turn)
    const second = await connection.turn({ ...turn, input: 'And?', previous_response_id: first.id })
    expect(JSON.stringify(mock.requests[1]?.body)).toMatch(/Hi.*1.*And\?/)
    expect(await connection.fail({ ...turn, previous_response_id: first.id })).toBe(
      'previous_response_not_found',
    )
    expect((await connection.turn({ ...turn, previous_response_id: second.id })).store).toBe(false)
  })

  test('stores responses that any request can continue', async () => {
    const { open, url, mock } = await start(
      { model: scripted(['1', '2', '3']) },
      { storage: memoryStorage() },
    )
    const connection = await open()
    const first = await connection.turn({ ...turn, store: false })
    const second = await connection.turn({ ...turn, store: true, previous_response_id: first.id })
    await connection.close()
    const body = { ...turn, input: 'And?', previous_response_id: second.id }
    const response = await fetch(`${url}/v1/responses`, { method: 'POST', body: JSON.stringify(body) })
    expect(response.status).toBe(200)
    expect(JSON.stringify(mock.requests[2]?.body)).toMatch(/Hi.*1.*Hi.*2.*And\?/)
  })

  test('can be prepared without a call of the model', async () => {
    const { open, mock } = await start({ model: scripted(['1']) })
    const connection = await open()
    const prepared = await connection.turn({ ...turn, generate: false })
    expect(prepared).toMatchObject({ status: 'completed', output: [] })
    expect(mock.requests).toHaveLength(0)
    await connection.turn({ ...turn, input: 'And?', previous_response_id: prepared.id })
    expect(JSON.stringify(mock.requests[0]?.body)).toMatch(/Hi.*And\?/)
    connection.socket.send(JSON.stringify({ type: 'response.processed', response_id: prepared.id }))
    expect(await connection.fail({ ...turn, previous_response_id: 'resp_x' })).toBe(
      'previous_response_not_found',
    )
  })

  test('has one response in flight; another one is refused and the first continues', async () => {
    const { open } = await start({ faults: [{ type: 'slow', delayMs: 20 }] })
    const connection = await open()
    connection.send(turn)
    expect(await connection.next()).toMatchObject({ type: 'response.created' })
    connection.send(turn)
    const frames: { readonly type?: string; readonly error?: { readonly code: string } }[] = []
    while (frames.at(-1)?.type !== 'response.completed') frames.push((await connection.next()) as object)
    expect(frames.filter(({ type }) => type === 'error')).toMatchObject([
      { error: { code: 'response_already_in_flight' } },
    ])
    expect(await connection.turn(turn)).toMatchObject({ status: 'completed' })
  })

  test('refuses what is no message, and messages that are too large', async () => {
    const { open } = await start({}, { maxBodyBytes: 1000 })
    const connection = await open()
    for (const sent of ['no JSON', '[]', '{"type":"other"}', new Uint8Array([1])]) {
      connection.socket.send(sent)
      expect(await connection.next()).toMatchObject({ type: 'error', status: 400 })
    }
    connection.socket.send('x'.repeat(2000))
    const [code] = (await once(connection.socket, 'close')) as [number]
    expect(code).toBe(1009)
  })

  test('has the largest message of the configuration when it is opened', async () => {
    const { open, server } = await start({}, { maxBodyBytes: 1000 })
    const long = { ...turn, input: 'x'.repeat(2000) }
    server.reload(createTestConfig(mockProvider()))
    expect(await (await open()).turn(long)).toMatchObject({ status: 'completed' })
  })

  test('sends errors of the provider, and continues', async () => {
    const { open } = await start({
      faults: [{ type: 'error', status: 429 }, { type: 'cut', afterChunks: 4 }, null],
    })
    const connection = await open()
    connection.send(turn)
    expect(await connection.next()).toMatchObject({ type: 'error', status: 429 })
    connection.send(turn)
    const types: unknown[] = []
    while (types.at(-1) !== 'response.failed')
      types.push(((await connection.next()) as { readonly type: string }).type)
    expect(types.at(-2)).toBe('error')
    expect(await connection.turn(turn)).toMatchObject({ status: 'completed' })
  })

  test('that is closed ends the call to the provider', async () => {
    const { open, signals } = await start({ faults: [{ type: 'stall', afterChunks: 2 }] })
    const connection = await open()
    connection.send(turn)
    await connection.next()
    connection.socket.terminate()
    await expect.poll(() => signals.map(({ aborted }) => aborted), { timeout: 20_000 }).toEqual([true])
  })

  test('is closed with its server, after the running answer', async () => {
    const { open, server } = await start({ faults: [{ type: 'slow', delayMs: 20 }] })
    const [idle, busy] = [await open(), await open()]
    busy.send(turn)
    await busy.next()
    const closed = [once(idle.socket, 'close'), once(busy.socket, 'close')]
    const closing = server.close()
    let last: unknown
    while (last !== 'response.completed') last = ((await busy.next()) as { readonly type: string }).type
    await Promise.all([closing, ...closed])
    expect(started.splice(0)).toHaveLength(1)
  })

  const listen = async (options: Partial<SocketServerOptions>): Promise<[string, () => Promise<void>]> => {
    const gateway = createGateway(createTestConfig(mockProvider()))
    const server = createServer()
    const sockets = createSocketServer(gateway, { getMaxMessageBytes: () => 1000, ...options })
    server.on('upgrade', sockets.upgrade)
    const url = await listenOn(server, { name: 'test', host: '127.0.0.1', port: 0 })
    return [url, () => closeServer(server, 0)]
  }

  test('is refused if there are too many, of one key or of all', async () => {
    const [url, close] = await listen({ maxConnections: 4 })
    const open = (key: string): Promise<Connection> =>
      new Connection(url, key === '' ? {} : { headers: { authorization: `Bearer ${key}` } }).open()
    const first = await open('a')
    await expect(open('a')).rejects.toThrow('429')
    const others = [await open('b'), await open(''), await open('')]
    await expect(open('c')).rejects.toThrow('503')
    await first.close()
    // The server notices the end of the first connection after the client.
    await expect.poll(async () => others.push(await open('a'))).toBe(4)
    for (const connection of others) connection.socket.terminate()
    await close()
  })

  test('ends after its time with an error that clients know', async () => {
    const [url, close] = await listen({ maxConnectionMs: 1 })
    const connection = await new Connection(url).open()
    const closed = once(connection.socket, 'close')
    expect(await connection.next()).toMatchObject({
      type: 'error',
      error: { code: 'websocket_connection_limit_reached' },
    })
    await closed
    await close()
  })
})
