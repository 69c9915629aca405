import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { freshDatabase } from './postgres.ts'
import { hasRedis, openTestRedis, type TestRedis } from './redis.ts'

/** A folder, a PostgreSQL database and, if the machine has one, a Redis server. */
export interface Servers {
  readonly folder: string
  readonly database: Awaited<ReturnType<typeof freshDatabase>>
  readonly redis?: TestRedis
}

/** Starts servers before the tests of a file, and stops them after. */
export function useServers(name: string): () => Servers {
  let servers: Servers | undefined
  beforeAll(async () => {
    servers = {
      folder: await mkdtemp(join(tmpdir(), `interlingua-${name}-`)),
      database: await freshDatabase(),
      ...(hasRedis && { redis: await openTestRedis() }),
    }
  })
  afterAll(async () => {
    await servers?.database.drop()
    await servers?.redis?.stop()
    if (servers !== undefined) await rm(servers.folder, { recursive: true })
  })
  return () => {
    if (servers === undefined) throw new Error('the servers have not started')
    return servers
  }
}
