import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Gateway } from '../gateway.ts'
import { ResponsesSocket } from './responses-socket.ts'

/** The default of the highest number of open connections. */
const MAX_CONNECTIONS = 1000

/** The part of the connections that one key may have, so that it cannot keep out the others. */
const SHARE_OF_KEY = 0.25

/** Options of {@link createSocketServer}. */
export interface SocketServerOptions {
  /** Returns the largest message of a client. New connections have the limit of their time. */
  readonly getMaxMessageBytes: () => number
  readonly maxConnections?: number
  /** Default: 60 minutes. */
  readonly maxConnectionMs?: number
}

/** Upgrades requests to WebSockets. */
export interface SocketServer {
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Closes the connections when their answers have ended, and at once after the time. */
  readonly close: (graceMs: number) => void
}

/** Creates the server of the WebSocket mode in front of a gateway. */
export function createSocketServer(
  gateway: Gateway,
  { getMaxMessageBytes, maxConnections = MAX_CONNECTIONS, maxConnectionMs }: SocketServerOptions,
): SocketServer {
  const server = new WebSocketServer({ noServer: true, clientTracking: false })
  const open = new Map<ResponsesSocket, string>()

  /** Returns the status that refuses a connection; undefined if there is room for it. */
  function findRefusal(key: string): number | undefined {
    if (open.size >= maxConnections) return 503
    const count = [...open.values()].filter((each) => each === key).length
    return key !== '' && count >= maxConnections * SHARE_OF_KEY ? 429 : undefined
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const opening = { url: toUrl(request), headers: toHeaders(request) }
    const key = opening.headers.get('authorization') ?? ''
    // The gateway checks the key and the path: it asks for an upgrade if it accepts both.
    const { status } = await gateway(new Request(opening.url, { headers: opening.headers }))
    const refusal = status === UPGRADE_REQUIRED ? findRefusal(key) : status
    if (refusal !== undefined) return refuseUpgrade(socket, refusal)
    server.options.maxPayload = getMaxMessageBytes()
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = new ResponsesSocket(webSocket, gateway, opening, maxConnectionMs)
      open.set(connection, key)
      webSocket.on('close', () => open.delete(connection))
    })
  }

  return {
    upgrade(request, socket, head) {
      // Until the upgrade, nothing else handles the errors of the socket.
      const ignore = (): void => {}
      socket.on('error', ignore)
      upgrade(request, socket, head)
        .catch(() => refuseUpgrade(socket, 400))
        .finally(() => socket.off('error', ignore))
    },
    close(graceMs) {
      for (const connection of open.keys()) connection.close()
      setTimeout(() => {
        for (const connection of open.keys()) connection.terminate()
      }, graceMs).unref()
    },
  }
}

/** The status with which the gateway answers a request for a connection. */
const UPGRADE_REQUIRED = 426

/** Refuses an upgrade. A path without WebSockets gets a status after which programs use plain requests. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  const sent = status === 404 ? UPGRADE_REQUIRED : status
  socket.end(`HTTP/1.1 ${sent} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

function toUrl({ url = '/' }: IncomingMessage): string {
  const { pathname, search } = new URL(url, 'http://gateway')
  return `http://gateway${pathname}${search}`
}

/** The headers that belong to the connection, not to its requests. */
const CONNECTION_HEADERS = /^(?:connection|upgrade|host|content-.*|transfer-encoding|sec-websocket-.*)$/

function toHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(headersDistinct))
    if (!CONNECTION_HEADERS.test(name)) for (const value of values ?? []) headers.append(name, value)
  return headers
}
