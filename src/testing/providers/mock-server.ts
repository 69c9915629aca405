import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { checkListenAddress } from '../../dialects/server/listen-address.ts'
import { InterlinguaError } from '../../errors.ts'
import { readOptions } from '../../wire/check-options.ts'
import {
  MOCK_OPTION_NAMES,
  mockProvider,
  type MockProvider,
  type MockProviderOptions,
} from './mock-provider.ts'

/** Options of {@link startMockServer}. */
export interface MockServerOptions extends MockProviderOptions {
  /** Default: a free port. */
  readonly port?: number
  /** Default: `127.0.0.1`. */
  readonly host?: string
}

/** A running mock server. */
export interface MockServer extends Pick<MockProvider, 'requests'> {
  /** The URL without a path: `http://127.0.0.1:4010`. */
  readonly url: string
  /** Closes all connections and the server. */
  close(): Promise<void>
}

/** The largest request body that the server reads. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/**
 * Starts a local server that behaves like the provider of every dialect. Point a client or an agent program at its URL.
 *
 * @example
 * const server = await startMockServer({ faults: [{ type: 'error', status: 429, retryAfterSeconds: 1 }] })
 * const client = new Anthropic({ apiKey: 'test', baseURL: server.url })
 * await server.close()
 */
export async function startMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const {
    port = 0,
    host = '127.0.0.1',
    ...mockOptions
  } = readOptions('startMockServer()', options, {
    ...MOCK_OPTION_NAMES,
    port: true,
    host: true,
  })
  checkListenAddress(port, host)
  const mock = mockProvider(mockOptions)
  // Node's five seconds would close a connection that a client is about to use again on a busy machine.
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    void respond(mock, incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening').catch((cause: unknown) => {
    throw new InterlinguaError('invalid-value', `The mock server cannot listen on ${host}, port ${port}`, {
      found: cause instanceof Error ? cause.message : 'an unknown reason',
      expected: 'a free port of this machine',
      hint: 'Choose another port, or omit `port` for a free one.',
      cause,
    })
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    requests: mock.requests,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function respond(
  mock: MockProvider,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const abort = new AbortController()
  outgoing.on('close', () => abort.abort())
  const body = await readBody(incoming)
  if (body === undefined) {
    outgoing
      .writeHead(413, { 'content-type': 'application/json' })
      .end('{"error":{"message":"Request too large"}}')
    return
  }
  const response = await mock.fetch(toRequest(incoming, body, abort.signal))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  for await (const chunk of response.body ?? []) if (!outgoing.write(chunk)) await once(outgoing, 'drain')
  outgoing.end()
}

function toRequest(
  { url = '/', method = 'GET', headers }: IncomingMessage,
  body: Buffer,
  signal: AbortSignal,
): Request {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return new Request(new URL(url, 'http://localhost'), {
    method,
    headers: entries.filter(
      ([name]) => name !== 'content-length' && name !== 'host' && name !== 'connection',
    ),
    signal,
    ...(method !== 'GET' && method !== 'HEAD' && { body: new Uint8Array(body) }),
  })
}

async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > MAX_BODY_BYTES) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
