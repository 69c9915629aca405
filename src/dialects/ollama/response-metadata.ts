import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, finishReasonTable, RESPONSE_SLOT } from './constants.ts'
import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import {
  decodeFinishReason,
  type FinishEncoder,
  createFinishEncoder,
  type ResponseMetadata,
  createResponseMetadata,
} from '../shared/response-metadata.ts'
import { createCallIdGenerator } from '../shared/call-ids.ts'
import { decodeToolCalls } from './tool-calls.ts'
import { toChatMessage } from './parts.ts'

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Returns true for a timestamp with up to nanosecond precision in any time zone. */
function isTime(value: Json | undefined): value is string {
  return typeof value === 'string' && timePattern.test(value) && !Number.isNaN(Date.parse(value))
}

/**
 * Decodes model and creation time. The wire has no id, so one is generated: model and time are no identity, since servers
 * and proxies with a coarse clock send several responses with the same time.
 */
export function decodeResponseMetadata(
  { model, created_at: createdAt }: JsonObject,
  options: DecodeOptions,
): ResponseMetadata {
  const id = generateId('resp', options)
  return createResponseMetadata(DIALECT_SLOT, id, model, isTime(createdAt) ? createdAt : undefined)
}

/** Decodes the finish reason of a complete response. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const calls = decodeToolCalls(toChatMessage(wire)['tool_calls'], RESPONSE_SLOT, createCallIdGenerator())
  return decodeFinishWithCalls(wire, calls.length > 0)
}

/**
 * Decodes the finish reason. Old servers send only `done`, and no server has a reason for tool calls, so tool
 * calls take precedence.
 */
export function decodeFinishWithCalls(
  { done, done_reason: raw }: JsonObject,
  hasToolCalls: boolean,
): Finish | undefined {
  if ((typeof raw !== 'string' || raw === '') && done !== true) return undefined
  return decodeFinishReason(finishReasonTable, typeof raw === 'string' ? raw : 'stop', hasToolCalls)
}

export const encodeFinish: FinishEncoder = createFinishEncoder(finishReasonTable, 'stop')

/** The durations in nanoseconds that clients expect in a response. */
const zeroDurations: JsonObject = {
  total_duration: 0,
  load_duration: 0,
  prompt_eval_duration: 0,
  eval_duration: 0,
}

/** The usage fields of a response without usage. */
export const zeroUsageFields: JsonObject = { ...zeroDurations, prompt_eval_count: 0, eval_count: 0 }

/** Returns the fields of a response without its usage fields. */
export function omitUsageFields(body: JsonObject): JsonObject {
  return filterKeys(body, (key) => !Object.hasOwn(zeroUsageFields, key))
}

/** Decodes usage; returns undefined if there are no counters. The server omits counters that are zero. */
export function decodeUsage(body: Json | undefined): Usage | undefined {
  if (!isObject(body)) return undefined
  const { prompt_eval_count: wireInput, eval_count: wireOutput } = body
  if (typeof wireInput !== 'number' && typeof wireOutput !== 'number') return undefined
  const inputTokens = typeof wireInput === 'number' ? wireInput : 0
  const outputTokens = typeof wireOutput === 'number' ? wireOutput : 0
  const usage: Usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
  const hasDurations = Object.keys(zeroDurations).every((key) => Object.hasOwn(body, key))
  const isDefault = (key: string): boolean =>
    hasDurations && body[key] === 0 && Object.hasOwn(zeroDurations, key)
  const counters = filterKeys(body, (key) => Object.hasOwn(zeroUsageFields, key) && !isDefault(key))
  const hints = hasDurations ? {} : { missingDurations: true }
  return attachResidue(usage, DIALECT_SLOT, hints, counters, encodeCounts)
}

function filterKeys(body: JsonObject, isKept: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([key]) => isKept(key)))
}

function encodeCounts({ inputTokens, outputTokens }: Usage): JsonObject {
  return { prompt_eval_count: inputTokens, eval_count: outputTokens }
}

/** Encodes usage with every counter that clients expect. */
export function encodeUsage(usage: Usage, context: EncodeContext = noReport): JsonObject {
  const path = child(undefined, 'usage')
  if (usage.totalTokens !== usage.inputTokens + usage.outputTokens)
    context.report('usage-total', child(path, 'totalTokens'))
  for (const key of ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const) {
    if ((usage[key] ?? 0) !== 0) context.report('usage-detail', child(path, key))
  }
  const counts = applyResidue(encodeCounts(usage), usage, DIALECT_SLOT)
  return getHints(usage, DIALECT_SLOT)['missingDurations'] === true ? counts : { ...zeroDurations, ...counts }
}
