import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, withResidue } from '../engine/residue-slots.ts'
import {
  createMetadataWithoutModel,
  decodeFinishReason,
  encodeFinishOrDefault,
  type FinishEncodeInput,
  type ResponseMetadata,
} from '../shared/response-metadata.ts'
import { DIALECT_SLOT, finishReasonTable } from './constants.ts'
import { PROVIDER_CALL_TYPE } from './tool-calls.ts'

/** Returns the metadata of a response. The wire has neither an id, so one is generated, nor the model. */
export function decodeResponseMetadata(options: DecodeOptions): ResponseMetadata {
  return createMetadataWithoutModel(DIALECT_SLOT, generateId('resp', options), options)
}

/** Decodes the finish reason of a complete response. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  const output = isObject(wire) ? wire['output'] : undefined
  const message = isObject(output) ? output['message'] : undefined
  const content = isObject(message) ? (message['content'] as Json) : undefined
  return decodeFinishWithCalls(wire, itemsOf(content).some(isToolUseBlock))
}

/** Returns true for a call of a tool that the application executes. */
function isToolUseBlock(block: Json | undefined): boolean {
  const call = isObject(block) ? block['toolUse'] : undefined
  return isObject(call) && call['type'] !== PROVIDER_CALL_TYPE
}

/** Decodes the finish reason of a response or of the event that ends a message. */
export function decodeFinishWithCalls(wire: Json | undefined, hasToolCalls: boolean): Finish | undefined {
  const { stopReason: raw, additionalModelResponseFields: fields } = isObject(wire) ? wire : {}
  if (typeof raw !== 'string') return undefined
  const sequence = findStopSequence(fields)
  const stopFields = typeof sequence === 'string' ? { stopSequence: sequence } : {}
  return { ...decodeFinishReason(finishReasonTable, raw, hasToolCalls), ...stopFields }
}

/** Returns the stop sequence, a field of Claude that a request asks for; events contain it in `delta`. */
function findStopSequence(fields: unknown): unknown {
  if (!isObject(fields)) return undefined
  const { stop_sequence: sequence, delta } = fields
  return sequence ?? (isObject(delta) ? delta['stop_sequence'] : undefined)
}

/** Encodes the finish reason with the stop sequence; a response must have one. */
export function encodeFinish(
  stopped: FinishEncodeInput | undefined,
  path?: Path,
  context: EncodeContext = noReport,
): JsonObject {
  if (stopped === undefined) return { stopReason: 'end_turn' }
  const { reason, stopSequence } = stopped.finish
  // A stop sequence determines the wire value of `stop`, and of a reason that has no wire value.
  const stopReason = stopSequence === undefined ? 'end_turn' : 'stop_sequence'
  const defaultReason = reason === 'stop' ? stopReason : (finishReasonTable.toWire(reason) ?? stopReason)
  const wireReason = encodeFinishOrDefault(finishReasonTable, stopped, defaultReason, path, context)
  return {
    stopReason: wireReason,
    ...(stopSequence !== undefined && { additionalModelResponseFields: { stop_sequence: stopSequence } }),
  }
}

/** The keys of the counters. Answers of 2025 have the latter two under another name, or under both. */
const counterKeys = [
  ['inputTokens'],
  ['outputTokens'],
  ['totalTokens'],
  ['cacheReadInputTokens', 'cacheReadInputTokenCount'],
  ['cacheWriteInputTokens', 'cacheWriteInputTokenCount'],
] as const

/** Decodes usage. The API counts uncached, cache-read and cache-write input tokens separately. */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined
  const [fresh, output, total, read, written] = counterKeys.map((keys) =>
    keys.map((key) => wire[key]).find((count) => typeof count === 'number'),
  )
  if (fresh === undefined && output === undefined) return undefined
  const inputTokens = (fresh ?? 0) + (read ?? 0) + (written ?? 0)
  const outputTokens = output ?? 0
  const usage: Usage = {
    inputTokens,
    outputTokens,
    totalTokens: total ?? inputTokens + outputTokens,
    ...(read !== undefined && { cachedInputTokens: read }),
    ...(written !== undefined && { cacheWriteTokens: written }),
  }
  return freezeOwned(withResidue(usage, DIALECT_SLOT, writeUsage(usage), wire))
}

/** Encodes usage with every counter that a response must have. */
export function encodeUsage(
  usage: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
  context: EncodeContext = noReport,
): JsonObject {
  if (usage.reasoningTokens !== undefined)
    context.report('usage-detail', child(child(undefined, 'usage'), 'reasoningTokens'))
  return applyResidue(writeUsage(usage), usage, DIALECT_SLOT)
}

function writeUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens, cacheWriteTokens } = usage
  return {
    inputTokens: Math.max(0, inputTokens - (cachedInputTokens ?? 0) - (cacheWriteTokens ?? 0)),
    outputTokens,
    totalTokens,
    ...(cachedInputTokens !== undefined && { cacheReadInputTokens: cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteInputTokens: cacheWriteTokens }),
  }
}
