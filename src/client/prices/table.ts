import type { Price } from '../prices.ts'

type Prices = { readonly [model: string]: Price | readonly Price[] }

/** A row: input, cached input, cache write, output; undefined where it could not be checked. */
type Row = readonly [number, number | undefined, number | undefined, number]

function price(asOf: string, [input, cachedInput, cacheWrite, output]: Row, upTo?: number): Price {
  return {
    input,
    output,
    ...(cachedInput !== undefined && { cachedInput }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(upTo !== undefined && { upTo }),
    asOf,
  }
}

const CLAUDE = '2026-10-10'
const opus = price(CLAUDE, [5, 0.5, 6.25, 25])
const olderOpus = price(CLAUDE, [15, 1.5, 18.75, 75])
const olderSonnet: Row = [3, 0.3, 3.75, 15]

/** @see https://platform.claude.com/docs/en/about-claude/pricing Cache writes are those for five minutes. */
export const anthropicPrices: Prices = {
  'claude-fable-5-1': price(CLAUDE, [10, 0.25, 12.5, 50]),
  'claude-fable-5': price(CLAUDE, [10, 1, 12.5, 50]),
  'claude-opus-5-5': price(CLAUDE, [4, 0.2, 5, 20]),
  'claude-opus-5': opus,
  'claude-opus-4-8': opus,
  'claude-opus-4-7': opus,
  'claude-opus-4-6': opus,
  'claude-opus-4-5': opus,
  'claude-opus-4-1': olderOpus,
  'claude-opus-4': olderOpus,
  // Two readings of the price of cached input disagree.
  'claude-sonnet-5-5': price(CLAUDE, [2, undefined, 2.5, 10]),
  'claude-sonnet-5': price(CLAUDE, [2, 0.2, 2.5, 10]),
  'claude-sonnet-4-6': price(CLAUDE, olderSonnet),
  // Longer prompts cost more.
  'claude-sonnet-4-5': price(CLAUDE, olderSonnet, 200_000),
  'claude-sonnet-4': price(CLAUDE, olderSonnet, 200_000),
  'claude-haiku-5-5': [
    price(CLAUDE, [0.1, 0.01, 0.125, 0.5], 100_000),
    price(CLAUDE, [0.5, 0.05, 0.625, 2.5]),
  ],
  'claude-haiku-4-5': price(CLAUDE, [1, 0.1, 1.25, 5]),
  'claude-3-5-haiku': price(CLAUDE, [0.8, 0.08, 1, 4]),
}

/** Beyond this many tokens OpenAI asks more for the whole prompt. */
const LONG = 272_000
const GPT_6 = '2026-10-13'
const TERRA = '2026-10-27'
const GPT_5_5 = '2026-06-04'
const OLDER = '2026-07-24'

/** @see https://developers.openai.com/api/docs/pricing */
export const openaiPrices: Prices = {
  'gpt-6.1-sol': [price(GPT_6, [2, 0.1, 2.5, 10], LONG), price(GPT_6, [4, 0.2, undefined, 15])],
  'gpt-6.1-terra': [price(TERRA, [1, 0.05, 1.25, 5], LONG), price(TERRA, [2, 0.1, undefined, 7.5])],
  'gpt-6-sol': price('2026-09-22', [2, 0.2, 2.5, 10], LONG),
  'gpt-6-luna': price('2026-09-22', [0.1, 0.01, 0.125, 0.5], LONG),
  'gpt-5.6-terra': price('2026-10-03', [2, 0.2, undefined, 12], LONG),
  'gpt-5.6-luna': price('2026-10-03', [0.2, 0.02, undefined, 1.2], LONG),
  'gpt-5.5': price(GPT_5_5, [5, 0.5, undefined, 30], LONG),
  'gpt-5.4': price(GPT_5_5, [2.5, 0.25, undefined, 15], LONG),
  'gpt-5.4-mini': price(GPT_5_5, [0.75, 0.075, undefined, 4.5], LONG),
  'gpt-5.4-nano': price(GPT_5_5, [0.2, 0.02, undefined, 1.25], LONG),
  'gpt-5.2': price(OLDER, [1.75, 0.175, undefined, 14]),
  'gpt-5.1': price(OLDER, [1.25, 0.125, undefined, 10]),
  'gpt-5': price(OLDER, [1.25, 0.125, undefined, 10]),
  'gpt-5-mini': price(OLDER, [0.25, 0.025, undefined, 2]),
  'gpt-5-nano': price(OLDER, [0.05, 0.005, undefined, 0.4]),
  'gpt-4.1': price(OLDER, [2, 0.5, undefined, 8]),
  'gpt-4.1-mini': price(OLDER, [0.4, 0.1, undefined, 1.6]),
  'gpt-4.1-nano': price(OLDER, [0.1, 0.025, undefined, 0.4]),
  'gpt-4o': price(OLDER, [2.5, 1.25, undefined, 10]),
  'gpt-4o-mini': price(OLDER, [0.15, 0.075, undefined, 0.6]),
  o3: price(OLDER, [2, 0.5, undefined, 8]),
  'o4-mini': price(OLDER, [1.1, 0.275, undefined, 4.4]),
}

const GEMINI = '2026-09-20'

/** @see https://ai.google.dev/gemini-api/docs/pricing Cached input is also charged by the hour, which no usage tells. */
export const geminiPrices: Prices = {
  'gemini-3.5-flash': price(GEMINI, [1.5, undefined, undefined, 9]),
  'gemini-3.1-pro-preview': [
    price(GEMINI, [2, undefined, undefined, 12], 200_000),
    price(GEMINI, [4, undefined, undefined, 18]),
  ],
  'gemini-2.5-pro': price(GEMINI, [1.25, undefined, undefined, 10], 200_000),
}
