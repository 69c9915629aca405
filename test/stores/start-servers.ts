import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase } from './postgres.ts'
import { hasRedis, openTestRedis, type TestRedis } from './redis.ts'

/** A folder, a PostgreSQL database and, if the machine has one, a Redis server. */
export interface Servers {
  readonly folder: string
  readonly database: Awaited<ReturnType<typeof freshDatabase>>
  readonly redis?: TestRedis
  stop(): Promise<void>
}

export async function startServers(name: string): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), `interlingua-${name}-`))
  const database = await freshDatabase()
  const redis = hasRedis ? await openTestRedis() : undefined
  return {
    folder,
    database,
    ...(redis && { redis }),
    async stop() {
      await rm(folder, { recursive: true })
      await database.drop()
      await redis?.stop()
    },
  }
}
