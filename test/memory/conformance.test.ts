import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inProcessMemory } from 'interlingua/memory'
import { postgresMemory } from 'interlingua/memory/postgres'
import { type SqliteDatabase, sqliteMemory } from 'interlingua/memory/sqlite'
import { memoryConformanceTests, type MemoryStoreUnderTest } from 'interlingua/memory/testing'
import { getLoadablePath } from 'sqlite-vec'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { freshDatabase } from '../stores/postgres.ts'

interface ExtensibleDatabase extends SqliteDatabase {
  enableLoadExtension(allow: boolean): void
  loadExtension(path: string): void
}

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
  DatabaseSync: new (path: string, options?: object) => ExtensibleDatabase
}

/** Opens a database with the extension. Of a path, the driver collects garbage on close, which takes long in a test. */
function openWithSqliteVec(path: string): SqliteDatabase {
  const opened = new DatabaseSync(path, { allowExtension: true })
  opened.enableLoadExtension(true)
  opened.loadExtension(getLoadablePath())
  return opened
}

let folder = ''
let database: Awaited<ReturnType<typeof freshDatabase>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-memory-'))
  database = await freshDatabase()
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await database.drop()
})

const subjects: Readonly<Record<string, MemoryStoreUnderTest>> = {
  'in process': { open: async (options) => inProcessMemory(options), isVolatile: true },
  'sqlite with sqlite-vec': {
    open: (options) => sqliteMemory(openWithSqliteVec(join(folder, 'a.db')), options),
  },
  'sqlite without sqlite-vec': {
    open: (options) => sqliteMemory(new DatabaseSync(join(folder, 'b.db')), options),
  },
  postgres: { open: (options) => postgresMemory(database.url, options) },
}

describe.each(Object.entries(subjects))('%s', (_name, subject) => {
  for (const { name, run } of memoryConformanceTests(subject)) test(name, run)
})
