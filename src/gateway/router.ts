import type { Cost, EmbeddingModel, Model } from '../canonical/model/model-interface.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { demo, DEMO_MODEL_NAME } from '../client/demo-model.ts'
import { fallback } from '../client/middleware/fallback.ts'
import { defaultSettings, type Middleware, wrapModel } from '../client/middleware/middleware.ts'
import { ProviderError } from '../errors.ts'
import { providers } from '../providers/built-in-providers.ts'
import { createCostCalculator } from '../providers/model-catalog.ts'
import { model as createModel } from '../providers/model-by-name.ts'
import type { GatewayConfig, GatewayKey, GatewayRoute, WeightedTarget } from './config.ts'
import { type ForwardedHeaders, selectHeaders } from './forwarded-headers.ts'
import { type UpstreamEvent, UpstreamGuard } from './upstream-guard.ts'

/** The model that answers requests for a name, with its fallbacks, and the route that selected it. */
export interface RoutedModel {
  readonly model: Model
  readonly route: GatewayRoute
  /** The targets in the order in which they are tried, as `provider:model`. */
  readonly targets: readonly string[]
  /** True if no code of the application is between the provider and the gateway, so that events are in canonical form. */
  readonly isBuiltIn: boolean
}

/** A request for a model. */
export interface ModelQuery {
  /** The name in the request. */
  readonly name: string
  readonly key: GatewayKey | undefined
  /** The headers that a provider of the client's dialect gets. */
  readonly forwarded?: ForwardedHeaders
  /** Called for what happens to the calls to the targets. */
  readonly observe?: (event: UpstreamEvent) => void
}

/** The longest name of a model. Names are part of logs, spans and URLs. */
export const MAX_NAME_CHARS = 256

/** Selects the models for requests by the routes of the configuration. */
export class Router {
  readonly #config: GatewayConfig
  readonly #random: () => number
  readonly #guards: Map<string, UpstreamGuard>

  /** The guards outlive a router whose configuration is replaced. */
  constructor(
    config: GatewayConfig,
    guards: Map<string, UpstreamGuard> = new Map(),
    random: () => number = Math.random,
  ) {
    this.#config = config
    this.#guards = guards
    this.#random = random
  }

