import { createHash } from 'node:crypto'
import { createStorageClosedError } from '../storage-errors.ts'
import { createServerError } from '../server-error-rules.ts'
import { convertRedisError, isMissingScript, NOT_ACCEPTED_RULE, TIMED_OUT_RULE } from './redis-errors.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { MAX_TIMER_MS } from '../../wire/cancellation.ts'
import { InterlinguaError } from '../../errors.ts'
import { loadOptionalPackage } from '../../wire/load-modules.ts'
import { tryParseUrl } from '../../wire/urls.ts'

/** The part of a client of the package `redis` that is used. */
export interface RedisClient {
  sendCommand(args: readonly string[], options?: { readonly abortSignal?: AbortSignal }): Promise<unknown>
}

/** The part of a cluster client of the package `redis` that is used. */
export interface RedisCluster {
  sendCommand(
    firstKey: string | undefined,
    isReadonly: boolean | undefined,
    args: string[],
    options?: { readonly abortSignal?: AbortSignal },
  ): Promise<unknown>
}

/** Sends a command to the node that has a key. */
export type SendCommand = (key: string, args: readonly string[], abortSignal: AbortSignal) => Promise<unknown>

/** Options of a {@link RedisConnection}. */
export interface RedisConnectionOptions {
  /** Milliseconds to wait for the reply to a command; `Infinity` for no limit. */
  readonly commandTimeoutMs: number
  /** Closes the client, if the storage created it. */
  readonly close: () => Promise<void>
}

const scriptDigests = new Map<string, string>()

/** Sends commands and scripts. Every failure is a storage error. */
export class RedisConnection {
  readonly #send: SendCommand
  readonly #options: RedisConnectionOptions
  #closing: Promise<void> | undefined

  constructor(send: SendCommand, options: RedisConnectionOptions) {
    this.#send = send
    this.#options = options
  }

  /** Sends a command to the node that has `key`. */
  run(key: string, args: readonly string[]): Promise<unknown> {
    return this.#limit((signal) => this.#send(key, args, signal))
  }

  /** Runs a script for the tenant whose keys start with `prefix`. The server keeps scripts until it is restarted. */
  runScript(script: string, prefix: string, args: readonly string[]): Promise<unknown> {
    const rest = ['1', prefix, ...args]
    return this.#limit(async (signal) => {
      try {
        return await this.#send(prefix, ['EVALSHA', digestScript(script), ...rest], signal)
      } catch (error) {
        if (!isMissingScript(error)) throw error
        return this.#send(prefix, ['EVAL', script, ...rest], signal)
      }
    })
  }

  async #limit<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw createStorageClosedError()
    const controller = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_resolve, reject) => {
      const delay = Math.min(this.#options.commandTimeoutMs, MAX_TIMER_MS)
      timer = setTimeout(() => {
        reject(createServerError(TIMED_OUT_RULE))
        controller.abort() // a command that was not sent yet is not sent later
      }, delay)
    })
    try {
      return await Promise.race([act(controller.signal), timeout])
    } catch (error) {
      throw convertRedisError(error)
    } finally {
      clearTimeout(timer)
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#options.close())
  }
}

/** Returns the name by which the server finds a script. */
function digestScript(script: string): string {
  const known = scriptDigests.get(script)
  if (known !== undefined) return known
  const digest = createHash('sha1').update(script).digest('hex')
  scriptDigests.set(script, digest)
  return digest
}

/** A client that the storage created, and closes. */
interface OwnedRedisClient {
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
      await Promise.race([client.close(), wait(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
      destroy()
    },
  }
}

/** Rejects when the server has not answered in time. */
async function rejectAfter(timeoutMs: number, signal: AbortSignal): Promise<never> {
  await wait(Math.min(timeoutMs, MAX_TIMER_MS), undefined, { signal, ref: false })
  throw createServerError(NOT_ACCEPTED_RULE)
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
