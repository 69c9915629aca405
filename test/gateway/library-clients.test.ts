import { describe } from 'vitest'
import { libraryClients } from './clients/all-clients.ts'
import { describeClients } from './clients/describe-clients.ts'
import { areLibrariesInstalled } from './clients/installed-libraries.ts'

describe.skipIf(!areLibrariesInstalled)('models of libraries', () => describeClients(libraryClients))
