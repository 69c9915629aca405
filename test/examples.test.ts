import { readdirSync, readFileSync } from 'node:fs'
import { formatWithOptions } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { hasRedis, openTestRedis, type TestRedis } from './stores/redis.ts'

const folder = new URL('../examples/', import.meta.url)
const examples = readdirSync(folder).filter((name) => name.endsWith('.js'))

/** Examples that need a Redis server. */
const REDIS_EXAMPLES: ReadonlySet<string> = new Set(['redis-storage.js'])
const runnable = examples.filter((name) => hasRedis || !REDIS_EXAMPLES.has(name))
let redis: TestRedis | undefined

beforeAll(async () => {
  if (!hasRedis) return
  redis = await openTestRedis()
  process.env['REDIS_URL'] = redis.url
})
afterAll(() => redis?.stop())
afterEach(() => vi.restoreAllMocks())

describe('examples', () => {
  test.each(runnable)('%s prints what it says it prints', async (name) => {
    const expected = /\/\* prints:\n([\s\S]*?)\n\*\//.exec(readFileSync(new URL(name, folder), 'utf8'))?.[1]
    const lines: string[] = []
    vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      lines.push(formatWithOptions({ colors: false }, ...values))
    })
    await import(new URL(name, folder).href)
    expect(lines.join('\n')).toBe(expected)
  })
})
