import type { Usage } from '../canonical/model/usage.ts'
import { omitUndefined } from '../wire/json.ts'
import type { Cost } from '../canonical/model/model-interface.ts'

type ModelPrices = { readonly [model: string]: Price | readonly Price[] }

/** The columns input, cached input, cache write and output; undefined if the price could not be verified. */
type PriceColumns = readonly [number, number | undefined, number | undefined, number]

function createPrice(
  asOf: string,
  [inputPerMillion, cachedInputPerMillion, cacheWritePerMillion, outputPerMillion]: PriceColumns,
  maxInputTokens?: number,
): Price {
  const optional = { cachedInputPerMillion, cacheWritePerMillion, maxInputTokens }
  return { inputPerMillion, outputPerMillion, ...omitUndefined(optional), asOf }
}

const CLAUDE_DATE = '2026-10-10'
const opusPrice = createPrice(CLAUDE_DATE, [5, 0.5, 6.25, 25])
const olderOpusPrice = createPrice(CLAUDE_DATE, [15, 1.5, 18.75, 75])
const olderSonnetColumns: PriceColumns = [3, 0.3, 3.75, 15]

/** https://platform.claude.com/docs/en/about-claude/pricing (cache writes live for five minutes) */
const anthropicPrices: ModelPrices = {
  'claude-fable-5-1': createPrice(CLAUDE_DATE, [10, 0.25, 12.5, 50]),
  'claude-fable-5': createPrice(CLAUDE_DATE, [10, 1, 12.5, 50]),
  'claude-opus-5-5': createPrice(CLAUDE_DATE, [4, 0.2, 5, 20]),
  'claude-opus-5': opusPrice,
  'claude-opus-4-8': opusPrice,
  'claude-opus-4-7': opusPrice,
  'claude-opus-4-6': opusPrice,
  'claude-opus-4-5': opusPrice,
  'claude-opus-4-1': olderOpusPrice,
  'claude-opus-4': olderOpusPrice,
  // Two sources disagree about the price of cached input.
  'claude-sonnet-5-5': createPrice(CLAUDE_DATE, [2, undefined, 2.5, 10]),
  'claude-sonnet-5': createPrice(CLAUDE_DATE, [2, 0.2, 2.5, 10]),
  'claude-sonnet-4-6': createPrice(CLAUDE_DATE, olderSonnetColumns),
  // Longer prompts cost more.
  'claude-sonnet-4-5': createPrice(CLAUDE_DATE, olderSonnetColumns, 200_000),
  'claude-sonnet-4': createPrice(CLAUDE_DATE, olderSonnetColumns, 200_000),
  'claude-haiku-5-5': [
    createPrice(CLAUDE_DATE, [0.1, 0.01, 0.125, 0.5], 100_000),
    createPrice(CLAUDE_DATE, [0.5, 0.05, 0.625, 2.5]),
  ],
  'claude-haiku-4-5': createPrice(CLAUDE_DATE, [1, 0.1, 1.25, 5]),
  'claude-3-5-haiku': createPrice(CLAUDE_DATE, [0.8, 0.08, 1, 4]),
}

/** Above this number of input tokens OpenAI charges a higher price for the entire prompt. */
const OPENAI_LONG_PROMPT_TOKENS = 272_000
const GPT_6_DATE = '2026-10-13'
const GPT_6_1_TERRA_DATE = '2026-10-27'
const GPT_5_5_DATE = '2026-06-04'
const OLDER_GPT_DATE = '2026-07-24'

