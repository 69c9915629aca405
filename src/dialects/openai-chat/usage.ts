import type { Usage } from '../../canonical/model/usage.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../../wire/json.ts'
import { applyResidue, withResidue } from '../unit.ts'
import { SLOT } from './codes.ts'

/** Reads usage; undefined when it counts nothing. */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = wire
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  const cached = counted(wire, 'prompt_tokens_details', 'cached_tokens')
  const written = counted(wire, 'prompt_tokens_details', 'cache_write_tokens')
  const reasoning = counted(wire, 'completion_tokens_details', 'reasoning_tokens')
  const usage: Usage = {
    inputTokens: input,
    outputTokens: output,
    totalTokens: typeof total === 'number' ? total : input + output,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  }
  return sealedCopy(withResidue(usage, SLOT, writeUsage(usage), wire))
}

/** Writes usage. */
export function encodeUsage(usage: Usage): JsonObject {
  return applyResidue(writeUsage(usage), usage, SLOT)
}

function writeUsage({
  inputTokens,
  outputTokens,
  totalTokens,
  cachedInputTokens,
  cacheWriteTokens,
  reasoningTokens,
}: Usage): JsonObject {
  const input = {
    ...(cachedInputTokens !== undefined && { cached_tokens: cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cache_write_tokens: cacheWriteTokens }),
  }
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: totalTokens,
    ...(Object.keys(input).length > 0 && { prompt_tokens_details: input }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  }
}

function counted(wire: object, group: string, key: string): number | undefined {
  const details = ownValue(wire, group)
  const value = isObject(details) ? details[key] : undefined
  return typeof value === 'number' ? value : undefined
}
