import type { Usage } from '../canonical/model/usage.ts'
import type { Cost } from './model.ts'
import { anthropicPrices, geminiPrices, openaiPrices } from './prices/table.ts'

/** What a model costs, for a million tokens. What is not said is not known. */
export interface Price {
  readonly input: number
  readonly output: number
  /** Input that the provider had cached. */
  readonly cachedInput?: number
  /** Input that the provider cached, for its shortest time. */
  readonly cacheWrite?: number
  /** The longest prompt, in tokens, for which this price holds. Default: however long. */
  readonly upTo?: number
  /** The day on which the price was read, as ISO 8601. */
  readonly asOf: string
}

/** Prices by provider and model. Of several for a model, the first that holds for the prompt counts. */
export interface PriceTable {
  readonly currency: string
  readonly prices: {
    readonly [provider: string]: { readonly [model: string]: Price | readonly Price[] }
  }
}

/**
 * The list prices of well-known models, each with the day on which it was read: standard tier, no batches, no discounts. Prices
 * change: bring your own table where it matters. Models whose price could not be checked, or depends on the time of day, are
 * not in it.
 *
 * @example
 * const mine: PriceTable = { ...prices, prices: { ...prices.prices, local: { 'my-model': { input: 0.1, output: 0.2, asOf: '2026-11-01' } } } }
 */
export const prices: PriceTable = {
  currency: 'USD',
  prices: { anthropic: anthropicPrices, openai: openaiPrices, gemini: geminiPrices },
}

/** A day, or the newest, at the end of a model's name. */
const VERSION = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/

const MILLION = 1_000_000

/**
 * What a call cost by a table of prices; undefined where a price that it takes is not known. It is never made up, and never 0
 * for want of a price.
 *
 * @example
 * costOf(reply.usage, { provider: 'anthropic', model: 'claude-haiku-4-5' }) // { amount: 0.0012, currency: 'USD', asOf: '2026-10-10' }
 */
export function costOf(
  usage: Usage,
  { provider, model }: { readonly provider: string; readonly model: string },
  table: PriceTable = prices,
): Cost | undefined {
  const price = priceFor(usage, provider, model, table)
  if (price === undefined) return undefined
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage
  const shares: readonly (readonly [tokens: number, price: number | undefined])[] = [
    [inputTokens - cachedInputTokens - cacheWriteTokens, price.input],
    [cachedInputTokens, price.cachedInput],
    [cacheWriteTokens, price.cacheWrite],
    [outputTokens, price.output],
  ]
  let amount = 0
  for (const [tokens, each] of shares) {
    if (tokens === 0) continue
    if (each === undefined) return undefined
    amount += (tokens * each) / MILLION
  }
  return { amount: Number(amount.toFixed(12)), currency: table.currency, asOf: price.asOf }
}

function priceFor(
  { inputTokens }: Usage,
  provider: string,
  model: string,
  { prices: known }: PriceTable,
): Price | undefined {
  const models = own(known, provider) ?? {}
  const found = own(models, model) ?? own(models, model.replace(VERSION, '')) ?? []
  return [found].flat().find(({ upTo = Infinity }) => inputTokens <= upTo)
}

/** A name may come from a response: nothing inherited is found by it. */
function own<T>(record: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
