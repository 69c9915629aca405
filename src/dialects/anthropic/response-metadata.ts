import type { Usage } from '../../canonical/model/usage.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject, isList } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, withResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, finishReasonTable } from './constants.ts'
import type { Finish } from '../../canonical/model/message.ts'
import {
  decodeFinishReason,
  type FinishEncodeInput,
  encodeFinishOrDefault,
  type ResponseMetadata,
  createResponseMetadata,
  readNestedCount,
} from '../shared/response-metadata.ts'

export function decodeResponseMetadata({ id, model }: JsonObject): ResponseMetadata {
  return createResponseMetadata(DIALECT_SLOT, id, model)
}

/** Decodes the finish reason of a complete response. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  const content = isObject(wire) ? wire['content'] : undefined
  return decodeFinishWithCalls(wire, isList(content) && content.some(isToolUseBlock))
}

/** Returns true for a call of a tool that the application executes. */
export function isToolUseBlock(block: Json | undefined): boolean {
  return isObject(block) && block['type'] === 'tool_use'
}

/** Decodes the finish reason. Some hosts send `end_turn` although the model called a tool. */
export function decodeFinishWithCalls(wire: Json | undefined, hasToolCalls: boolean): Finish | undefined {
  const { stop_reason: raw, stop_sequence: sequence } = isObject(wire) ? wire : {}
  if (typeof raw !== 'string') return undefined
  const stopFields = typeof sequence === 'string' ? { stopSequence: sequence } : {}
  return { ...decodeFinishReason(finishReasonTable, raw, hasToolCalls), ...stopFields }
}

export function encodeFinish(
  stopped: FinishEncodeInput | undefined,
  path?: Path,
  context: EncodeContext = noReport,
): JsonObject {
  if (stopped === undefined) return { stop_reason: null, stop_sequence: null, stop_details: null }
  const { reason, stopSequence } = stopped.finish
  // A stop sequence determines the wire value of `stop`, and of a reason that has no wire value.
  const stopReason = stopSequence === undefined ? 'end_turn' : 'stop_sequence'
  const defaultReason = reason === 'stop' ? stopReason : (finishReasonTable.toWire(reason) ?? stopReason)
  const wireReason = encodeFinishOrDefault(finishReasonTable, stopped, defaultReason, path, context)
  const details = wireReason === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null
  return { stop_reason: wireReason, stop_sequence: stopSequence ?? null, stop_details: details }
}

const counterKeys = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const

/** Decodes usage. The API counts uncached, cache-read and cache-write input tokens separately. */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined
  const [fresh, output, read, written] = counterKeys.map((key) =>
    typeof wire[key] === 'number' ? wire[key] : undefined,
  )
  if (fresh === undefined && output === undefined) return undefined
  const inputTokens = (fresh ?? 0) + (read ?? 0) + (written ?? 0)
  const outputTokens = output ?? 0
  const reasoningTokens = readNestedCount(wire, 'output_tokens_details', 'thinking_tokens')
  const usage: Usage = {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(read !== undefined && { cachedInputTokens: read }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
  return freezeOwned(withResidue(usage, DIALECT_SLOT, writeUsage(usage), wire))
}

/** Encodes usage with every counter that a response must have. */
export function encodeUsage(
  usage: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
  context: EncodeContext = noReport,
): JsonObject {
  if (usage.totalTokens !== usage.inputTokens + usage.outputTokens)
    context.report('usage-total', child(child(undefined, 'usage'), 'totalTokens'))
  return applyResidue(writeUsage(usage), usage, DIALECT_SLOT)
}

function writeUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage
  return {
    input_tokens: Math.max(0, inputTokens - (cachedInputTokens ?? 0) - (cacheWriteTokens ?? 0)),
    output_tokens: outputTokens,
    cache_read_input_tokens: cachedInputTokens ?? null,
    cache_creation_input_tokens: cacheWriteTokens ?? null,
    cache_creation: null,
    output_tokens_details: reasoningTokens === undefined ? null : { thinking_tokens: reasoningTokens },
    server_tool_use: null,
    service_tier: null,
    inference_geo: null,
    speed: null,
  }
}