/** @see https://developers.openai.com/api/docs/pricing */
const openaiPrices: ModelPrices = {
  'gpt-6.1-sol': [
    createPrice(GPT_6_DATE, [2, 0.1, 2.5, 10], OPENAI_LONG_PROMPT_TOKENS),
    createPrice(GPT_6_DATE, [4, 0.2, undefined, 15]),
  ],
  'gpt-6.1-terra': [
    createPrice(GPT_6_1_TERRA_DATE, [1, 0.05, 1.25, 5], OPENAI_LONG_PROMPT_TOKENS),
    createPrice(GPT_6_1_TERRA_DATE, [2, 0.1, undefined, 7.5]),
  ],
  'gpt-6-sol': createPrice('2026-09-22', [2, 0.2, 2.5, 10], OPENAI_LONG_PROMPT_TOKENS),
  'gpt-6-luna': createPrice('2026-09-22', [0.1, 0.01, 0.125, 0.5], OPENAI_LONG_PROMPT_TOKENS),
  'gpt-5.6-terra': createPrice('2026-10-03', [2, 0.2, undefined, 12], OPENAI_LONG_PROMPT_TOKENS),
  'gpt-5.6-luna': createPrice('2026-10-03', [0.2, 0.02, undefined, 1.2], OPENAI_LONG_PROMPT_TOKENS),
  'gpt-5.5': createPrice(GPT_5_5_DATE, [5, 0.5, undefined, 30], OPENAI_LONG_PROMPT_TOKENS),
  'gpt-5.4': createPrice(GPT_5_5_DATE, [2.5, 0.25, undefined, 15], OPENAI_LONG_PROMPT_TOKENS),
  'gpt-5.4-mini': createPrice(GPT_5_5_DATE, [0.75, 0.075, undefined, 4.5], OPENAI_LONG_PROMPT_TOKENS),
  'gpt-5.4-nano': createPrice(GPT_5_5_DATE, [0.2, 0.02, undefined, 1.25], OPENAI_LONG_PROMPT_TOKENS),
  'gpt-5.2': createPrice(OLDER_GPT_DATE, [1.75, 0.175, undefined, 14]),
  'gpt-5.1': createPrice(OLDER_GPT_DATE, [1.25, 0.125, undefined, 10]),
  'gpt-5': createPrice(OLDER_GPT_DATE, [1.25, 0.125, undefined, 10]),
  'gpt-5-mini': createPrice(OLDER_GPT_DATE, [0.25, 0.025, undefined, 2]),
  'gpt-5-nano': createPrice(OLDER_GPT_DATE, [0.05, 0.005, undefined, 0.4]),
  'gpt-4.1': createPrice(OLDER_GPT_DATE, [2, 0.5, undefined, 8]),
  'gpt-4.1-mini': createPrice(OLDER_GPT_DATE, [0.4, 0.1, undefined, 1.6]),
  'gpt-4.1-nano': createPrice(OLDER_GPT_DATE, [0.1, 0.025, undefined, 0.4]),
  'gpt-4o': createPrice(OLDER_GPT_DATE, [2.5, 1.25, undefined, 10]),
  'gpt-4o-mini': createPrice(OLDER_GPT_DATE, [0.15, 0.075, undefined, 0.6]),
  o3: createPrice(OLDER_GPT_DATE, [2, 0.5, undefined, 8]),
  'o4-mini': createPrice(OLDER_GPT_DATE, [1.1, 0.275, undefined, 4.4]),
}

const GEMINI_DATE = '2026-09-20'

/** https://ai.google.dev/gemini-api/docs/pricing (cached input also costs per hour: not in usage) */
const geminiPrices: ModelPrices = {
  'gemini-3.5-flash': createPrice(GEMINI_DATE, [1.5, undefined, undefined, 9]),
  'gemini-3.1-pro-preview': [
    createPrice(GEMINI_DATE, [2, undefined, undefined, 12], 200_000),
    createPrice(GEMINI_DATE, [4, undefined, undefined, 18]),
  ],
  'gemini-2.5-pro': createPrice(GEMINI_DATE, [1.25, undefined, undefined, 10], 200_000),
}

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

/**
 * The list prices of well-known models with the date on which they were verified: standard tier, no batches,
 * no discounts. Prices change, so pass your own table if you depend on them. Models are omitted if their
 * price could not be verified or depends on the time of day.
 *
 * @example
 * const local = { 'my-model': { inputPerMillion: 0.1, outputPerMillion: 0.2, asOf: '2026-11-01' } }
 * const prices: PriceTable = { ...defaultPrices, prices: { ...defaultPrices.prices, local } }
 */
export const defaultPrices: PriceTable = {
  currency: 'USD',
  prices: { anthropic: anthropicPrices, openai: openaiPrices, gemini: geminiPrices },
}

/** A date or `latest` at the end of a model name. */
const VERSION_SUFFIX = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/

const MILLION = 1_000_000

/**
 * Returns the cost of a call; undefined if a required price is unknown. An unknown price is never estimated
 * or counted as 0.
 *
 * @example
 * calculateCost(reply.usage, { provider: 'anthropic', model: 'claude-haiku-4-5' })
 * // { amount: 0.0012, currency: 'USD', asOf: '2026-10-10' }
 */
export function calculateCost(
  usage: Usage,
  { provider, model }: { readonly provider: string; readonly model: string },
  table: PriceTable = defaultPrices,
): Cost | undefined {
  const models = getOwn(table.prices, provider) ?? {}
  const found = getOwn(models, model) ?? getOwn(models, model.replace(VERSION_SUFFIX, '')) ?? []
  const price = [found].flat().find(({ maxInputTokens = Infinity }) => usage.inputTokens <= maxInputTokens)
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
}

/** Returns an own property: the key may come from a response, so inherited properties must not match. */
function getOwn<T>(record: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
