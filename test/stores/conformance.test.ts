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
import { storageConformanceTests, type StorageUnderTest } from 'interlingua/stores/testing'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { freshDatabase } from './postgres.ts'
import { hasRedis, openTestRedis, type TestRedis } from './redis.ts'

/** The full length takes minutes over all backends. */
const size = process.env['SOAK'] ? 100_000 : 1_200
const random = process.env['SOAK'] ? { operations: 10_000, seeds: 20 } : { operations: 60, seeds: 2 }
/** A round trip to a server takes longer than an operation in this process. */
const randomOnServer = process.env['SOAK'] ? random : { operations: 30, seeds: 1 }

/** Closes the storages that checks have shared. */
const closeShared: (() => Promise<void>)[] = []

let folder = ''
let database: Awaited<ReturnType<typeof freshDatabase>>
let redis: TestRedis | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-stores-'))
  database = await freshDatabase()
  if (hasRedis) redis = await openTestRedis()
})
afterAll(async () => {
  for (const close of closeShared) await close()
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
    random: randomOnServer,
  },
  ...(hasRedis && {
    redis: {
      open: () => openRedis(),
      supportsSharing: true,
      messageCount: process.env['SOAK'] ? size : 1_200,
      random: randomOnServer,
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

/** The check that closes and opens a storage. The others have a tenant of their own in a storage that stays open. */
const REOPENING_CHECK = 'data survives closing and reopening'

/**
 * Returns a subject whose storages stay open after they are closed, for the check that opens one next: opening a long
 * journal and closing a database takes longer than most checks. A second one that is open at the same time is another.
 */
function shareOpened(subject: StorageUnderTest): StorageUnderTest {
  const idle: ConversationStorage[] = []
  closeShared.push(async () => {
    for (const storage of idle) await storage.close()
  })
  return {
    ...subject,
    open: async () => {
      const storage = idle.pop() ?? (await subject.open())
      return { ...storage, close: async () => void idle.push(storage) }
    },
  }
}

describe.each([...Object.entries(subjects), ...unsearchable])('[r81, r124] %s', (_name, subject) => {
  // A journal has one writer, so this check comes before a storage stays open.
  for (const { name, run } of storageConformanceTests(subject)) if (name === REOPENING_CHECK) test(name, run)
  for (const { name, run } of storageConformanceTests(shareOpened(subject)))
    if (name !== REOPENING_CHECK) test(name, run)
})
