import { isTimestamp } from '../../canonical/shape/shape.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, finishReasonsByNumber, finishReasonTable } from './constants.ts'
import { keyAliases, toCamelCaseKeys } from './key-casing.ts'
import type { Finish } from '../../canonical/model/message.ts'
import {
  decodeFinishReason,
  type FinishEncoder,
  createFinishEncoder,
  type ResponseMetadata,
  createResponseMetadata,
} from '../shared/response-metadata.ts'
import { decodeGoogleUsage, encodeGoogleUsage, type GoogleUsageKeys } from '../shared/google-common.ts'
import { toPartList } from './messages.ts'
import { getPartDataKey } from './parts.ts'

/** Decodes the id, the model and the creation time of a response; each chunk of a stream repeats them. */
export function decodeResponseMetadata(wire: JsonObject): ResponseMetadata {
  const { responseId, modelVersion, createTime: time } = wire
  return createResponseMetadata(DIALECT_SLOT, responseId, modelVersion, isTimestamp(time) ? time : undefined)
}

/** Decodes the finish reason. The wire has none for tool calls, so tool calls take precedence. */
export function decodeFinishWithCalls(wire: Json | undefined, hasToolCalls: boolean): Finish | undefined {
  const raw = typeof wire === 'number' ? (finishReasonsByNumber[wire] ?? String(wire)) : wire
  return typeof raw === 'string' && raw !== ''
    ? decodeFinishReason(finishReasonTable, raw, hasToolCalls)
    : undefined
}

/** Decodes the finish reason of a candidate, or of a response whose prompt was blocked. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const camelWire = toCamelCaseKeys(wire)
  if (isPromptBlocked(camelWire)) return { reason: 'content-filter' }
  const { content, finishReason } = camelWire
  const parts = isObject(content) ? (toPartList(content['parts']) ?? []) : []
  return decodeFinishWithCalls(finishReason, parts.some(isFunctionCall))
}

function isFunctionCall(wire: Json): boolean {
  return isObject(wire) && getPartDataKey(toCamelCaseKeys(wire)) === 'functionCall'
}

/** Returns true if the prompt was blocked: there are no candidates, and `promptFeedback` has a block reason. */
export function isPromptBlocked({ candidates, promptFeedback: feedback }: JsonObject): boolean {
  if (Array.isArray(candidates) ? candidates.length > 0 : candidates !== undefined) return false
  const reason = isObject(feedback) ? toCamelCaseKeys(feedback)['blockReason'] : undefined
  return reason !== undefined && reason !== 'BLOCKED_REASON_UNSPECIFIED' && reason !== 0
}

export const encodeFinish: FinishEncoder = createFinishEncoder(finishReasonTable, 'OTHER')

const usageKeys: GoogleUsageKeys = {
  prompt: 'promptTokenCount',
  answer: 'candidatesTokenCount',
  total: 'totalTokenCount',
  cached: 'cachedContentTokenCount',
  thoughts: 'thoughtsTokenCount',
  toolUse: 'toolUsePromptTokenCount',
}

/** Decodes usage, if it has counters. */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  const decoded = isObject(wire) ? decodeGoogleUsage(toCamelCaseKeys(wire), usageKeys) : undefined
  if (decoded === undefined || !isObject(wire)) return undefined
  const hints = omitUndefined({ toolPromptTokens: decoded.toolUseTokens })
  return attachResidue(decoded.usage, DIALECT_SLOT, hints, wire, (each) => encodeUsage(each), {
    aliases: keyAliases,
  })
}

export function encodeUsage(usage: Usage, context: EncodeContext = noReport): JsonObject {
  const { toolPromptTokens } = getHints(usage, DIALECT_SLOT)
  return applyResidue(encodeGoogleUsage(usage, toolPromptTokens, usageKeys, context), usage, DIALECT_SLOT)
}
