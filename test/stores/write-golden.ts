import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { assistant, user } from 'interlingua'
import type { MemoryStore } from 'interlingua/memory'
import { postgresMemory } from 'interlingua/memory/postgres'
import { sqliteMemory } from 'interlingua/memory/sqlite'
import type { ConversationStorage, StreamLog } from 'interlingua/stores'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { postgresStorage, postgresStreamLog } from 'interlingua/stores/postgres'
import { sqliteStorage, sqliteStreamLog } from 'interlingua/stores/sqlite'
import { MIGRATIONS } from '../../src/stores/sql/migrations.ts'
import { freshDatabase } from './postgres.ts'

const createdAt = '2026-11-15T10:07:02.776Z'
const origin = { dialect: 'anthropic', provider: 'anthropic', model: 'm' }
const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7, cachedInputTokens: 3 }

/** Writes what every golden file contains: branches, sections, labels, usage and a fork. */
async function fill(storage: ConversationStorage): Promise<void> {
  await storage.createSession({ id: 'golden', title: 'Golden', labels: ['a b', 'ä'], parameters: { n: 1 } })
  const answer = (text: string): ReturnType<typeof assistant> => assistant(text, { createdAt, origin, usage })
  const question = user('Q', { createdAt })
  await storage.append('golden', [question, answer('A1'), user('Q2', { createdAt })])
  await storage.append('golden', user('Note', { createdAt }), { section: 'notes' })
  await storage.label('golden', question.id, 'good')
  await storage.fork('golden', { id: 'fork', at: question.id })
  await storage.append('fork', answer('A2'))
}

/** Writes a memory with every field. */
async function fillMemory(memory: MemoryStore): Promise<void> {
  await memory.put({
    tenant: 'default',
    key: 'units',
    text: 'Prefers metric units',
    value: { system: 'SI' },
    metadata: { topic: 'units' },
    vector: { model: 'm', values: [3, 4] },
    expiresAt: '2999-01-01T00:00:00Z',
  })
  await memory.close()
}

/** So long that no stream of a golden file expires: a thousand years. */
const streamOptions = { retentionMs: 1000 * 365 * 86_400_000 }

/** Writes a stream that is complete, and one that failed. */
async function fillStreams(log: StreamLog): Promise<void> {
  const complete = await log.open('complete')
  for (const data of ['Q', 'A\n', 'ä']) await complete.append(data)
  await complete.end()
  const failed = await log.open('failed')
  await failed.append('half')
  await failed.end('failed', 'provider-error')
  await log.close()
}

/** Writes the golden files of the current version. Only before the first release; see CONTRIBUTING.md. */
export async function writeGoldenFiles(folder: string): Promise<void> {
  const draft = await mkdtemp(join(tmpdir(), 'interlingua-golden-'))
  const lines = await jsonlStorage(join(draft, 'v1.jsonl'))
  await fill(lines)
  let exported = ''
  for await (const line of lines.exportSession('fork')) exported += `${line}\n`
  await lines.close()
  const sqlite = await sqliteStorage(join(draft, 'v1.db'))
  await fill(sqlite)
  await sqlite.close()
  await fillMemory(await sqliteMemory(join(draft, 'v1.db'), { now: () => Date.parse(createdAt) }))
  await fillStreams(await sqliteStreamLog(join(draft, 'v1.db'), streamOptions))
  for (const name of ['v1.jsonl', 'v1.db']) await rename(join(draft, name), join(folder, name))
  await writeFile(join(folder, 'v1-export.jsonl'), exported)
  await writeFile(join(folder, 'v1.sql'), await dumpPostgres())
  await rm(draft, { recursive: true })
}

/** Returns the statements that create the tables and rows of a PostgreSQL database. */
async function dumpPostgres(): Promise<string> {
  const database = await freshDatabase()
  const storage = await postgresStorage(database.url)
  await fill(storage)
  await storage.close()
  await fillMemory(await postgresMemory(database.url, { now: () => Date.parse(createdAt) }))
  await fillStreams(await postgresStreamLog(database.url, streamOptions))
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const statements = [
    'create table interlingua_migrations (version integer primary key)',
    ...MIGRATIONS.flat().map((text) =>
      text.replaceAll('TEXT', 'text collate "C"').replaceAll('BYTES', 'bytea'),
    ),
  ]
  const tables = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  for (const { name } of tables.rows) {
    const { rows } = await client.query<Record<string, string | number | Buffer | null>>(
      `select * from ${name}`,
    )
    for (const row of rows) {
      const values = Object.values(row).map((value) =>
        value === null
          ? 'null'
          : pg.escapeLiteral(value instanceof Buffer ? `\\x${value.toString('hex')}` : String(value)),
      )
      statements.push(`insert into ${name} (${Object.keys(row).join(', ')}) values (${values.join(', ')})`)
    }
  }
  await client.end()
  await database.drop()
  return `${statements.join(';\n')};\n`
}
