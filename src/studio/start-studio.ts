import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { NodeHttp1Handler } from 'srvx'
import { toNodeHandler } from 'srvx/node'
import { checkListenAddress } from '../dialects/server/listen-address.ts'
import { hashKey } from '../gateway/client-registry.ts'
import { closeServer, isSameMachine, listenOn } from '../gateway/node/listen.ts'
import type { ConversationStorage } from '../stores/conversation-storage.ts'
import { getPackageFile } from '../node/get-package-file.ts'
import { createChatCalls } from './calls/chat-calls.ts'
import { createGatewayCalls, createGatewayStreams, GATEWAY_PATH } from './calls/gateway-calls.ts'
import { createSessionCalls } from './calls/session-calls.ts'
import { GatewayMonitor } from './gateway-monitor.ts'
import { HttpApi } from './http-api.ts'
import { ConversationLibrary } from './conversation-library.ts'
import { listModelGroups } from './studio-models.ts'
import { answerPageFile, readPageFiles } from './page-files.ts'
import { createSampleLibrary } from './samples/sample-library.ts'

/** Options of {@link startStudio}. */
export interface StudioOptions {
  /** The storage of the conversations. */
  readonly storage: ConversationStorage
  /** 0 for a free one. Default: 4870, or a free one if another program uses it. */
  readonly port?: number
  /** The folder of the built page. Default: the one of the package. */
  readonly pageFolder?: string
}

/** A running studio. */
export interface StudioServer {
  /** The URL to open. It contains the token of this start. */
  readonly url: string
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const DEFAULT_PORT = 4870
const CLOSE_GRACE_MS = 200
const SECRET_BYTES = 24

function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** Starts the studio: its page, and the API of the page, for this machine only. */
export async function startStudio(options: StudioOptions): Promise<StudioServer> {
  const { storage, port, pageFolder = fileURLToPath(getPackageFile('dist/studio/page')) } = options
  checkListenAddress(port ?? DEFAULT_PORT, HOST)
  const files = await readPageFiles(pageFolder)
  const token = createSecret()
  // Not the token: a program that uses models must not read the conversations.
  const key = createSecret()
  const monitor = new GatewayMonitor(await hashKey(key))
  const library = new ConversationLibrary(storage, await createSampleLibrary())
  let url = ''
  const api = new HttpApi(
    token,
    {
      'models.list': listModelGroups,
      ...createSessionCalls(library),
      ...createGatewayCalls(monitor, { key, getUrl: () => url }),
    },
    { ...createChatCalls(library), ...createGatewayStreams(monitor) },
  )
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith(`${GATEWAY_PATH}/`)) return monitor.answer(request)
    const [, call] = /^\/api\/(.+)$/.exec(pathname) ?? []
    return call === undefined ? answerPageFile(files, pathname) : api.answer(request, call)
  }
  const handle = toNodeHandler(answer) as NodeHttp1Handler
  const server = createServer((request, response) => {
    if (!isOwnRequest(request.headers)) response.writeHead(403).end()
    else void Promise.resolve(handle(request, response)).catch(() => response.destroy())
  })
  const listen = (to: number): Promise<string> => listenOn(server, { name: 'studio', port: to, host: HOST })
  url = await (port === undefined ? listen(DEFAULT_PORT).catch(() => listen(0)) : listen(port))
  return {
    url: `${url}/#token=${token}`,
    close: async () => {
      monitor.close()
      await closeServer(server, CLOSE_GRACE_MS)
    },
  }
}

/**
 * Tests whether a request comes from this machine, and from no page of another site: such a page must reach the studio neither
 * through a name that it controls, nor from its own origin.
 */
function isOwnRequest(headers: IncomingHttpHeaders): boolean {
  const { host = '', origin } = headers
  return isSameMachine(headers) && (origin === undefined || origin === `http://${host}`)
}
