import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, finishReasonsByNumber, finishReasonTable } from './constants.ts'
import { keyAliases, toCamelCaseKeys } from './key-casing.ts'
import type { Finish } from '../../canonical/model/message.ts'
import {
  decodeFinishReason,
  type StoppedMessage,
  encodeFinishValue,
  type ResponseMetadata,
  createResponseMetadata,
} from '../shared/response-metadata.ts'
import { toList } from './messages.ts'
import { getDataKey } from './parts.ts'

/** Decodes the id, the model and the creation time of a response; each chunk of a stream repeats them. */
export function decodeResponseMetadata({
  responseId: id,
  modelVersion: model,
  createTime: time,
}: JsonObject): ResponseMetadata {
  const createdAt = typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : undefined
  return createResponseMetadata(DIALECT_SLOT, id, model, createdAt)
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
  const parts = isObject(content) ? (toList(content['parts']) ?? []) : []
  return decodeFinishWithCalls(finishReason, parts.some(isFunctionCall))
}

function isFunctionCall(wire: Json): boolean {
  return isObject(wire) && getDataKey(toCamelCaseKeys(wire)) === 'functionCall'
}

/**
 * Returns true if the prompt was blocked: the response has no candidates, and `promptFeedback` has a block
 * reason.
 */
export function isPromptBlocked({ candidates, promptFeedback: feedback }: JsonObject): boolean {
  if (Array.isArray(candidates) ? candidates.length > 0 : candidates !== undefined) return false
  const reason = isObject(feedback) ? toCamelCaseKeys(feedback)['blockReason'] : undefined
  return reason !== undefined && reason !== 'BLOCKED_REASON_UNSPECIFIED' && reason !== 0
}

/** Encodes the finish reason. */
export function encodeFinish(
  stopped: StoppedMessage,
  path?: Path,
  context: EncodeContext = noReport,
): string {
  return encodeFinishValue(finishReasonTable, stopped, 'OTHER', path, context)
}

const counterKeys = [
  'promptTokenCount',
  'candidatesTokenCount',
  'totalTokenCount',
  'cachedContentTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
] as const

/**
 * Decodes usage; returns undefined if it has no counters. The API counts reasoning and tool use prompts
 * separately.
 */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined
  const camelWire = toCamelCaseKeys(wire)
  const [promptTokens, candidateTokens, totalTokens, cachedTokens, reasoningTokens, toolPromptTokens] =
    counterKeys.map((key) =>
      typeof camelWire[key] === 'number' && camelWire[key] >= 0 ? camelWire[key] : undefined,
    )
  if (promptTokens === undefined && candidateTokens === undefined && totalTokens === undefined)
    return undefined
  const input = (promptTokens ?? 0) + (toolPromptTokens ?? 0)
  const output = (candidateTokens ?? 0) + (reasoningTokens ?? 0)
  const usage: Usage = {
    inputTokens: input,
    outputTokens: output,
    totalTokens: totalTokens ?? input + output,
    ...(cachedTokens !== undefined && { cachedInputTokens: cachedTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
  const hints = toolPromptTokens === undefined ? {} : { toolPromptTokens }
  return attachResidue(
    usage,
    DIALECT_SLOT,
    DIALECT_SLOT,
    hints,
    wire,
    (each) => encodeUsage(each),
    keyAliases,
  )
}

export function encodeUsage(usage: Usage, context: EncodeContext = noReport): JsonObject {
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } =
    usage
  if (cacheWriteTokens !== undefined && cacheWriteTokens !== 0)
    context.report('usage-detail', child(child(undefined, 'usage'), 'cacheWriteTokens'))
  // Some hosts report more reasoning tokens than output tokens, but canonical output tokens include reasoning
  // tokens.
  const cappedReasoningTokens =
    reasoningTokens === undefined ? undefined : Math.min(reasoningTokens, outputTokens)
  if (cappedReasoningTokens !== reasoningTokens)
    context.report('reasoning-tokens', child(child(undefined, 'usage'), 'reasoningTokens'))
  const { toolPromptTokens } = getHints(usage, DIALECT_SLOT)
  const toolTokens = typeof toolPromptTokens === 'number' ? toolPromptTokens : 0
  const made = {
    promptTokenCount: Math.max(0, inputTokens - toolTokens),
    candidatesTokenCount: outputTokens - (cappedReasoningTokens ?? 0),
    totalTokenCount: totalTokens,
    ...(cachedInputTokens !== undefined && { cachedContentTokenCount: cachedInputTokens }),
    ...(cappedReasoningTokens !== undefined && { thoughtsTokenCount: cappedReasoningTokens }),
    ...(typeof toolPromptTokens === 'number' && { toolUsePromptTokenCount: toolPromptTokens }),
  }
  return applyResidue(made, usage, DIALECT_SLOT)
}
