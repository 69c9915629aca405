import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A received request. */
export interface Captured {
  readonly method: string
  readonly path: string
  readonly query: { readonly [name: string]: string }
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly body: unknown
}

/** Handles one request of the fake. */
export type Act = (response: ServerResponse, request: Captured) => void | Promise<void>

/** A provider on this machine. */
export interface Fake {
  readonly url: string
  readonly requests: readonly Captured[]
  /** Handlers of the next requests, one each; after the last one the default handler is used again. */
  next(...acts: readonly Act[]): void
  /** The number of open connections with data; after an abort, Node's fetch opens an idle one in reserve. */
  connections(): number
  /** Resolves when this many requests were aborted by the client before the response. */
  abandoned(count: number): Promise<void>
  close(): Promise<void>
}

/** Starts a fake with a default handler. */
export async function startFake(usual: Act): Promise<Fake> {
  const requests: Captured[] = []
  const acts: Act[] = []
  const sockets = new Set<Socket>()
  const gaveUp: (() => void)[] = []
  let abandoned = 0
  // Node's five seconds would close a connection that a client is about to use again on a busy machine.
  const server: Server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    response.on('close', () => {
      if (response.writableFinished) return
      abandoned++
      for (const notify of gaveUp.splice(0)) notify()
    })
    void capture(incoming).then(async (request) => {
      requests.push(request)
      await (acts.shift() ?? usual)(response, request)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (...more) => void acts.push(...more),
    connections: () => [...sockets].filter(({ bytesRead }) => bytesRead > 0).length,
    async abandoned(count) {
      while (abandoned < count) await new Promise<void>((resolve) => gaveUp.push(resolve))
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function capture(incoming: IncomingMessage): Promise<Captured> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString('utf8')
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://fake')
  return {
    method: incoming.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: incoming.headers,
    text,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  }
}

/** Responds with JSON. */
export function sends(body: unknown, status = 200, headers: { readonly [name: string]: string } = {}): Act {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

/** Responds with a stream of pieces, with a pause between them. */
export function streams(pieces: readonly string[], type: string, pause = 0): Act {
  return async (response) => {
    response.writeHead(200, { 'content-type': type })
    for (const [index, piece] of pieces.entries()) {
      if (pause > 0 && index > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      if (response.destroyed) return
      response.write(piece)
    }
    response.end()
  }
}

/** Sends part of a stream, then drops the connection. */
export function cutsAfter(pieces: readonly string[], type: string): Act {
  return (response) => {
    response.writeHead(200, { 'content-type': type })
    response.flushHeaders()
    const sent = pieces.join('')
    if (sent === '') return void setImmediate(() => response.destroy())
    response.write(sent, () => setImmediate(() => response.destroy()))
  }
}

/** Sends a start, then repeats a piece until the client disconnects. */
export function pours(
  piece: string,
  type: string,
  { status = 200, first = '' }: { readonly status?: number; readonly first?: string } = {},
): Act {
  return async (response) => {
    response.writeHead(status, { 'content-type': type })
    response.write(first)
    while (!response.destroyed) await new Promise((resolve) => response.write(piece, resolve))
  }
}

/** Drops the connection without a response. */
export const hangsUp: Act = (response) => void response.destroy()

/** Never responds. */
export const staysSilent: Act = () => {}

/** Sends part of a stream, then stays silent. */
export function stallsAfter(pieces: readonly string[], type: string): Act {
  return (response) => {
    response.writeHead(200, { 'content-type': type })
    response.flushHeaders()
    if (pieces.length > 0) response.write(pieces.join(''))
  }
}
