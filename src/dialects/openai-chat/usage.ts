import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Hints } from '../../wire/residue.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { countIn } from '../shared/counts.ts'
import { SLOT } from './codes.ts'
import type { OpenAIChatHint } from './hints.ts'

/** Reads usage; undefined when it counts nothing. `place` is remembered where it stands in an odd place. */
export function decodeUsage(wire: Json | undefined, place: Hints<OpenAIChatHint> = {}): Usage | undefined {
  if (!isObject(wire)) return undefined
  const { prompt_tokens: input, completion_tokens: said, total_tokens: total } = wire
  if (typeof input !== 'number' || typeof said !== 'number') return undefined
  const hit = wire['prompt_cache_hit_tokens']
  const listed = countIn(wire, 'prompt_tokens_details', 'cached_tokens')
  const cached = listed ?? (typeof hit === 'number' ? hit : undefined)
  const written = countIn(wire, 'prompt_tokens_details', 'cache_write_tokens')
  const reasoning = countIn(wire, 'completion_tokens_details', 'reasoning_tokens')
  const apart = isApart(input, said, reasoning, total)
  const output = apart ? said + (reasoning ?? 0) : said
  const usage: Usage = {
    inputTokens: input,
    outputTokens: output,
    totalTokens: typeof total === 'number' ? total : input + output,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  }
  const hints = {
    ...place,
    ...(apart && { outputExcludesReasoning: true }),
    ...(cached !== undefined && listed === undefined && { missingCachedTokens: true }),
    ...(cached !== undefined && hit === cached && { hasCacheHitTokens: true }),
    ...(cached !== undefined &&
      wire['prompt_cache_miss_tokens'] === input - cached && {
        hasCacheMissTokens: true,
      }),
  }
  return keep(usage, SLOT, SLOT, hints, wire, encodeUsage)
}

/** Some hosts count thoughts beside the answer, not in it: their total shows it. */
function isApart(input: number, said: number, reasoning: number | undefined, total: unknown): boolean {
  return reasoning !== undefined && reasoning > 0 && total === input + said + reasoning
}

/** Writes usage, and the counters that a host derives from it. */
export function encodeUsage(usage: Usage): JsonObject {
  return applyResidue(writeUsage(usage, hintsFor(usage, SLOT)), usage, SLOT)
}

function writeUsage(usage: Usage, hints: Hints<OpenAIChatHint>): JsonObject {
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens: cached, reasoningTokens } = usage
  const input = {
    ...(cached !== undefined && hints['missingCachedTokens'] !== true && { cached_tokens: cached }),
    ...(usage.cacheWriteTokens !== undefined && { cache_write_tokens: usage.cacheWriteTokens }),
  }
  const beside = hints['outputExcludesReasoning'] === true ? (reasoningTokens ?? 0) : 0
  return {
    prompt_tokens: inputTokens,
    completion_tokens: Math.max(0, outputTokens - beside),
    total_tokens: totalTokens,
    ...(cached !== undefined && hints['hasCacheHitTokens'] === true && { prompt_cache_hit_tokens: cached }),
    ...(cached !== undefined &&
      hints['hasCacheMissTokens'] === true && { prompt_cache_miss_tokens: inputTokens - cached }),
    ...(Object.keys(input).length > 0 && { prompt_tokens_details: input }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  }
}
