import type { DefaultSettings } from '../client/middleware/middleware.ts'
import type { SanitizeRequestPolicy } from '../canonical/check/sanitize-request.ts'
import type { Message } from '../canonical/model/message.ts'
import type { RetryOptions, TimeoutOptions } from '../client/transport/settings.ts'
import type { InterlinguaError } from '../errors.ts'
import type { ProviderOptions } from '../providers/provider-options.ts'
import type { Registry } from '../providers/registry.ts'
import type { ConversationStorage } from '../stores/conversation-storage.ts'
import type { GatewayTracer } from './gateway-tracer.ts'
import type { GatewayLogEntry } from './log-entry.ts'
import type { GatewayState } from './state/gateway-state.ts'
import { providerTable } from '../providers/provider-table.ts'

/** A model of a provider, and its share of the requests. */
export interface WeightedTarget {
  /** `provider:model`, or `demo`; `*` stands for the text that `*` of the route's pattern matched. */
  readonly to: string
  /** The share of the requests that are sent to this target first, relative to the other weights. */
  readonly weight: number
}

/** Selects the targets of requests by their model name. */
export interface GatewayRoute {
  /** The model name in a request. One `*` stands for any text: `claude-*`. */
  readonly model: string
  /**
   * The target as `provider:model`, or `demo` for the demo model, which is offline; or several: the next one is tried if one fails. Those with a weight come first, in an order
   * that is drawn for each request. `*` stands for the text that `*` of the pattern matched.
   */
  readonly to: string | readonly (string | WeightedTarget)[]
  /** Settings for requests that do not set them. */
  readonly defaults?: DefaultSettings
  /** Settings that replace those of requests. */
  readonly forced?: DefaultSettings
  /** True to mark prompts for the provider's cache if the client did not. Default: false. */
  readonly promptCaching?: boolean
  /** Timeouts of the calls to the targets; they replace those of the provider one by one. */
  readonly timeouts?: TimeoutOptions
  /** Retries of a call to one target, before the next target is tried; they replace those of the provider one by one. */
  readonly retry?: RetryOptions
}

/** The periods of limits. Each starts anew at the full minute, hour, day or 30 days, in UTC. */
export type LimitPeriod = 'minute' | 'hour' | 'day' | 'month'

/** A limit on the use of a client in a period. */
export interface GatewayLimit {
  readonly per: LimitPeriod
  /** The number of requests. */
  readonly requests?: number
  /** The number of tokens of requests and answers. The request that exceeds it is answered; the next one is refused. */
  readonly tokens?: number
  /** The cost in the currency of the price table. Calls whose price is unknown are not counted: set `prices` of the provider. */
  readonly cost?: number
}

/** A client of the gateway. Only the digest of its key is stored. */
export interface GatewayKey {
  /** The name of the client in logs. */
  readonly name: string
  /** The SHA-256 digest of the key in hexadecimal, as `hashKey` returns it. */
  readonly digest: string
  /** The model names that the client may use, with `*` as in routes. Default: all. */
  readonly models?: readonly string[]
  /** The highest number of requests at the same time. Default: no limit. */
  readonly maxConcurrent?: number
  /** Limits on requests, tokens and cost in a minute, an hour, a day or a month. Default: no limit. */
  readonly limits?: readonly GatewayLimit[]
  /** The highest number of tokens of one answer; requests for more are reduced to it. Default: no limit. */
  readonly maxOutputTokens?: number
  /** True for a key that may read `/metrics`. Default: false. */
  readonly metrics?: boolean
}

/** Options of the circuit breaker: a target that fails repeatedly gets no requests for a time. */
export interface CircuitOptions {
  /** The number of failures in a row. Default: 5. */
  readonly failures?: number
  /** The time without requests to it. Default: 30 seconds. */
  readonly pauseMs?: number
}

/** A limit on the retries of a target, so that retries do not add to an overload. */
export interface RetryBudget {
  /** The number of retries for each request: 0.2 allows one retry for five requests. Default: 0.2. */
  readonly ratio?: number
  /** The number of retries that are allowed in a row, whatever the number of requests. Default: 10. */
  readonly burst?: number
}