  /** Returns the model for a name; throws as a provider does if no route fits, or the client may not use it. */
  resolve(query: ModelQuery): RoutedModel {
    const { name, key, observe = () => {} } = query
    if (name.length > MAX_NAME_CHARS) throw createUnknownModelError(name)
    const routedName = this.#resolveAlias(name)
    const isAllowed = isModelAllowed(key, name) || isModelAllowed(key, routedName)
    const found = isAllowed ? this.#findRoute(routedName) : undefined
    if (found === undefined) throw createUnknownModelError(name)
    const { tracer, registry } = this.#config
    const { route, matched } = found
    const patterns = this.#order(route)
    const targets = patterns.map((pattern) => pattern.replace('*', () => matched))
    const [first, ...others] = targets.map((target, index) =>
      this.#getGuard(patterns[index] ?? target).guard(
        wrapModel(
          this.#createUpstream(target, route, query),
          ...(tracer === undefined ? [] : [tracer.middleware]),
        ),
        target,
        observe,
      ),
    )
    if (first === undefined) throw createUnknownModelError(name)
    const middlewares: readonly Middleware[] = [
      ...(route.defaults === undefined ? [] : [defaultSettings(route.defaults)]),
      ...(route.forced === undefined && key?.maxOutputTokens === undefined
        ? []
        : [forceSettings(route.forced ?? {}, key)]),
      ...(others.length === 0 ? [] : [fallback(others)]),
    ]
    const isBuiltIn = tracer === undefined && registry === undefined
    return { route, targets, isBuiltIn, model: wrapModel(first, ...middlewares) }
  }

  /** Returns the embedding model for a name: that of the first target. Others would return other vectors. */
  resolveEmbedding(
    name: string,
    key: GatewayKey | undefined,
  ): { readonly embedding: EmbeddingModel; readonly routed: RoutedModel } {
    const routed = this.resolve({ name, key })
    const { provider, model } = splitTarget(routed.targets[0])
    const known = this.#config.registry?.providers ?? providers
    const found = Object.entries(known).find(([each]) => each === provider)?.[1]
    if (found === undefined) throw createUnknownModelError(name)
    const embedding = found.embedding(model, this.#config.providers?.[provider])
    return { embedding, routed }
  }

  /** Returns the cost of an answer without an end; undefined if the price is unknown. */
  async calculateCost(usage: Usage | undefined, { targets }: RoutedModel): Promise<Cost | undefined> {
    const { provider, model } = splitTarget(targets[0])
    if (usage === undefined) return undefined
    const calculate = createCostCalculator(this.#config.providers?.[provider]?.prices)
    return calculate(usage, { provider, model })
  }

  /** Returns the names that the routes list, those without `*`, and the aliases. */
  listNames(key: GatewayKey | undefined): readonly string[] {
    const { routes, aliases = {} } = this.#config
    const names = routes.map(({ model }) => model).filter((name) => !name.includes('*'))
    return [...new Set([...names, ...Object.keys(aliases)])].filter(
      (name) => isModelAllowed(key, name) || isModelAllowed(key, this.#resolveAlias(name)),
    )
  }

  #resolveAlias(name: string): string {
    const { aliases = {} } = this.#config
    return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name
  }

  #findRoute(name: string): { readonly route: GatewayRoute; readonly matched: string } | undefined {
    for (const route of this.#config.routes) {
      const matched = matchModelPattern(route.model, name)
      if (matched !== undefined) return { route, matched }
    }
    return undefined
  }

  /** Returns the targets in the order of this request: those with weights first, drawn by weight. */
  #order({ to }: GatewayRoute): readonly string[] {
    const targets = typeof to === 'string' ? [to] : to
    const weighted = targets.filter((target): target is WeightedTarget => typeof target !== 'string')
    const plain = targets.filter((target): target is string => typeof target === 'string')
    const drawn: string[] = []
    for (const rest = [...weighted]; rest.length > 0;) {
      const total = rest.reduce((sum, { weight }) => sum + weight, 0)
      let point = this.#random() * total
      const index = rest.findIndex(({ weight }) => (point -= weight) < 0)
      const [chosen] = rest.splice(Math.max(0, index), 1)
      if (chosen !== undefined) drawn.push(chosen.to)
    }
    return [...drawn, ...plain]
  }

  #createUpstream(target: string, { timeouts, retry }: GatewayRoute, { forwarded }: ModelQuery): Model {
    if (target === DEMO_MODEL_NAME) return demo()
    const { registry = { providers, models: {} } } = this.#config
    const { provider } = splitTarget(target)
    const options = this.#config.providers?.[provider]
    const headers = forwarded === undefined ? {} : selectHeaders(provider, forwarded)
    return createModel(target, {
      // The gateway sends the whole conversation each time, so the provider need not store it.
      state: 'encrypted',
      ...options,
      headers: { ...headers, ...options?.headers },
      ...(timeouts && { timeouts: { ...options?.timeouts, ...timeouts } }),
      ...(retry && { retry: { ...options?.retry, ...retry } }),
      registry,
    })
  }

  /** Returns the guard of a target in the configuration. Names in requests have none of their own: they have no bound. */
  #getGuard(pattern: string): UpstreamGuard {
    const { circuit, retryBudget } = this.#config
    const guard = this.#guards.get(pattern) ?? new UpstreamGuard(pattern, circuit, retryBudget)
    this.#guards.set(pattern, guard)
    return guard
  }
}

/** Returns the two parts of a target. The demo model has no provider. */
function splitTarget(target = ''): { readonly provider: string; readonly model: string } {
  const separator = target.indexOf(':')
  return { provider: target.slice(0, Math.max(0, separator)), model: target.slice(separator + 1) }
}

function isModelAllowed(key: GatewayKey | undefined, name: string): boolean {
  return key?.models?.some((pattern) => matchModelPattern(pattern, name) !== undefined) ?? true
}

/** Replaces settings of requests, and limits the length of answers for a key. */
function forceSettings(forced: NonNullable<GatewayRoute['forced']>, key: GatewayKey | undefined): Middleware {
  const limit = key?.maxOutputTokens
  return {
    request(request: ChatRequest): ChatRequest {
      const changed = { ...request, ...forced, messages: request.messages }
      if (limit === undefined || (changed.maxOutputTokens ?? Infinity) <= limit) return changed
      return { ...changed, maxOutputTokens: limit }
    },
  }
}

/** Creates the error for a model that no route has, or that the client may not use: it cannot tell them apart. */
function createUnknownModelError(name: string): ProviderError {
  return new ProviderError(
    `The model '${name.slice(0, 200)}' does not exist or you do not have access to it.`,
    {
      kind: 'not-found',
      status: 404,
      model: name.slice(0, 200),
    },
  )
}

/**
 * Returns the text that `*` of a pattern stands for in a name; undefined if the name does not fit. A pattern without `*` fits
 * one name, for which the whole name is returned.
 */
function matchModelPattern(pattern: string, name: string): string | undefined {
  const star = pattern.indexOf('*')
  if (star === -1) return name === pattern ? name : undefined
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)]
  const fits = name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
  return fits ? name.slice(start.length, name.length - end.length) : undefined
}
