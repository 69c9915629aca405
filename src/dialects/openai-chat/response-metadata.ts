import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import {
  readNestedCount,
  decodeFinishReason,
  type FinishEncoder,
  createFinishEncoder,
  type ResponseMetadata,
} from '../shared/response-metadata.ts'
import { decodeChatMetadata } from '../shared/chat-response.ts'
import { DIALECT_SLOT, finishReasonTable } from './constants.ts'
import type { OpenAIChatHints } from './hints.ts'
import type { Finish } from '../../canonical/model/message.ts'

/** Decodes the id, the model and the creation time of a response. */
export function decodeResponseMetadata(wire: JsonObject): ResponseMetadata {
  return decodeChatMetadata(DIALECT_SLOT, wire)
}

/** Decodes the finish reason of a choice. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const { finish_reason: raw, message } = wire
  const { tool_calls: calls, function_call: call } = isObject(message) ? message : {}
  return decodeFinishWithCalls(raw, (Array.isArray(calls) && calls.length > 0) || isObject(call))
}

/** Decodes a finish reason. Some hosts send `stop` for a message with tool calls, so the calls decide. */
export function decodeFinishWithCalls(raw: Json | undefined, calls: boolean): Finish | undefined {
  return typeof raw === 'string' && raw !== '' ? decodeFinishReason(finishReasonTable, raw, calls) : undefined
}

export const encodeFinish: FinishEncoder = createFinishEncoder(finishReasonTable, 'stop')

/** Returns the finish reason of a message whose call is in the legacy field `function_call`. */
export function toLegacyFinish(reason: string, hasLegacyCall: boolean): string {
  return hasLegacyCall && reason === 'tool_calls' ? 'function_call' : reason
}

/** Decodes usage, if it has token counts. `locationHint` records a field other than `usage`. */
export function decodeUsage(wire: Json | undefined, locationHint: OpenAIChatHints = {}): Usage | undefined {
  if (!isObject(wire)) return undefined
  const { prompt_tokens: input, completion_tokens: completion, total_tokens: total } = wire
  if (typeof input !== 'number' || typeof completion !== 'number') return undefined
  const { prompt_cache_hit_tokens: hit, prompt_cache_miss_tokens: miss } = wire
  const nestedCached = readNestedCount(wire, 'prompt_tokens_details', 'cached_tokens')
  const cached = nestedCached ?? (typeof hit === 'number' ? hit : undefined)
  const written = readNestedCount(wire, 'prompt_tokens_details', 'cache_write_tokens')
  const reasoning = readNestedCount(wire, 'completion_tokens_details', 'reasoning_tokens')
  // Some hosts exclude the reasoning tokens from `completion_tokens`: only the sum with them equals the total.
  const isSeparate = reasoning !== undefined && reasoning > 0 && total === input + completion + reasoning
  const output = isSeparate ? completion + (reasoning ?? 0) : completion
  const usage: Usage = {
    inputTokens: input,
    outputTokens: output,
    totalTokens: typeof total === 'number' ? total : input + output,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  }
  const hints = {
    ...locationHint,
    ...(isSeparate && { outputExcludesReasoning: true }),
    ...(cached !== undefined && nestedCached === undefined && { missingCachedTokens: true }),
    ...(cached !== undefined && hit === cached && { hasCacheHitTokens: true }),
    ...(cached !== undefined && miss === input - cached && { hasCacheMissTokens: true }),
  }
  return attachResidue(usage, DIALECT_SLOT, hints, wire, encodeUsage)
}

/** Encodes usage, with the counters that some hosts derive from it. */
export function encodeUsage(usage: Usage): JsonObject {
  const hints = getHints(usage, DIALECT_SLOT)
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens: cached, reasoningTokens } = usage
  const input = {
    ...(cached !== undefined && hints['missingCachedTokens'] !== true && { cached_tokens: cached }),
    ...(usage.cacheWriteTokens !== undefined && { cache_write_tokens: usage.cacheWriteTokens }),
  }
  const excludedTokens = hints['outputExcludesReasoning'] === true ? (reasoningTokens ?? 0) : 0
  const made = {
    prompt_tokens: inputTokens,
    completion_tokens: Math.max(0, outputTokens - excludedTokens),
    total_tokens: totalTokens,
    ...(cached !== undefined && hints['hasCacheHitTokens'] === true && { prompt_cache_hit_tokens: cached }),
    ...(cached !== undefined &&
      hints['hasCacheMissTokens'] === true && { prompt_cache_miss_tokens: inputTokens - cached }),
    ...(Object.keys(input).length > 0 && { prompt_tokens_details: input }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  }
  return applyResidue(made, usage, DIALECT_SLOT)
}
