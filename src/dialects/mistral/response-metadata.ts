import type { Finish } from '../../canonical/model/message.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, attachResidue, getHints } from '../engine/residue-slots.ts'
import { decodeChatMetadata } from '../shared/chat-response.ts'
import {
  createFinishEncoder,
  decodeFinishReason,
  type FinishEncoder,
  readNestedCount,
  type ResponseMetadata,
} from '../shared/response-metadata.ts'
import { DIALECT_SLOT, finishReasonTable } from './constants.ts'

/** Decodes the id, the model and the creation time of a response. */
export function decodeResponseMetadata(wire: JsonObject): ResponseMetadata {
  return decodeChatMetadata(DIALECT_SLOT, wire)
}

/** Decodes the finish reason of a choice. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const { finish_reason: raw, message } = wire
  const calls = isObject(message) ? message['tool_calls'] : undefined
  return decodeFinishWithCalls(raw, Array.isArray(calls) && calls.length > 0)
}

/** Decodes a finish reason; a stop after calls is one for calls. */
export function decodeFinishWithCalls(raw: Json | undefined, hasCalls: boolean): Finish | undefined {
  return typeof raw === 'string' && raw !== ''
    ? decodeFinishReason(finishReasonTable, raw, hasCalls)
    : undefined
}

export const encodeFinish: FinishEncoder = createFinishEncoder(finishReasonTable, 'stop')

/** The group of details in which the number of cached tokens is written. */
const CACHED_GROUP = 'prompt_tokens_details'

/** The fields that contain the number of cached tokens, in order of preference; the API has had several. */
const cachedTokenFields = [CACHED_GROUP, 'num_cached_tokens', 'prompt_token_details'] as const

function readCachedTokens(wire: JsonObject, field: (typeof cachedTokenFields)[number]): number | undefined {
  const value = wire[field]
  return typeof value === 'number' ? value : readNestedCount(wire, field, 'cached_tokens')
}

/** Decodes usage, if it has token counts. */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = wire
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  const counts = cachedTokenFields.map((field) => readCachedTokens(wire, field))
  const cached = counts.find((count) => count !== undefined)
  const reasoning = readNestedCount(wire, 'completion_tokens_details', 'reasoning_tokens')
  const usage: Usage = {
    inputTokens: input,
    outputTokens: output,
    totalTokens: typeof total === 'number' ? total : input + output,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  }
  const fields = cachedTokenFields.filter((_, index) => cached !== undefined && counts[index] === cached)
  const isUsualField = fields.length === 1 && fields[0] === CACHED_GROUP
  const hints = cached === undefined || isUsualField ? {} : { cachedTokenFields: fields }
  return attachResidue(usage, DIALECT_SLOT, hints, wire, (each) => encodeUsage(each))
}

/** Encodes usage, and reports the count that the format lacks. */
export function encodeUsage(usage: Usage, context: EncodeContext = noReport): JsonObject {
  if ((usage.cacheWriteTokens ?? 0) !== 0)
    context.report('usage-detail', child(child(undefined, 'usage'), 'cacheWriteTokens'))
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens: cached, reasoningTokens } = usage
  const { cachedTokenFields: received } = getHints(usage, DIALECT_SLOT)
  const fields: readonly unknown[] = Array.isArray(received) ? received : [CACHED_GROUP]
  const cachedFields = cachedTokenFields
    .filter((field) => cached !== undefined && fields.includes(field))
    .map((field) => [field, field === 'num_cached_tokens' ? cached : { cached_tokens: cached }] as const)
  const made = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: totalTokens,
    ...(Object.fromEntries(cachedFields) as JsonObject),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  }
  return applyResidue(made, usage, DIALECT_SLOT)
}
