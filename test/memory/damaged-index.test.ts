import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InterlinguaError } from 'interlingua'
import type { MemoryStore } from 'interlingua/memory'
import { sqliteMemory } from 'interlingua/memory/sqlite'
import type { SqliteDatabase } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { observeStatements } from '../stores/observe-statements.ts'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
  DatabaseSync: new (path: string, options?: { readonly defensive: boolean }) => SqliteDatabase
}

const tenant = 'ada'
/** More than three slices of a list, and more than one transaction deletes. */
const COUNT = 1000
const PAGE_SIZE = 50
const CREATED_AT = '2026-01-01T00:00:00.000Z'
const toKey = (index: number): string => `k${String(index).padStart(3, '0')}`
/** Far more statements than an operation on so many memories needs. */
const MAX_STATEMENTS = 500
const vector = { model: 'm', values: [1, 2] }

let folder = ''
let files = 0

const intact = (): string => join(folder, 'intact.db')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-memory-index-'))
  await fill(intact())
})
afterAll(() => rm(folder, { recursive: true }))

/** Fills a store. Half of the memories have expired when it is opened again. */
async function fill(path: string): Promise<void> {
  const memory = await sqliteMemory(path, { now: () => Date.parse(CREATED_AT) })
  const memories = Array.from({ length: COUNT }, (_, index) => ({
    key: toKey(index),
    text: `Fact ${index}`,
    vector,
    ...(index % 2 === 1 && { expiresAt: '2026-01-02T00:00:00.000Z' }),
  }))
  await memory.putAll({ tenant, memories })
  await memory.close()
}

/** Changes rows of the memories, but none of their indexes: as if the pages of one of both were older. */
function changeBehindIndexes(path: string, statement: string): void {
  const run = (...texts: readonly string[]): void => {
    const database = new DatabaseSync(path, { defensive: false })
    for (const text of texts) database.exec(text)
    database.close()
  }
  const primaryKey = `,\n      primary key (tenant, key)`
  const ofTable = `from sqlite_schema where tbl_name = 'interlingua_memories'`
  run(
    'create table hidden (type text, name text, tbl_name text, rootpage integer, sql text)',
    `insert into hidden select type, name, tbl_name, rootpage, sql ${ofTable}`,
    'pragma writable_schema = on',
    `delete ${ofTable} and type = 'index'`,
    `update sqlite_schema set sql = replace(sql, '${primaryKey}', '') where name = 'interlingua_memories'`,
  )
  run(statement)
  run(
    'pragma writable_schema = on',
    `delete ${ofTable}`,
    `insert into sqlite_schema select * from hidden order by rootpage`,
    'pragma writable_schema = off',
  )
  run('drop table hidden')
}

/**
 * Changes a byte of each key in the entries of both indexes over times, but not in the rows. The keys are no UTF-8 any more:
 * they are read as keys that come before them, so a list that continues after such a key finds it again.
 */
async function changeEntries(path: string): Promise<void> {
  const bytes = await readFile(path)
  for (let index = 0; index < COUNT; index++) {
    const entry = `${CREATED_AT}${toKey(index)}`
    const places: number[] = []
    for (let at = bytes.indexOf(entry); at !== -1; at = bytes.indexOf(entry, at + 1)) places.push(at)
    expect(places).toHaveLength(2)
    for (const at of places) bytes[at + CREATED_AT.length] = 0xff
  }
  await writeFile(path, bytes)
}

/** Opens the store with a database that refuses to work forever. */
async function openLimited(path: string): Promise<MemoryStore> {
  let left = MAX_STATEMENTS
  const limited = observeStatements(new DatabaseSync(path), (_text, execute) => {
    if (left-- === 0) throw new Error('too many statements')
    return execute()
  })
  return sqliteMemory(limited)
}

async function listAll(memory: MemoryStore): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await memory.list({ tenant, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) })
    cursor = page.cursor
  } while (cursor !== undefined)
}

const operations: Readonly<Record<string, (memory: MemoryStore) => Promise<unknown>>> = {
  list: listAll,
  'search of words': (memory) => memory.search({ tenant, text: 'fact' }),
  'search of a vector': (memory) => memory.search({ tenant, vector }),
  put: (memory) => memory.putAll({ tenant, memories: [{ key: toKey(0), text: 'Changed' }] }),
  delete: (memory) => memory.delete({ tenant, key: toKey(0) }),
  prune: (memory) => memory.prune(),
  forget: (memory) => memory.forget(tenant),
}

/** Changes that leave entries of an index before or after their rows, or in another place. */
const damages: Readonly<Record<string, (path: string) => void | Promise<void>>> = {
  'keys that are no text': changeEntries,
  'later times': (path) =>
    changeBehindIndexes(path, `update interlingua_memories set created_at = '2000' || substr(created_at, 5)`),
  'earlier times': (path) =>
    changeBehindIndexes(path, `update interlingua_memories set created_at = '3000' || substr(created_at, 5)`),
  'later keys': (path) => changeBehindIndexes(path, `update interlingua_memories set key = 'a' || key`),
  'earlier keys': (path) => changeBehindIndexes(path, `update interlingua_memories set key = 'z' || key`),
  'another tenant': (path) => changeBehindIndexes(path, `update interlingua_memories set tenant = 'bob'`),
  'later expiry': (path) =>
    changeBehindIndexes(path, `update interlingua_memories set expires_at = '9999-01-01T00:00:00.000Z'`),
  'no expiry': (path) => changeBehindIndexes(path, 'update interlingua_memories set expires_at = null'),
  'another model': (path) => changeBehindIndexes(path, `update interlingua_memories set vector_model = 'n'`),
  'missing rows': (path) => changeBehindIndexes(path, `delete from interlingua_memories where key > 'k200'`),
}

describe.each(Object.entries(damages))('in an index with %s', (_damage, damage) => {
  test.each(Object.entries(operations))('%s ends, or reports the damage', async (operation, run) => {
    const path = join(folder, `${++files}.db`)
    await copyFile(intact(), path)
    await damage(path)
    const memory = await openLimited(path)
    const outcome = await run(memory).then(
      () => 'ended',
      (error: unknown) => (error instanceof InterlinguaError ? error.code : String(error)),
    )
    expect({ operation, outcome }).toEqual({
      operation,
      outcome: expect.stringMatching(/^(ended|damaged)$/) as string,
    })
    await memory.close()
  })
})
