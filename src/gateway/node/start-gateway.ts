import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { NodeHttp1Handler } from 'srvx'
import { toNodeHandler } from 'srvx/node'
import { checkListenAddress } from '../../dialects/server/listen-address.ts'
import { InterlinguaError } from '../../errors.ts'
import { checkOptions } from '../../wire/check-options.ts'
import type { GatewayConfig } from '../config.ts'
import { createServedGateway, DEFAULT_MAX_BODY_BYTES } from '../gateway.ts'
import { closeServer, isLoopback, isSameMachine, listenOn } from './listen.ts'
import { nodeResponses } from './node-responses.ts'
import { createSocketServer, refuseUpgrade } from './socket-server.ts'

/** Options of {@link startGateway}. */
export interface GatewayServerOptions {
  /** Default: 4000; 0 for a free one. */
  readonly port?: number
  /** The address to listen on. Another one than this machine's own needs keys. Default: `127.0.0.1`. */
  readonly host?: string
}

/** A running gateway. */
export interface GatewayServer {
  /** The URL without a path: `http://127.0.0.1:4000`. */
  readonly url: string
  /** Replaces the configuration; running answers are completed with the old one. Throws and changes nothing if it is invalid. */
  reload(config: GatewayConfig): void
  /** Accepts no more requests, lets running answers finish, and closes what has not ended after the time. Default: 30 seconds. */
  close(graceMs?: number): Promise<void>
}

const DEFAULT_PORT = 4000
const DEFAULT_GRACE_MS = 30_000

/** How long a client may take to send the headers and the whole request. */
const HEADERS_TIMEOUT_MS = 20_000
const REQUEST_TIMEOUT_MS = 120_000

/**
 * How long an idle connection stays open: longer than load balancers keep theirs (60 seconds is usual), so that none sends a request
 * on a connection that the gateway is closing.
 */
const KEEP_ALIVE_TIMEOUT_MS = 75_000

/**
 * Starts a gateway as a server of this machine.
 *
 * @example
 * const server = await startGateway({ routes: [{ model: '*', to: 'anthropic:claude-sonnet-5' }] })
 * const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'unused' })
 * await server.close()
 */
export async function startGateway(
  config: GatewayConfig,
  options: GatewayServerOptions = {},
): Promise<GatewayServer> {
  checkOptions('`startGateway`', options, { port: true, host: true })
  const { port = DEFAULT_PORT, host = '127.0.0.1' } = options
  checkListenAddress(port, host)
  const isLocal = isLoopback(host)
  const checkKeys = ({ keys = [] }: GatewayConfig): void => {
    if (!isLocal && keys.length === 0) throw createOpenGatewayError(host)
  }
  const gateway = createServedGateway(config, nodeResponses)
  checkKeys(config)
  const handle = toNodeHandler((request) => gateway(request)) as NodeHttp1Handler
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS },
    (request, response) => {
      // A page in a browser must not reach the gateway of its user through a name that it controls.
      if (isLocal && !isSameMachine(request.headers)) response.writeHead(403).end()
      else void Promise.resolve(handle(request, response)).catch(() => response.destroy())
    },
  )
  server.headersTimeout = HEADERS_TIMEOUT_MS
  let { maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = config
  const sockets = createSocketServer(gateway, { getMaxMessageBytes: () => maxBodyBytes })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isLocal && !isSameMachine(request.headers)) refuseUpgrade(socket, 403)
    else sockets.upgrade(request, socket, head)
  })
  const url = await listenOn(server, { name: 'gateway', port, host })
  let closing: Promise<unknown> | undefined
  return {
    url,
    reload(changed) {
      checkKeys(changed)
      gateway.reload(changed)
      maxBodyBytes = changed.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES
    },
    async close(graceMs = DEFAULT_GRACE_MS) {
      closing ??= Promise.all([gateway.close(), closeServer(server, graceMs)])
      sockets.close(graceMs)
      await closing
    },
  }
}

function createOpenGatewayError(host: string): InterlinguaError {
  return new InterlinguaError('missing-field', `The gateway cannot listen on ${host} without keys`, {
    path: '/keys',
    found: 'no keys',
    expected: 'at least one key, or an address of this machine such as 127.0.0.1',
    hint: 'Create a key with `interlingua keys`, and add its entry to `keys` of the configuration.',
  })
}
