import type { Usage } from '../canonical/model/usage.ts'
import type { Cost } from '../canonical/model/model-interface.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'

/** The price of a model per million tokens. An absent price is unknown. */
export interface Price {
  readonly inputPerMillion: number
  readonly outputPerMillion: number
  /** The price of input that was read from the cache. */
  readonly cachedInputPerMillion?: number
  /** The price of input that was written to the cache, with the shortest lifetime. */
  readonly cacheWritePerMillion?: number
  /** The maximum number of input tokens for which this price applies. Default: unlimited. */
  readonly maxInputTokens?: number
  /** The date on which the price was verified, as ISO 8601. */
  readonly asOf: string
}

/** Prices by provider and model; of several, the first one for the prompt length applies. */
export interface PriceTable {
  readonly currency: string
  readonly prices: {
    readonly [provider: string]: { readonly [model: string]: Price | readonly Price[] }
  }
}

/** The provider of a call, and the model that responded. */
interface PriceSource {
  readonly provider: string
  readonly model: string
}

/** A date or `latest` at the end of a model name. */
const VERSION_SUFFIX = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/

const MILLION = 1_000_000

/** Returns the name of a model without the date or `latest` at its end. */
export function stripModelVersion(model: string): string {
  return model.replace(VERSION_SUFFIX, '')
}

/** Returns the prices of a model in a table; undefined if the table does not contain the model. */
export function findPrices(
  table: PriceTable,
  { provider, model }: PriceSource,
): readonly Price[] | undefined {
  const models = getOwn(table.prices, provider) ?? {}
  const found = getOwn(models, model) ?? getOwn(models, stripModelVersion(model))
  return found && [found].flat()
}

/**
 * Returns the cost of a call; undefined if a required price is unknown. An unknown price is never estimated
 * or counted as 0.
 *
 * @example
 * calculateCost(reply.usage, { provider: 'anthropic', model: 'claude-haiku-4-5' }, await loadPrices())
 * // { amount: 0.0012, currency: 'USD', asOf: '2026-10-10' }
 */
export function calculateCost(usage: Usage, source: PriceSource, table: PriceTable): Cost | undefined {
  return withTypedErrors(() => {
    const price = findPrices(table, source)?.find(
      ({ maxInputTokens = Infinity }) => usage.inputTokens <= maxInputTokens,
    )
    if (price === undefined) return undefined
    const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage
    const shares: readonly (readonly [tokens: number, price: number | undefined])[] = [
      [inputTokens - cachedInputTokens - cacheWriteTokens, price.inputPerMillion],
      [cachedInputTokens, price.cachedInputPerMillion],
      [cacheWriteTokens, price.cacheWritePerMillion],
      [outputTokens, price.outputPerMillion],
    ]
    let amount = 0
    for (const [tokens, each] of shares) {
      if (tokens === 0) continue
      if (each === undefined) return undefined
      amount += (tokens * each) / MILLION
    }
    return { amount: Number(amount.toFixed(12)), currency: table.currency, asOf: price.asOf }
  }, [usage, source, table])
}

/** Returns an own property: the key may come from a response, so inherited properties must not match. */
function getOwn<T>(record: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
