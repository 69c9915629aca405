import { createHash } from 'node:crypto'
import { createStorageClosedError } from '../storage-errors.ts'
import { createServerError } from '../server-error-rules.ts'
import { convertRedisError, isMissingScript, TIMED_OUT } from './redis-errors.ts'

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

/** The longest delay of a timer. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1

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
        reject(createServerError(TIMED_OUT))
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
