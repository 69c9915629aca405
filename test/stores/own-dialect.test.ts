import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Message } from 'interlingua'
import { type ConversationStorage, memoryStorage, replicated } from 'interlingua/stores'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { postgresStorage } from 'interlingua/stores/postgres'
import { redisStorage } from 'interlingua/stores/redis'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requests, responses } from '../dialects/kit/parley-bodies.ts'
import { parleyDialect } from '../dialects/kit/parley-dialect.ts'
import { expectSame } from '../law-assertions.ts'
import { hasRedis } from './redis.ts'
import { type Servers, startServers } from './start-servers.ts'

let servers: Servers
beforeAll(async () => {
  servers = await startServers('own-dialect')
})
afterAll(() => servers.stop())

const encryption = {
  keys: { currentKeyId: () => 'key', key: () => createHash('sha256').update('key').digest() },
}

/** How each backend is opened; one that keeps nothing is opened once. */
const backends: Readonly<Record<string, () => Promise<ConversationStorage>>> = {
  memory: async () => memoryStorage(),
  replicated: async () => replicated([memoryStorage(), memoryStorage()]),
  'encrypted memory': async () => memoryStorage({ encryption }),
  jsonl: () => jsonlStorage(join(servers.folder, 'a.jsonl')),
  sqlite: () => sqliteStorage(join(servers.folder, 'a.db'), { search: true }),
  postgres: () => postgresStorage(servers.database.url, { search: true }),
  ...(hasRedis && {
    redis: () =>
      redisStorage({ url: servers.redis?.url ?? '' }, { keyPrefix: servers.redis?.keyPrefix ?? '' }),
  }),
}
const isVolatile = (name: string): boolean => name.endsWith('memory') || name === 'replicated'

/** Writes messages, and reads them with a storage that was opened again. */
async function storeAndRead(
  name: string,
  id: string,
  messages: Iterable<Message>,
): Promise<readonly Message[]> {
  const open = backends[name] as () => Promise<ConversationStorage>
  const storage = await open()
  await storage.createSession({ id })
  await storage.append(id, [...messages])
  if (isVolatile(name)) return [...(await storage.messages(id))]
  await storage.close()
  const reopened = await open()
  try {
    return [...(await reopened.messages(id))]
  } finally {
    await reopened.close()
  }
}

describe.each(Object.keys(backends))('%s keeps conversations of a dialect of the user', (name) => {
  test('so that requests are encoded exactly as they were received', async () => {
    for (const [index, body] of requests.entries()) {
      const request = parleyDialect.decodeRequest(body).value
      const messages = await storeAndRead(name, `request-${index}`, request.messages)
      const contents = messages.map(({ parentId: _parentId, ...message }) => message)
      expectSame(contents, [...request.messages])
      expectSame(parleyDialect.encodeRequest({ ...request, messages }), { value: body, losses: [] })
    }
  })

  test('and answers, with the residue of the response', async () => {
    for (const [index, body] of responses.entries()) {
      const response = parleyDialect.decodeResponse(body).value
      const candidates = await storeAndRead(name, `response-${index}`, response.candidates)
      expect(candidates).toHaveLength(1)
      const value = { ...response, candidates } as typeof response
      expectSame(parleyDialect.encodeResponse(value), { value: body, losses: [] })
    }
  })
})
