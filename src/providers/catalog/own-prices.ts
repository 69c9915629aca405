import type { Price, PriceTable } from '../../client/prices.ts'
import { omitUndefined } from '../../wire/json.ts'

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

/**
 * List prices that were verified on the page of the provider: standard tier, no batches, no discounts. They have
 * precedence over the rows of models.dev. Models are omitted if their price depends on the time of day.
 */
export const ownPrices: PriceTable['prices'] = {
  anthropic: anthropicPrices,
  openai: openaiPrices,
  gemini: geminiPrices,
}
