import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { NodeHttp1Handler } from 'srvx'
import { toNodeHandler } from 'srvx/node'
import { checkListenAddress } from '../dialects/server/listen-address.ts'
import { closeServer, listenOn } from '../gateway/node/listen.ts'
import { isSameMachine } from '../gateway/node/loopback.ts'
import type { ConversationStorage } from '../stores/conversation-storage.ts'
import { getPackageFile } from '../node/package-file.ts'
import { answerPageFile, readPageFiles } from './page-files.ts'

/** Options of {@link startStudio}. */
export interface StudioOptions {
  /** Where conversations are stored. */
  readonly storage: ConversationStorage
  /** 0 for a free one. */
  readonly port: number
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

/** Starts the studio: its page, and the API of the page, for this machine only. */
export async function startStudio(options: StudioOptions): Promise<StudioServer> {
  const { port, pageFolder = fileURLToPath(getPackageFile('dist/studio/page')) } = options
  checkListenAddress(port, HOST)
  const files = await readPageFiles(pageFolder)
  const token = randomBytes(24).toString('base64url')
  const answer = async (request: Request): Promise<Response> =>
    answerPageFile(files, new URL(request.url).pathname)
  const handle = toNodeHandler(answer) as NodeHttp1Handler
  const server = createServer((request, response) => {
    // A page of another site must not reach the studio through a name that it controls.
    if (!isSameMachine(request.headers)) response.writeHead(403).end()
    else void Promise.resolve(handle(request, response)).catch(() => response.destroy())
  })
  const url = await listenOn(server, { name: 'studio', port, host: HOST })
  return { url: `${url}/#token=${token}`, close: () => closeServer(server, 0) }
}
