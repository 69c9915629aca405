import { postgresGatewayState } from 'interlingua/gateway/node'
import { postgresMemory } from 'interlingua/memory/postgres'
import { sqliteMemory } from 'interlingua/memory/sqlite'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { postgresStorage, postgresStreamLog } from 'interlingua/stores/postgres'
import { redisStorage } from 'interlingua/stores/redis'
import { sqliteStorage, sqliteStreamLog } from 'interlingua/stores/sqlite'
import { describe, expect, test } from 'vitest'

/** Functions that open a storage, and a URL of another server. */
const openers: Record<string, (address: never) => Promise<unknown>> = {
  sqliteStorage,
  sqliteStreamLog,
  sqliteMemory,
  jsonlStorage,
  postgresStorage,
  postgresStreamLog,
  postgresMemory,
  postgresGatewayState,
  redisStorage: (url: never) => redisStorage({ url }),
}

const isServer = (name: string): boolean => /^(postgres|redis)/.test(name)
const invalid = { code: expect.stringMatching(/^invalid-/), retryable: false }

describe('an address that is missing is refused, and nothing is opened', () => {
  test.each(Object.entries(openers))('%s', async (_name, open) => {
    await expect(open(undefined as never)).rejects.toMatchObject(invalid)
    await expect(open('' as never)).rejects.toMatchObject(invalid)
    await expect(open(5 as never)).rejects.toMatchObject(invalid)
  })
})

describe('a URL of another server is refused without its password', () => {
  test.each(Object.entries(openers).filter(([name]) => isServer(name)))('%s', async (_name, open) => {
    for (const address of ['mysql://ada:secret@db.example/chat', 'db.example/secret', 'secret.db']) {
      const error: unknown = await open(address as never).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ ...invalid, path: '/url' })
      expect(JSON.stringify(error)).not.toContain('secret')
    }
  })

  test('an unset variable is named as the likely cause', async () => {
    await expect(postgresStorage(undefined as never)).rejects.toMatchObject({
      hint: expect.stringContaining('environment variable'),
    })
  })
})
