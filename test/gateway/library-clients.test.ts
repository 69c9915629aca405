import type { GatewayServer } from 'interlingua/gateway/node'
import { afterAll, beforeAll, describe } from 'vitest'
import { libraryClients } from './clients/all-clients.ts'
import { describeClients, startQuestionGateway } from './clients/describe-clients.ts'
import { areLibrariesInstalled } from './clients/installed-libraries.ts'

let server: GatewayServer
beforeAll(async () => {
  server = await startQuestionGateway()
})
afterAll(() => server.close())

describe.skipIf(!areLibrariesInstalled)('models of libraries', () =>
  describeClients(libraryClients, () => server.url),
)
