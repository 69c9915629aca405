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

/** Reads which answer it is, of which model, and when it began; each piece of a stream says it again. */
export function decodeResponseMetadata({
  responseId: id,
  modelVersion: model,
  createTime: time,
}: JsonObject): ResponseMetadata {
  const dated = typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : undefined
  return createResponseMetadata(DIALECT_SLOT, id, model, dated)
}

/** Why the model stopped. A word for calls is missing: they decide. */
export function decodeFinishWithCalls(wire: Json | undefined, calls: boolean): Finish | undefined {
  const raw = typeof wire === 'number' ? (finishReasonsByNumber[wire] ?? String(wire)) : wire
  return typeof raw === 'string' && raw !== '' ? decodeFinishReason(finishReasonTable, raw, calls) : undefined
}

/** Why the model stopped, from a candidate, or from a response whose prompt was refused. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const said = toCamelCaseKeys(wire)
  if (isPromptBlocked(said)) return { reason: 'content-filter' }
  const { content, finishReason } = said
  const parts = isObject(content) ? (toList(content['parts']) ?? []) : []
  return decodeFinishWithCalls(finishReason, parts.some(isFunctionCall))
}

function isFunctionCall(wire: Json): boolean {
  return isObject(wire) && getDataKey(toCamelCaseKeys(wire)) === 'functionCall'
}

/** Whether the prompt was refused: there is no answer then, and the feedback says why. */
export function isPromptBlocked({ candidates, promptFeedback: feedback }: JsonObject): boolean {
  if (Array.isArray(candidates) ? candidates.length > 0 : candidates !== undefined) return false
  const reason = isObject(feedback) ? toCamelCaseKeys(feedback)['blockReason'] : undefined
  return reason !== undefined && reason !== 'BLOCKED_REASON_UNSPECIFIED' && reason !== 0
}

/** Why the model stopped, in the wire's words. */
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

/** Reads usage; undefined when it counts nothing. Thoughts, and what tools put into the prompt, are counted apart. */
export function decodeUsage(came: Json | undefined): Usage | undefined {
  if (!isObject(came)) return undefined
  const wire = toCamelCaseKeys(came)
  const [prompt, said, total, cached, thoughts, tools] = counterKeys.map((key) =>
    typeof wire[key] === 'number' && wire[key] >= 0 ? wire[key] : undefined,
  )
  if (prompt === undefined && said === undefined && total === undefined) return undefined
  const input = (prompt ?? 0) + (tools ?? 0)
  const output = (said ?? 0) + (thoughts ?? 0)
  const usage: Usage = {
    inputTokens: input,
    outputTokens: output,
    totalTokens: total ?? input + output,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(thoughts !== undefined && { reasoningTokens: thoughts }),
  }
  const hints = tools === undefined ? {} : { toolPromptTokens: tools }
  return attachResidue(
    usage,
    DIALECT_SLOT,
    DIALECT_SLOT,
    hints,
    came,
    (each) => encodeUsage(each),
    keyAliases,
  )
}

/** Writes usage. */
export function encodeUsage(usage: Usage, context: EncodeContext = noReport): JsonObject {
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } =
    usage
  if (cacheWriteTokens !== undefined && cacheWriteTokens !== 0)
    context.report('usage-detail', child(child(undefined, 'usage'), 'cacheWriteTokens'))
  // Some hosts count more thoughts than output; here the output is the sum of both.
  const thoughts = reasoningTokens === undefined ? undefined : Math.min(reasoningTokens, outputTokens)
  if (thoughts !== reasoningTokens)
    context.report('usage-thoughts', child(child(undefined, 'usage'), 'reasoningTokens'))
  const { toolPromptTokens: tools } = getHints(usage, DIALECT_SLOT)
  const beside = typeof tools === 'number' ? tools : 0
  const made = {
    promptTokenCount: Math.max(0, inputTokens - beside),
    candidatesTokenCount: outputTokens - (thoughts ?? 0),
    totalTokenCount: totalTokens,
    ...(cachedInputTokens !== undefined && { cachedContentTokenCount: cachedInputTokens }),
    ...(thoughts !== undefined && { thoughtsTokenCount: thoughts }),
    ...(typeof tools === 'number' && { toolUsePromptTokenCount: tools }),
  }
  return applyResidue(made, usage, DIALECT_SLOT)
}
