import type { Finish } from '../../canonical/model/message.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { child } from '../../wire/json-pointer.ts'
import { isObject, isSafeInteger, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import {
  createFinishEncoder,
  createMetadataWithoutModel,
  decodeFinishReason,
  type FinishEncoder,
  type ResponseMetadata,
} from '../shared/response-metadata.ts'
import { DIALECT_SLOT, finishReasonTable, RESPONSE_SLOT } from './constants.ts'

/** Decodes the id of a response. The wire does not contain the model. */
export function decodeResponseMetadata({ id }: JsonObject, options: DecodeOptions): ResponseMetadata {
  return createMetadataWithoutModel(DIALECT_SLOT, id, options)
}

/** Decodes the finish reason of a response. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  const { finish_reason: raw, message } = isObject(wire) ? wire : {}
  const { tool_calls: calls } = isObject(message) ? message : {}
  return decodeFinishWithCalls(raw, Array.isArray(calls) && calls.length > 0)
}

/** Decodes a finish reason. */
export function decodeFinishWithCalls(raw: Json | undefined, hasCalls: boolean): Finish | undefined {
  return typeof raw === 'string' ? decodeFinishReason(finishReasonTable, raw, hasCalls) : undefined
}

export const encodeFinish: FinishEncoder = createFinishEncoder(finishReasonTable, 'COMPLETE')

/** Decodes usage: the tokens of the model, or the billed ones if it has no others. */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined
  const { tokens, billed_units: billed, cached_tokens: cached } = wire
  const counts = readCounts(tokens) ?? readCounts(billed)
  if (counts === undefined) return undefined
  const hints = { ...(readCounts(tokens) === undefined && { billedUnits: true }) }
  const usage: Usage = {
    ...counts,
    totalTokens: counts.inputTokens + counts.outputTokens,
    ...(isCount(cached) && { cachedInputTokens: cached }),
  }
  const hinted = withHints(usage, RESPONSE_SLOT, hints)
  return withResidue(hinted, RESPONSE_SLOT, encodeCounts(hinted), wire, hints)
}

function readCounts(wire: Json | undefined): Pick<Usage, 'inputTokens' | 'outputTokens'> | undefined {
  const { input_tokens: input, output_tokens: output } = isObject(wire) ? wire : {}
  return isCount(input) && isCount(output) ? { inputTokens: input, outputTokens: output } : undefined
}

function isCount(value: Json | undefined): value is number {
  return isSafeInteger(value) && value >= 0
}

function encodeCounts(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cachedInputTokens: cached } = usage
  const key = getHints(usage, RESPONSE_SLOT).billedUnits === true ? 'billed_units' : 'tokens'
  return {
    [key]: { input_tokens: inputTokens, output_tokens: outputTokens },
    ...(cached !== undefined && { cached_tokens: cached }),
  }
}

/** Encodes usage, and reports the counts that the format lacks. */
export function encodeUsage(usage: Usage, context: EncodeContext = noReport): JsonObject {
  for (const key of ['cacheWriteTokens', 'reasoningTokens'] as const)
    if (usage[key] !== undefined) context.report('usage-detail', child(child(undefined, 'usage'), key))
  return applyResidue(encodeCounts(usage), usage, RESPONSE_SLOT)
}
