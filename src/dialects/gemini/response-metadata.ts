import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
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
import { toPartList } from './messages.ts'
import { getPartDataKey } from './parts.ts'

/** Decodes the id, the model and the creation time of a response; each chunk of a stream repeats them. */
export function decodeResponseMetadata(wire: JsonObject): ResponseMetadata {
  const { responseId, modelVersion, createTime: time } = wire
  const createdAt = typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : undefined
  return createResponseMetadata(DIALECT_SLOT, responseId, modelVersion, createdAt)
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

/** Decodes usage, if it has counters. The API counts reasoning and tool use prompts separately. */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined
  const camelWire = toCamelCaseKeys(wire)
  const readCount = (key: string): number | undefined => {
    const count = camelWire[key]
    return typeof count === 'number' && count >= 0 ? count : undefined
  }
  const promptTokens = readCount('promptTokenCount')
  const candidateTokens = readCount('candidatesTokenCount')
  const totalTokens = readCount('totalTokenCount')
  if (promptTokens === undefined && candidateTokens === undefined && totalTokens === undefined)
    return undefined
  const cachedInputTokens = readCount('cachedContentTokenCount')
  const reasoningTokens = readCount('thoughtsTokenCount')
  const toolPromptTokens = readCount('toolUsePromptTokenCount')
  const inputTokens = (promptTokens ?? 0) + (toolPromptTokens ?? 0)
  const outputTokens = (candidateTokens ?? 0) + (reasoningTokens ?? 0)
  const usage: Usage = {
    inputTokens,
    outputTokens,
    totalTokens: totalTokens ?? inputTokens + outputTokens,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
  const hints = toolPromptTokens === undefined ? {} : { toolPromptTokens }
  return attachResidue(usage, DIALECT_SLOT, hints, wire, encodeUsage, { aliases: keyAliases })
}

export function encodeUsage(usage: Usage, context: EncodeContext = noReport): JsonObject {
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens, cacheWriteTokens = 0 } = usage
  const path = child(undefined, 'usage')
  if (cacheWriteTokens !== 0) context.report('usage-detail', child(path, 'cacheWriteTokens'))
  // Canonical output tokens include reasoning tokens, but some hosts report more reasoning than output tokens.
  const reasoningTokens = usage.reasoningTokens && Math.min(usage.reasoningTokens, outputTokens)
  if (reasoningTokens !== usage.reasoningTokens)
    context.report('reasoning-tokens', child(path, 'reasoningTokens'))
  const { toolPromptTokens: hint } = getHints(usage, DIALECT_SLOT)
  const toolPromptTokens = typeof hint === 'number' ? hint : undefined
  const made = {
    promptTokenCount: Math.max(0, inputTokens - (toolPromptTokens ?? 0)),
    candidatesTokenCount: outputTokens - (reasoningTokens ?? 0),
    totalTokenCount: totalTokens,
    ...(cachedInputTokens !== undefined && { cachedContentTokenCount: cachedInputTokens }),
    ...(reasoningTokens !== undefined && { thoughtsTokenCount: reasoningTokens }),
    ...(toolPromptTokens !== undefined && { toolUsePromptTokenCount: toolPromptTokens }),
  }
  return applyResidue(made, usage, DIALECT_SLOT)
}
