import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { ConversationStorage } from 'interlingua/stores'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { postgresStorage } from 'interlingua/stores/postgres'
import { redisStorage } from 'interlingua/stores/redis'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtFolder } from './built-package.ts'
import { freshDatabase } from './postgres.ts'
import { canStartRedis } from './redis.ts'
import { type RedisServer, startRedis } from './redis-server.ts'

const ROUNDS = process.env['SOAK'] ? 50 : 1

interface Backend {
  readonly writers: number
  readonly at: () => string
  readonly open: (at: string) => Promise<ConversationStorage>
}

let folder = ''
let built = ''
let database: Awaited<ReturnType<typeof freshDatabase>>
let redis: RedisServer | undefined

const backends: Readonly<Record<string, Backend>> = {
  jsonl: { writers: 1, at: () => join(folder, 'a.jsonl'), open: jsonlStorage },
  sqlite: { writers: 4, at: () => join(folder, 'a.db'), open: sqliteStorage },
  postgres: { writers: 4, at: () => database.url, open: postgresStorage },
  ...(canStartRedis && {
    redis: {
      writers: process.env['SOAK'] ? 4 : 2,
      at: () => redis?.url ?? '',
      open: (url: string) => redisStorage({ url }),
    },
  }),
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-kill-'))
  built = await builtFolder()
  database = await freshDatabase()
  if (canStartRedis) redis = await startRedis({ durable: true })
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await database.drop()
  await redis?.stop()
})

/**
 * Runs a writer until it has written something and a random time has passed, then kills it; returns what it
 * acknowledged.
 */
async function writeUntilKilled(backend: string, at: string): Promise<readonly string[]> {
  const script = join(import.meta.dirname, 'children/writer.js')
  const child = spawn(process.execPath, [script, built, backend, at, 'session'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  let [output, wrong] = ['', '']
  const began = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      resolve()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (wrong += text))
    child.on('close', () => reject(new Error(`The writer ended unexpectedly: ${wrong}`)))
  })
  await began
  await setTimeout(Math.random() * 300)
  child.kill('SIGKILL')
  await ended
  return output.split('\n').slice(0, -1)
}

describe.each(Object.entries(backends))('%s', (name, { writers, at, open }) => {
  test(`no acknowledged message is lost when ${writers} concurrent writers are killed`, async () => {
    const place = at()
    const first = await open(place)
    await first.createSession({ id: 'session' })
    await first.close()
    const acknowledged: string[] = []
    let stored = 0
    for (let round = 0; round < ROUNDS; round++) {
      const output = await Promise.all(Array.from({ length: writers }, () => writeUntilKilled(name, place)))
      acknowledged.push(...output.flat())
      const storage = await open(place)
      const path = await storage.messages('session')
      stored = path.size
      expect(acknowledged.filter((id) => !path.has(id))).toEqual([])
      // An append of two messages is stored completely or not at all.
      expect(path.size % 2).toBe(0)
      expect(await storage.verify()).toEqual([])
      await storage.close()
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * writers)
    if (process.env['SOAK'])
      console.log(`${name}: ${ROUNDS} rounds, ${acknowledged.length} acknowledged, ${stored} messages stored`)
  })
})