/** Options for recording the conversations of clients. */
export interface RecordingOptions {
  readonly storage: ConversationStorage
  /** The share of conversations that are stored, from 0 to 1. A conversation is stored as a whole or not at all. Default: 1. */
  readonly sampleRate?: number
  /**
   * Returns a message as it is to be stored, or undefined to omit it. The same message must have the same result each time, since
   * conversations are recognized by what is stored of them.
   */
  readonly redact?: (message: Message) => Message | undefined
  /** The time after the last request of a conversation until it is deleted. Default: never. */
  readonly retentionMs?: number
}

/** The configuration of a gateway. */
export interface GatewayConfig {
  /** The routes; the first whose pattern fits is used. */
  readonly routes: readonly GatewayRoute[]
  /** Options of providers by name: keys, base URLs, timeouts, retries. */
  readonly providers?: { readonly [name: string]: ProviderOptions }
  /** The clients. Without them, everybody who reaches the gateway may use it. */
  readonly keys?: readonly GatewayKey[]
  /** Other names of models: a request for the name is routed like one for the value. */
  readonly aliases?: { readonly [name: string]: string }
  readonly circuit?: CircuitOptions
  readonly retryBudget?: RetryBudget
  /**
   * Secrets of 32 random bytes in base64, with which the gateway seals what clients carry for it, such as signatures of reasoning.
   * The first one seals, all of them open. Default: one for this process, so that a restart forgets.
   */
  readonly sealKeys?: readonly string[]
  /**
   * Where responses and interactions are stored that clients continue by their ids: a storage of `interlingua/stores`. Default:
   * none, so that `previous_response_id` and `background` are refused.
   */
  readonly storage?: ConversationStorage
  /** The time after which a stored response is deleted. Default: it is kept. */
  readonly responseRetentionMs?: number
  /** The largest request body. Default: 32 MiB. */
  readonly maxBodyBytes?: number
  /** Dialects and providers of the application. */
  readonly registry?: Registry
  /**
   * State that several instances share, such as `postgresGatewayState()` of `interlingua/gateway/node`: what is remembered of
   * calls, and what clients have used. Needs `sealKeys`, with which it is sealed. Default: in this process.
   */
  readonly state?: GatewayState
  /** Stores the conversations of clients. Default: nothing is stored. */
  readonly recording?: RecordingOptions
  /** Creates spans of requests and of calls to providers, such as `gatewayTracing()` of `interlingua/otel`. */
  readonly tracer?: GatewayTracer
  /**
   * Removes from requests what a client could have forged, as `sanitizeRequest` does. True keeps all settings, which limits and
   * routes decide. Default: false, since the client may be trusted with its own history.
   */
  readonly sanitize?: boolean | SanitizeRequestPolicy
  /** Called after each request with facts about it: no content, no headers, no keys. */
  readonly onRequest?: (entry: GatewayLogEntry) => void
  /**
   * Called with every error whose details the client does not see: the key of a provider is missing, or shared state, a response
   * or a recording could not be written. Default: the error is printed with `console.error`.
   */
  readonly onError?: (error: InterlinguaError) => void
  /**
   * Called when `reload` has replaced this configuration, and the last answer with it has ended and is recorded: storages that no
   * other configuration uses can be closed.
   */
  readonly onRetired?: () => void
}

/** The routes without a configuration: names with a provider, and names of the vendors that have their own. */
export const DEFAULT_ROUTES: readonly GatewayRoute[] = [
  ...Object.keys(providerTable).map((name) => ({ model: `${name}:*`, to: `${name}:*` })),
  { model: 'claude-*', to: 'anthropic:claude-*' },
  { model: 'gemini-*', to: 'gemini:gemini-*' },
  { model: 'gpt-*', to: 'openai:gpt-*' },
  { model: 'mistral-*', to: 'mistral:mistral-*' },
]
