import type { EmbeddingModel, Model } from '../canonical/model/model-interface.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { fallback } from '../client/middleware/fallback.ts'
import { defaultSettings, type Middleware, wrapModel } from '../client/middleware/middleware.ts'
import { ProviderError } from '../errors.ts'
import { providers } from '../providers/built-in-providers.ts'
import { model as createModel } from '../providers/model-by-name.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import type { GatewayConfig, GatewayKey, GatewayRoute, WeightedTarget } from './config.ts'
import { matchModelPattern } from './model-pattern.ts'

/** The model that answers requests for a name, with its fallbacks, and the route that selected it. */
export interface RoutedModel {
  readonly model: Model
  readonly route: GatewayRoute
  /** The targets in the order in which they are tried, as `provider:model`. */
  readonly targets: readonly string[]
}

/** Selects the models for requests by the routes of the configuration. */
export class Router {
  readonly #config: GatewayConfig
  readonly #random: () => number
  readonly #breakers = new Map<string, CircuitBreaker>()

  constructor(config: GatewayConfig, random: () => number = Math.random) {
    this.#config = config
    this.#random = random
  }

  /**
   * Returns the model for a name; throws as a provider does if no route fits, or the client may not use it. A client whose format
   * stores conversations at the provider (`isStateful`) decides about that itself.
   */
  resolve(name: string, key: GatewayKey | undefined, isStateful: boolean): RoutedModel {
    const isAllowed = key?.models?.some((pattern) => matchModelPattern(pattern, name) !== undefined) ?? true
    const found = isAllowed ? this.#findRoute(name) : undefined
    if (found === undefined) throw createUnknownModelError(name)
    const { route, matched } = found
    const patterns = this.#order(route)
    const targets = patterns.map((pattern) => pattern.replace('*', () => matched))
    const [first, ...others] = targets.map((target, index) =>
      this.#createUpstream(target, this.#getBreaker(patterns[index] ?? target), isStateful),
    )
    if (first === undefined) throw createUnknownModelError(name)
    const middlewares: readonly Middleware[] = [
      ...(route.defaults === undefined ? [] : [defaultSettings(route.defaults)]),
      forceSettings(route.forced ?? {}, key),
      ...(others.length === 0 ? [] : [fallback(others)]),
    ]
    return { route, targets, model: wrapModel(first, ...middlewares) }
  }

  /** Returns the embedding model for a name: that of the first target. Others would return other vectors. */
  resolveEmbedding(name: string, key: GatewayKey | undefined): EmbeddingModel {
    const { targets } = this.resolve(name, key, false)
    const [target = ''] = targets
    const separator = target.indexOf(':')
    const provider = target.slice(0, separator)
    const known = this.#config.registry?.providers ?? providers
    const found = Object.entries(known).find(([each]) => each === provider)?.[1]
    if (found === undefined) throw createUnknownModelError(name)
    return found.embedding(target.slice(separator + 1), this.#config.providers?.[provider])
  }

  /** Returns the names that the routes list: those without `*`. */
  listNames(key: GatewayKey | undefined): readonly string[] {
    const names = this.#config.routes.map(({ model }) => model).filter((name) => !name.includes('*'))
    const isAllowed = (name: string): boolean =>
      key?.models?.some((pattern) => matchModelPattern(pattern, name) !== undefined) ?? true
    return [...new Set(names)].filter(isAllowed)
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

  #createUpstream(target: string, breaker: CircuitBreaker, isStateful: boolean): Model {
    const { registry = { providers, models: {} } } = this.#config
    const provider = target.slice(0, target.indexOf(':'))
    // The client sends the whole conversation each time, so the provider need not store it.
    const state = isStateful ? {} : ({ state: 'encrypted' } as const)
    const model = createModel(target, { ...state, ...this.#config.providers?.[provider], registry })
    return wrapModel(model, breaker.middleware)
  }

  /** Returns the breaker of a target in the configuration. Names in requests are not counted apart: they have no bound. */
  #getBreaker(pattern: string): CircuitBreaker {
    const breaker = this.#breakers.get(pattern) ?? new CircuitBreaker(this.#config.circuit)
    this.#breakers.set(pattern, breaker)
    return breaker
  }
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
      model: name,
    },
  )
}
