import { DEMO_MODEL_NAME } from '../client/demo-model.ts'
import { SETTING_NAMES } from '../client/check-call-input.ts'
import { quoteOrDescribe, throwInvalid, throwWrongType } from '../canonical/shape/shape.ts'
import { TRANSPORT_OPTION_NAMES } from '../client/transport/settings.ts'
import { checkMethods } from '../wire/check-methods.ts'
import { checkOptions, type OptionHints, type OptionNames } from '../wire/check-options.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import { describeType } from '../wire/json.ts'
import { suggestSimilarNames } from '../wire/similar-names.ts'
import { providers } from '../providers/built-in-providers.ts'
import type { GatewayConfig, GatewayKey, GatewayLimit, GatewayRoute, WeightedTarget } from './config.ts'
import { PERIOD_MS } from './usage-limits.ts'

const CONFIG_NAMES: OptionNames<GatewayConfig> = {
  routes: true,
  providers: true,
  keys: true,
  aliases: true,
  circuit: { failures: true, pauseMs: true },
  retryBudget: { ratio: true, burst: true },
  sealKeys: true,
  storage: true,
  responseRetentionMs: true,
  maxBodyBytes: true,
  registry: true,
  state: true,
  recording: { storage: true, sampleRate: true, redact: Function, retentionMs: true },
  tracer: true,
  sanitize: true,
  onRequest: Function,
  onError: Function,
  onRetired: Function,
}

const CONFIG_HINTS: OptionHints = {
  port: 'Pass it to the server: startGateway(config, { port }), or `interlingua serve --port`.',
  host: 'Pass it to the server: startGateway(config, { host }), or `interlingua serve --host`.',
}

const ROUTE_NAMES: OptionNames<GatewayRoute> = {
  model: true,
  to: true,
  defaults: SETTING_NAMES,
  forced: SETTING_NAMES,
  promptCaching: Boolean,
  timeouts: TRANSPORT_OPTION_NAMES.timeouts,
  retry: TRANSPORT_OPTION_NAMES.retry,
}

const KEY_NAMES: OptionNames<GatewayKey> = {
  name: true,
  digest: true,
  models: true,
  maxConcurrent: true,
  limits: true,
  maxOutputTokens: true,
  metrics: Boolean,
}

const LIMIT_NAMES: OptionNames<GatewayLimit> = { per: true, requests: true, tokens: true, cost: true }

/** Throws for a configuration that cannot work: unknown names, missing fields, patterns with two stars. */
export function checkConfig(config: GatewayConfig): void {
  checkOptions('the gateway', config, CONFIG_NAMES, CONFIG_HINTS)
  const routes = checkList(config.routes, child(undefined, 'routes'), 'a list of routes')
  const known = Object.keys(config.registry?.providers ?? providers)
  for (const [index, route] of routes.entries())
    checkRoute(route, child(child(undefined, 'routes'), index), known)
  checkNumbers(config, undefined, ['maxBodyBytes', 'responseRetentionMs'])
  checkNumbers(config.circuit, child(undefined, 'circuit'), ['failures', 'pauseMs'])
  checkNumbers(config.retryBudget, child(undefined, 'retryBudget'), ['ratio', 'burst'])
  checkNumbers(config.recording, child(undefined, 'recording'), ['sampleRate', 'retentionMs'])
  checkAliases(config.aliases ?? {})
  if (config.storage !== undefined)
    checkMethods(config.storage, 'storage', 'a storage', ['forTenant', 'session', 'fork', 'append'])
  if (config.state !== undefined && config.sealKeys === undefined)
    throwInvalid(
      'missing-field',
      child(undefined, 'sealKeys'),
      'shared state without keys',
      'the same secrets on every instance',
      'Create one with `openssl rand -base64 32`.',
    )
  if (config.keys === undefined) return
  const keys = checkList(config.keys, child(undefined, 'keys'), 'a list of keys')
  for (const [index, key] of keys.entries()) checkKey(key, child(child(undefined, 'keys'), index))
}

function checkList<T>(value: readonly T[], path: Path, expected: string): readonly T[] {
  return Array.isArray(value) ? value : throwWrongType(value, path, expected)
}

function checkRoute(route: GatewayRoute, path: Path, known: readonly string[]): void {
  checkOptions(`the route ${path.key}`, route, ROUTE_NAMES)
  checkPattern(route.model, child(path, 'model'))
  const targets =
    typeof route.to === 'string' ? [route.to] : checkList(route.to, child(path, 'to'), 'targets')
  if (targets.length === 0)
    throwInvalid('missing-field', child(path, 'to'), 'no target', 'at least one target')
  for (const [index, target] of targets.entries()) checkTarget(target, child(child(path, 'to'), index), known)
}

function checkTarget(target: string | WeightedTarget, path: Path, known: readonly string[]): void {
  const to: unknown = typeof target === 'object' && target !== null ? target.to : target
  if (typeof to !== 'string' || (to !== DEMO_MODEL_NAME && !/^[^:]+:./.test(to)))
    throwInvalid(
      'invalid-value',
      path,
      quoteOrDescribe(to),
      "'provider:model', such as 'anthropic:*', or 'demo'",
    )
  const [provider = ''] = to.split(':', 1)
  // The request names the provider in place of `*`, so it is checked then.
  if (to !== DEMO_MODEL_NAME && !provider.includes('*') && !known.includes(provider))
    throwInvalid(
      'unknown-id',
      path,
      quoteOrDescribe(provider),
      'the name of a provider before the colon',
      suggestSimilarNames(provider, known) ?? 'Run `interlingua providers` to list the providers.',
    )
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
  checkNumbers(key, path, ['maxConcurrent', 'maxOutputTokens'])
  const limits = checkList(key.limits ?? [], child(path, 'limits'), 'a list of limits')
  for (const [index, limit] of limits.entries()) checkLimit(limit, child(child(path, 'limits'), index))
}

function checkLimit(limit: GatewayLimit, path: Path): void {
  checkOptions('a limit', limit, LIMIT_NAMES)
  if (!Object.hasOwn(PERIOD_MS, limit.per))
    throwInvalid(
      'invalid-value',
      child(path, 'per'),
      describeType(limit.per),
      Object.keys(PERIOD_MS).join(', '),
    )
  checkNumbers(limit, path, ['requests', 'tokens', 'cost'])
}

function checkAliases(aliases: NonNullable<GatewayConfig['aliases']>): void {
  const path = child(undefined, 'aliases')
  for (const [name, target] of Object.entries(aliases)) {
    if (typeof target !== 'string' || target === '') throwWrongType(target, child(path, name), 'a model name')
    if (Object.hasOwn(aliases, target))
      throwInvalid('invalid-value', child(path, name), 'another alias', 'a name that a route has')
  }
}

function checkNumbers<T extends object>(
  options: T | undefined,
  path: Path | undefined,
  names: readonly (keyof T & string)[],
): void {
  for (const name of names) {
    const value: unknown = options?.[name]
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      throwInvalid('invalid-value', child(path, name), describeType(value), 'a number of at least 0')
  }
}
