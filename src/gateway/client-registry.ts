import type { Cost } from '../canonical/model/model-interface.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { throwWrongType } from '../canonical/shape/shape.ts'
import { ProviderError } from '../errors.ts'
import type { GatewayKey } from './config.ts'
import { type RemainingAmount, UsageLimits } from './usage-limits.ts'
import type { GatewayState } from './state/gateway-state.ts'

const encoder = new TextEncoder()

/** When a client with too many requests at the same time should try again. */
const BUSY_RETRY_MS = 1000

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

/** A client during one request. */
export interface ConnectedClient {
  /** Absent if the gateway has no keys. */
  readonly key?: GatewayKey
  /** What is left of the limits of the key. */
  readonly remaining: readonly RemainingAmount[]
  /** Must be called when the answer has ended, with what it has used. Further calls have no effect. */
  end(used?: { readonly tokens: number; readonly cost: number }): void
}

/** What the clients of a gateway share, whatever its configuration is at the moment. */
export interface ClientRegistryContext {
  readonly state: GatewayState
  /** The number of running requests by the name of the client. */
  readonly active: Map<string, number>
  readonly onError: (error: unknown) => void
  readonly now?: () => number
}

/** Recognizes clients by their keys, and counts what they use. */
export class ClientRegistry {
  readonly #keys: ReadonlyMap<string, GatewayKey> | undefined
  readonly #context: ClientRegistryContext

  constructor(keys: readonly GatewayKey[] | undefined, context: ClientRegistryContext) {
    this.#keys = keys && new Map(keys.map((key) => [key.digest, key]))
    this.#context = context
  }

  /**
   * Returns the key of a request; throws if it is missing or unknown. Keys are found by their digests, so that the time of the
   * comparison says nothing about them.
   */
  async identify(given: string): Promise<GatewayKey | undefined> {
    if (this.#keys === undefined) return undefined
    const key = given === '' ? undefined : this.#keys.get(await hashKey(given))
    return key ?? throwKeyError(given === '')
  }

  /** Returns the client of a request; throws if a limit of its key is used up. */
  async connect(key: GatewayKey | undefined): Promise<ConnectedClient> {
    if (key === undefined) return { remaining: [], end: () => {} }
    const { active, state, onError, now = Date.now } = this.#context
    const running = active.get(key.name) ?? 0
    if (running >= (key.maxConcurrent ?? Infinity)) throw createLimitError(BUSY_RETRY_MS)
    active.set(key.name, running + 1)
    const leave = (): unknown => active.set(key.name, (active.get(key.name) ?? 1) - 1)
    const limits = new UsageLimits(key.name, key.limits ?? [], state, now)
    const { remaining, retryAfterMs } = await limits.start().catch((error: unknown) => {
      leave()
      onError(error)
      throw createUncheckedError()
    })
    if (retryAfterMs !== undefined) {
      leave()
      throw createLimitError(retryAfterMs)
    }
    let hasEnded = false
    return {
      key,
      remaining,
      end({ tokens, cost } = { tokens: 0, cost: 0 }) {
        if (hasEnded) return
        hasEnded = true
        leave()
        void limits.finish(tokens, cost).catch(onError)
      },
    }
  }
}

/** Returns what an answer has used, for the limits of the client. */
export function toUsedAmounts(
  usage: Usage | undefined,
  cost: Cost | undefined,
): { tokens: number; cost: number } {
  return { tokens: usage?.totalTokens ?? 0, cost: cost?.amount ?? 0 }
}

function throwKeyError(isMissing: boolean): never {
  const message = isMissing
    ? 'An API key of the gateway is missing.'
    : 'The API key is not a key of the gateway.'
  throw new ProviderError(message, { kind: 'authentication', status: 401 })
}

function createLimitError(retryAfterMs: number): ProviderError {
  return new ProviderError('The key has used up one of its limits at the gateway.', {
    kind: 'rate-limit',
    status: 429,
    retryAfterMs,
  })
}

/** A limit that cannot be counted is not exceeded either: the request is refused until it can. */
function createUncheckedError(): ProviderError {
  return new ProviderError('The gateway cannot count what the key uses at the moment.', {
    kind: 'overloaded',
    status: 503,
    retryAfterMs: BUSY_RETRY_MS,
  })
}
