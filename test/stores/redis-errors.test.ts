import { InterlinguaError } from 'interlingua'
import { redisStorage } from 'interlingua/stores/redis'
import { createClient, SimpleError, SocketClosedUnexpectedlyError } from 'redis'
import { describe, expect, test } from 'vitest'

/** Error replies of a server, as the client reports them. */
const reply = (message: string): Error => new SimpleError(message)

const RETRYABLE = [
  reply('LOADING Redis is loading the dataset in memory'),
  reply('BUSY Redis is busy running a script.'),
  reply("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."),
  reply('NOREPLICAS Not enough good replicas to write.'),
  reply('CLUSTERDOWN The cluster is down'),
  reply('TRYAGAIN Multiple keys request during rehashing of slot'),
  new SocketClosedUnexpectedlyError(),
  Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  new Error('an error of an unknown kind'),
]

const PERMANENT = [
  reply("READONLY You can't write against a read only replica."),
  reply("OOM command not allowed when used memory > 'maxmemory'."),
  reply('MISCONF Errors writing to the AOF file: No space left on device'),
  reply('NOAUTH Authentication required.'),
  reply('WRONGPASS invalid username-password pair or user is disabled.'),
  reply("NOPERM this user has no permissions to run the 'evalsha' command"),
  reply('MOVED 3999 127.0.0.1:6381'),
  reply("CROSSSLOT Keys in request don't hash to the same slot"),
  reply('ERR a future error'),
  Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }),
]

/** Opens a storage whose client fails with an error after the storage was opened. */
async function failWith(error: Error): Promise<InterlinguaError> {
  let isOpen = false
  const client = {
    sendCommand: async (): Promise<unknown> => {
      if (isOpen) throw error
      return ''
    },
  }
  const storage = await redisStorage({ client })
  isOpen = true
  const failure: unknown = await storage.append('a', 'Hello').catch((reason: unknown) => reason)
  expect(failure).toBeInstanceOf(InterlinguaError)
  return failure as InterlinguaError
}

describe('every error of the server or the connection is typed', () => {
  test.each(RETRYABLE.map((error) => [error.message, error] as const))(
    '%s is retryable',
    async (_text, error) => {
      const { code, retryable, hint, cause } = await failWith(error)
      expect([code, retryable, cause]).toEqual(['storage-unavailable', true, error])
      expect(hint).not.toBe('')
    },
  )

  test.each(PERMANENT.map((error) => [error.message, error] as const))(
    '%s is permanent',
    async (_text, error) => {
      const { code, retryable, hint } = await failWith(error)
      expect([code, retryable]).toEqual(['storage-unavailable', false])
      expect(hint).not.toBe('')
    },
  )

  test('a key of another program is damage', async () => {
    const error = reply('WRONGTYPE Operation against a key holding the wrong kind of value')
    expect((await failWith(error)).code).toBe('damaged')
  })

  test('a client that is not connected is refused', async () => {
    const error = await redisStorage({ client: createClient() }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'storage-unavailable', retryable: false })
    expect(error).toMatchObject({ hint: expect.stringContaining('connect()') as string })
  })

  test.each([undefined, null, 'redis://localhost', {}, { url: 1 }, { client: {} }, { cluster: null }])(
    'the source %j is refused',
    async (source) => {
      const opening = redisStorage(source as never)
      await expect(opening).rejects.toMatchObject({ code: 'invalid-type', path: '/source' })
    },
  )

  test.each(['http://user:s3cret@host', 'redis://user:s3cret@host:port', 'redis://u:s3cret@host/db', ''])(
    'the URL %j is refused without its password',
    async (url) => {
      const error: unknown = await redisStorage({ url }).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'invalid-value', path: '/url' })
      expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain('s3cret')
      expect((error as Error).cause).toBeUndefined()
    },
  )

  test.each([
    { connectTimeoutMs: 0 },
    { commandTimeoutMs: -1 },
    { lockTimeoutMs: Number.NaN },
    { replicas: 1.5 },
    { replicas: -1 },
  ])('the options %j are refused', async (options) => {
    const opening = redisStorage({ url: 'redis://127.0.0.1:1' }, options)
    await expect(opening).rejects.toMatchObject({ code: 'invalid-value' })
  })
})
