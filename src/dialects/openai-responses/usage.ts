import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { applyResidue, keep } from '../unit.ts'
import { countIn } from '../shared/counts.ts'
import { SLOT } from './codes.ts'

/** Reads usage; undefined when it counts nothing. */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined
  const { input_tokens: input, output_tokens: output, total_tokens: total } = wire
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  const cached = countIn(wire, 'input_tokens_details', 'cached_tokens')
  const written = countIn(wire, 'input_tokens_details', 'cache_write_tokens')
  const reasoning = countIn(wire, 'output_tokens_details', 'reasoning_tokens')
  const usage: Usage = {
    inputTokens: input,
    outputTokens: output,
    totalTokens: typeof total === 'number' ? total : input + output,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  }
  return keep(usage, SLOT, SLOT, {}, wire, encodeUsage)
}

/** Writes usage, with every counter that a response must have. */
export function encodeUsage(usage: Usage): JsonObject {
  const made = {
    input_tokens: usage.inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedInputTokens ?? 0,
      cache_write_tokens: usage.cacheWriteTokens ?? 0,
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: usage.totalTokens,
  }
  return applyResidue(made, usage, SLOT)
}
