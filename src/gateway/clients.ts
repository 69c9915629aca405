import { throwWrongType } from '../canonical/shape/shape.ts'
import { ProviderError } from '../errors.ts'
import { readKey, type Route } from '../dialects/server/routes.ts'
import type { GatewayKey } from './config.ts'

const encoder = new TextEncoder()

/**
 * Returns the digest of a client's key, which a configuration contains instead of the key.
 *
 * @example
 * const keys = [{ name: 'alice', digest: await hashKey(key) }]
 */
export async function hashKey(key: string): Promise<string> {
  if (typeof (key as unknown) !== 'string') throwWrongType(key, undefined, 'the text of a key')
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(key))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const MINUTE_MS = 60_000

/** The requests of one key. */
class ClientUse {
  #active = 0
  #times: number[] = []

  /** Counts a request; returns the time to wait if the key has used up a limit. */
  start({ maxConcurrent, requestsPerMinute }: GatewayKey, now: number): number | undefined {
    if (maxConcurrent !== undefined && this.#active >= maxConcurrent) return 1000
    if (requestsPerMinute !== undefined) {
      const oldest = now - MINUTE_MS
      this.#times = this.#times.filter((time) => time > oldest)
      const [first] = this.#times
      if (this.#times.length >= requestsPerMinute) return (first ?? now) + MINUTE_MS - now
      this.#times.push(now)
    }
    this.#active += 1
    return undefined
  }

  end(): void {
    this.#active -= 1
  }
}

/** A client during one request. */
export interface ConnectedClient {
  /** Absent if the gateway has no keys. */
  readonly key?: GatewayKey
  /** Must be called once, when the answer has ended. */
  end(): void
}

/** Recognizes clients by their keys, and counts their requests. */
export class Clients {
  readonly #keys: ReadonlyMap<string, GatewayKey> | undefined
  readonly #uses = new Map<GatewayKey, ClientUse>()
  readonly #now: () => number

  constructor(keys: readonly GatewayKey[] | undefined, now: () => number = Date.now) {
    this.#keys = keys && new Map(keys.map((key) => [key.digest, key]))
    this.#now = now
  }

  /**
   * Returns the client of a request; throws if its key is missing, unknown or used up. Keys are found by their digests, so that
   * the time of the comparison says nothing about them.
   */
  async connect(route: Route, headers: Headers, query: URLSearchParams): Promise<ConnectedClient> {
    if (this.#keys === undefined) return { end: () => {} }
    const given = readKey(route, headers, query)
    const key = given === '' ? undefined : this.#keys.get(await hashKey(given))
    if (key === undefined) throw createKeyError(given === '')
    const use = this.#uses.get(key) ?? new ClientUse()
    this.#uses.set(key, use)
    const retryAfterMs = use.start(key, this.#now())
    if (retryAfterMs !== undefined) throw createLimitError(retryAfterMs)
    let hasEnded = false
    return {
      key,
      end() {
        if (!hasEnded) use.end()
        hasEnded = true
      },
    }
  }
}

function createKeyError(isMissing: boolean): ProviderError {
  const message = isMissing
    ? 'An API key of the gateway is missing.'
    : 'The API key is not a key of the gateway.'
  return new ProviderError(message, { kind: 'authentication', status: 401 })
}

function createLimitError(retryAfterMs: number): ProviderError {
  return new ProviderError('The key has used up its limit of requests at the gateway.', {
    kind: 'rate-limit',
    status: 429,
    retryAfterMs,
  })
}
