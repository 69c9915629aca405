import { setTimeout } from 'node:timers/promises'
import { InterlinguaError } from '../../errors.ts'
import { loadOptionalPackage } from '../../wire/load-optional-package.ts'
import { MAX_TIMER_MS, type RedisClient } from './redis-connection.ts'
import { createServerError } from '../server-error-rules.ts'
import { convertRedisError, NOT_ACCEPTED } from './redis-errors.ts'
import { tryParseUrl } from '../../wire/parse-url.ts'

/** A client that the storage created, and closes. */
export interface OwnedRedisClient {
  readonly client: RedisClient
  close(): Promise<void>
}

/** The delay before the next attempt to connect again; it doubles up to the maximum. */
const RECONNECT_DELAY_MS = 20
const MAX_RECONNECT_DELAY_MS = 2_000

/** How long `close` waits for the replies to commands that were sent. */
const CLOSE_TIMEOUT_MS = 5_000

/** Connects to a server; the package `redis` is loaded only when needed. A lost connection is opened again. */
export async function openRedisClient(url: string, connectTimeoutMs: number): Promise<OwnedRedisClient> {
  checkRedisUrl(url)
  const { createClient } = await loadOptionalPackage('redis', () => import('redis'))
  let isConnected = false
  const client = createClient({
    url,
    // A command that cannot be sent fails, instead of being sent after its caller has given up.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: Number.isFinite(connectTimeoutMs) ? connectTimeoutMs : 0,
      reconnectStrategy: (retries: number) =>
        isConnected && Math.min(RECONNECT_DELAY_MS * 2 ** Math.min(retries, 10), MAX_RECONNECT_DELAY_MS),
    },
  })
  // Commands report the failure. An `error` event without a listener would end the process.
  client.on('error', () => undefined)
  const destroy = (): void => {
    if (client.isOpen) client.destroy()
  }
  const timer = new AbortController()
  try {
    // The time-out of the socket ends with the connection; a server that is stopped accepts one and does not answer.
    await Promise.race([client.connect(), rejectAfter(connectTimeoutMs, timer.signal)])
  } catch (error) {
    destroy()
    throw convertRedisError(error)
  } finally {
    timer.abort()
  }
  isConnected = true
  return {
    client,
    close: async () => {
      if (!client.isOpen) return
      await Promise.race([client.close(), setTimeout(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
      destroy()
    },
  }
}

/** Rejects when the server has not answered in time. */
async function rejectAfter(timeoutMs: number, signal: AbortSignal): Promise<never> {
  await setTimeout(Math.min(timeoutMs, MAX_TIMER_MS), undefined, { signal, ref: false })
  throw createServerError(NOT_ACCEPTED)
}

/** Throws if a URL is not one of Redis. The URL is not quoted: it may contain a password. */
function checkRedisUrl(url: string): void {
  const parsed = tryParseUrl(url)
  if (parsed !== undefined && /^rediss?:$/.test(parsed.protocol) && /^\/?\d*$/.test(parsed.pathname)) return
  throw new InterlinguaError('invalid-value', 'The URL of the Redis server is invalid', {
    path: '/url',
    found: parsed === undefined ? 'a URL that cannot be parsed' : 'a URL of another kind',
    expected: 'redis://user:password@host:6379/0, or rediss:// for TLS',
    hint: 'Escape special characters of the password, such as @ as %40.',
  })
}
