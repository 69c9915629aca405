import { randomUUID } from 'node:crypto'
import { findRedisProgram, startRedis } from './redis-server.ts'

const givenUrl = process.env['INTERLINGUA_TEST_REDIS_URL']

/** True if tests can use a Redis server: one of this machine, or `INTERLINGUA_TEST_REDIS_URL`. */
export const hasRedis: boolean = givenUrl !== undefined || findRedisProgram() !== undefined

/** True if tests can start servers of their own, to stop or configure them. */
export const canStartRedis: boolean = findRedisProgram() !== undefined

if (!hasRedis)
  console.warn(
    'The tests of the Redis store are skipped: redis-server is not installed, and INTERLINGUA_TEST_REDIS_URL is not set.',
  )

/** A server for one test file, with a key prefix that no other test uses. */
export interface TestRedis {
  readonly url: string
  readonly keyPrefix: string
  stop(): Promise<void>
}

/** Returns the given server, or starts one. */
export async function openTestRedis(): Promise<TestRedis> {
  const keyPrefix = `interlingua-test-${randomUUID()}`
  if (givenUrl !== undefined) return { url: givenUrl, keyPrefix, stop: async () => undefined }
  const server = await startRedis()
  return { url: server.url, keyPrefix, stop: () => server.stop() }
}
