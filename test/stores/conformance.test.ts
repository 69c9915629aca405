import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ConversationStorage,
  type EncryptionOptions,
  replicated,
  memoryStorage,
} from 'interlingua/stores'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { postgresStorage } from 'interlingua/stores/postgres'
import { redisStorage } from 'interlingua/stores/redis'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { conformanceTests, type StorageUnderTest } from 'interlingua/stores/testing'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { freshDatabase } from './postgres.ts'
import { hasRedis, openTestRedis, type TestRedis } from './redis.ts'

/** The full length takes minutes over all backends. */
const size = process.env['SOAK'] ? 100_000 : 5_000
const random = process.env['SOAK'] ? { operations: 10_000, seeds: 20 } : { operations: 60, seeds: 2 }

let folder = ''
let database: Awaited<ReturnType<typeof freshDatabase>>
let redis: TestRedis | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-stores-'))
  database = await freshDatabase()
  if (hasRedis) redis = await openTestRedis()
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await database.drop()
  await redis?.stop()
})

const openRedis = (options?: { readonly encryption: EncryptionOptions }): Promise<ConversationStorage> => {
  const { url = '', keyPrefix = '' } = redis ?? {}
  return redisStorage({ url }, { keyPrefix, ...options })
}

const subjects: Readonly<Record<string, StorageUnderTest>> = {
  memory: { open: async () => memoryStorage(), isVolatile: true, messageCount: size, random },
  jsonl: { open: () => jsonlStorage(join(folder, 'a.jsonl')), messageCount: size, random },
  sqlite: {
    open: () => sqliteStorage(join(folder, 'a.db'), { search: true }),
    supportsSharing: true,
    messageCount: size,
    random,
  },
  replicated: {
    open: async () => replicated([memoryStorage(), memoryStorage()]),
    isVolatile: true,
    messageCount: 1_000,
    random,
  },
  postgres: {
    open: () => postgresStorage(database.url, { search: true }),
    supportsSharing: true,
    messageCount: size,
    random: process.env['SOAK'] ? { operations: 1_000, seeds: 20 } : { operations: 30, seeds: 1 },
  },
  ...(hasRedis && {
    redis: {
      open: () => openRedis(),
      supportsSharing: true,
      messageCount: process.env['SOAK'] ? size : 2_000,
      random: process.env['SOAK'] ? { operations: 1_000, seeds: 20 } : { operations: 30, seeds: 1 },
    },
  }),
}

/** A keyring with a key for every tenant, because each test has a tenant of its own. */
const encryption: EncryptionOptions = {
  keys: {
    currentKeyId: () => 'key',
    key: (tenant) => createHash('sha256').update(tenant).digest(),
  },
}

const encrypted: Readonly<Record<string, StorageUnderTest>> = {
  'encrypted memory': {
    open: async () => memoryStorage({ encryption }),
    isVolatile: true,
    messageCount: 1_000,
    random: process.env['SOAK'] ? { operations: 1_000, seeds: 5 } : { operations: 30, seeds: 1 },
  },
  ...(process.env['SOAK'] && {
    'encrypted sqlite': {
      open: () => sqliteStorage(join(folder, 'encrypted.db'), { encryption }),
      supportsSharing: true,
      messageCount: 1_000,
      random: { operations: 100, seeds: 3 },
    },
    'encrypted jsonl': {
      open: () => jsonlStorage(join(folder, 'encrypted.jsonl'), { encryption }),
      messageCount: 1_000,
      random: { operations: 100, seeds: 3 },
    },
    'encrypted postgres': {
      open: () => postgresStorage(database.url, { encryption }),
      supportsSharing: true,
      messageCount: 1_000,
      random: { operations: 100, seeds: 3 },
    },
    ...(hasRedis && {
      'encrypted redis': {
        open: () => openRedis({ encryption }),
        supportsSharing: true,
        messageCount: 1_000,
        random: { operations: 100, seeds: 3 },
      },
    }),
  }),
}

const unsearchable = Object.entries(encrypted).map(
  ([name, subject]) => [name, { ...subject, supportsSearch: false }] as const,
)

describe.each([...Object.entries(subjects), ...unsearchable])('[r81, r124] %s', (_name, subject) => {
  for (const { name, run } of conformanceTests(subject)) test(name, run)
})
