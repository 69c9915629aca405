import type { DefaultSettings } from '../client/middleware/middleware.ts'
import { SETTING_NAMES } from '../client/check-input.ts'
import { throwInvalid, throwWrongType } from '../canonical/shape/shape.ts'
import type { ProviderOptions } from '../providers/provider-options.ts'
import type { Registry } from '../providers/registry.ts'
import { checkOptions, type OptionNames } from '../wire/check-options.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import { describeType } from '../wire/json.ts'

/** A model of a provider, and its share of the requests. */
export interface WeightedTarget {
  /** `provider:model`; `*` stands for the text that `*` of the route's pattern matched. */
  readonly to: string
  /** The share of the requests that are sent to this target first, relative to the other weights. */
  readonly weight: number
}

/** Where requests for some model names are sent. */
export interface GatewayRoute {
  /** The model name in a request. One `*` stands for any text: `claude-*`. */
  readonly model: string
  /**
   * The target as `provider:model`, or several: the next one is tried if one fails. Those with a weight come first, in an order
   * that is drawn for each request. `*` stands for the text that `*` of the pattern matched.
   */
  readonly to: string | readonly (string | WeightedTarget)[]
  /** Settings for requests that do not set them. */
  readonly defaults?: DefaultSettings
  /** Settings that replace those of requests. */
  readonly forced?: DefaultSettings
  /** True to mark prompts for the provider's cache if the client did not. Default: false. */
  readonly promptCaching?: boolean
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
  /** The highest number of requests in 60 seconds. Default: no limit. */
  readonly requestsPerMinute?: number
  /** The highest number of tokens of one answer; requests for more are reduced to it. Default: no limit. */
  readonly maxOutputTokens?: number
}

/** When an upstream that fails is left out. */
export interface CircuitOptions {
  /** The number of failures in a row. Default: 5. */
  readonly failures?: number
  /** The time without requests to it. Default: 30 seconds. */
  readonly pauseMs?: number
}

/** The configuration of a gateway. */
export interface GatewayConfig {
  /** The routes; the first whose pattern fits is used. */
  readonly routes: readonly GatewayRoute[]
  /** Options of providers by name: keys, base URLs, timeouts, retries. */
  readonly providers?: { readonly [name: string]: ProviderOptions }
  /** The clients. Without them, everybody who reaches the gateway may use it. */
  readonly keys?: readonly GatewayKey[]
  readonly circuit?: CircuitOptions
  /**
   * Secrets of 32 random bytes in base64, with which the gateway seals what clients carry for it, such as signatures of reasoning.
   * The first one seals, all of them open. Default: one for this process, so that a restart forgets.
   */
  readonly sealKeys?: readonly string[]
  /** The largest request body. Default: 32 MiB. */
  readonly maxBodyBytes?: number
  /** Dialects and providers of the application. */
  readonly registry?: Registry
  /** Called after each request with facts about it: no content, no headers, no keys. */
  readonly onRequest?: (entry: GatewayLogEntry) => void
}

/** Facts about a request, for logs. */
export interface GatewayLogEntry {
  readonly requestId: string
  readonly dialect: string
  /** The name of the client's key. */
  readonly client?: string
  /** The model name in the request. */
  readonly model?: string
  /** The model that answered, as `provider:model`. */
  readonly servedBy?: string
  readonly isStreamed: boolean
  readonly status: number
  readonly durationMs: number
  /** The code of the error; absent after a success. */
  readonly error?: string
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** The number of losses by rule. */
  readonly losses: { readonly [rule: string]: number }
}

const CONFIG_NAMES: OptionNames<GatewayConfig> = {
  routes: true,
  providers: true,
  keys: true,
  circuit: { failures: true, pauseMs: true },
  sealKeys: true,
  maxBodyBytes: true,
  registry: true,
  onRequest: true,
}

const ROUTE_NAMES: OptionNames<GatewayRoute> = {
  model: true,
  to: true,
  defaults: SETTING_NAMES,
  forced: SETTING_NAMES,
  promptCaching: true,
}

const KEY_NAMES: OptionNames<GatewayKey> = {
  name: true,
  digest: true,
  models: true,
  maxConcurrent: true,
  requestsPerMinute: true,
  maxOutputTokens: true,
}

/** Throws for a configuration that cannot work: unknown names, missing fields, patterns with two stars. */
export function checkConfig(config: GatewayConfig): void {
  checkOptions('the gateway', config, CONFIG_NAMES)
  const routes = checkList(config.routes, child(undefined, 'routes'), 'a list of routes')
  for (const [index, route] of routes.entries()) checkRoute(route, child(child(undefined, 'routes'), index))
  if (config.keys === undefined) return
  const keys = checkList(config.keys, child(undefined, 'keys'), 'a list of keys')
  for (const [index, key] of keys.entries()) checkKey(key, child(child(undefined, 'keys'), index))
}

function checkList<T>(value: readonly T[], path: Path, expected: string): readonly T[] {
  return Array.isArray(value) ? value : throwWrongType(value, path, expected)
}

function checkRoute(route: GatewayRoute, path: Path): void {
  checkOptions('a route', route, ROUTE_NAMES)
  checkPattern(route.model, child(path, 'model'))
  const targets =
    typeof route.to === 'string' ? [route.to] : checkList(route.to, child(path, 'to'), 'targets')
  if (targets.length === 0)
    throwInvalid('missing-field', child(path, 'to'), 'no target', 'at least one target')
  for (const [index, target] of targets.entries()) checkTarget(target, child(child(path, 'to'), index))
}

function checkTarget(target: string | WeightedTarget, path: Path): void {
  const to: unknown = typeof target === 'object' && target !== null ? target.to : target
  if (typeof to !== 'string' || !/^[^:]+:./.test(to))
    throwInvalid('invalid-value', path, describeType(to), "'provider:model', such as 'anthropic:*'")
  if (typeof target === 'string') return
  checkOptions('a target', target, { to: true, weight: true })
  if (!(target.weight > 0))
    throwInvalid('invalid-value', child(path, 'weight'), 'no share', 'a number above 0')
}

function checkPattern(pattern: string, path: Path): void {
  if (typeof pattern !== 'string' || pattern === '') throwWrongType(pattern, path, 'a model name')
  if (pattern.split('*').length > 2) throwInvalid('invalid-value', path, 'several `*`', 'at most one `*`')
}

function checkKey(key: GatewayKey, path: Path): void {
  checkOptions('a key', key, KEY_NAMES)
  if (typeof key.name !== 'string' || key.name === '') throwWrongType(key.name, child(path, 'name'), 'a name')
  if (typeof key.digest !== 'string' || !/^[0-9a-f]{64}$/.test(key.digest))
    throwInvalid(
      'invalid-value',
      child(path, 'digest'),
      'another text',
      'the SHA-256 digest of the key in hexadecimal',
      'Store `await hashKey(key)`, never the key itself.',
    )
  for (const [index, pattern] of (key.models ?? []).entries())
    checkPattern(pattern, child(child(path, 'models'), index))
}
