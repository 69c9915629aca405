import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, finishReasonTable, RESPONSE_SLOT } from './constants.ts'
import type { Finish } from '../../canonical/model/message.ts'
import {
  decodeFinishReason,
  type StoppedMessage,
  encodeFinishValue,
  type ResponseMetadata,
  createResponseMetadata,
} from '../shared/response-metadata.ts'
import { createCallIdGenerator } from '../shared/call-ids.ts'
import { decodeToolCalls } from './tool-calls.ts'
import { toChatMessage } from './parts.ts'
import { digestText } from '../../wire/digest.ts'

/** What an answer says of itself, in whatever form. */
type IdentityFields = Pick<ResponseMetadata, 'id' | 'model' | 'createdAt'>

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Times come up to nanoseconds, in any zone. */
function isTime(value: Json | undefined): value is string {
  return typeof value === 'string' && timePattern.test(value) && !Number.isNaN(Date.parse(value))
}

/** Reads which model answered, and when. Answers have no id: model and time give one, the same each time. */
export function decodeResponseMetadata({ model, created_at: createdAt }: JsonObject): ResponseMetadata {
  const head = createResponseMetadata(
    DIALECT_SLOT,
    undefined,
    model,
    isTime(createdAt) ? createdAt : undefined,
  )
  return createResponseMetadata(DIALECT_SLOT, createResponseId(head), model, head.createdAt)
}

/** The id of an answer; none where it has no time. */
function createResponseId({ model, createdAt }: IdentityFields): string | undefined {
  if (createdAt === undefined) return undefined
  return `resp_${digestText(JSON.stringify([model ?? null, createdAt])).slice(0, 24)}`
}

/** Whether an id is lost with an answer: it is, unless reading the answer gives it again. */
export function isIdLost(head: IdentityFields): boolean {
  return head.id !== undefined && head.id !== createResponseId(head)
}

/** Why the model stopped, as a whole answer says it. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const { tool_calls: calls } = toChatMessage(wire)
  return decodeFinishWithCalls(
    wire,
    decodeToolCalls(calls, RESPONSE_SLOT, createCallIdGenerator()).length > 0,
  )
}

/** Why the model stopped: old servers say only that it did, and none says that it called: the calls do. */
export function decodeFinishWithCalls(
  { done, done_reason: raw }: JsonObject,
  calls: boolean,
): Finish | undefined {
  if ((typeof raw !== 'string' || raw === '') && done !== true) return undefined
  return decodeFinishReason(finishReasonTable, typeof raw === 'string' ? raw : 'stop', calls)
}

/** Why the model stopped, in the wire's words. */
export function encodeFinish(
  stopped: StoppedMessage,
  path?: Path,
  context: EncodeContext = noReport,
): string {
  return encodeFinishValue(finishReasonTable, stopped, 'stop', path, context)
}

/** What the clients take for granted in an answer: how long things took, in nanoseconds. */
const zeroTimings: JsonObject = {
  total_duration: 0,
  load_duration: 0,
  prompt_eval_duration: 0,
  eval_duration: 0,
}

/** The counters of an answer that counts nothing. */
export const zeroUsage: JsonObject = { ...zeroTimings, prompt_eval_count: 0, eval_count: 0 }

/** What an answer says beside its counters. */
export function omitUsage(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !Object.hasOwn(zeroUsage, key)))
}

/** Reads usage; undefined when nothing is counted. The server leaves out what is zero. */
export function decodeUsage(body: Json | undefined): Usage | undefined {
  if (!isObject(body)) return undefined
  const { prompt_eval_count: input, eval_count: output } = body
  if (typeof input !== 'number' && typeof output !== 'number') return undefined
  const read = typeof input === 'number' ? input : 0
  const said = typeof output === 'number' ? output : 0
  const usage: Usage = { inputTokens: read, outputTokens: said, totalTokens: read + said }
  const counters = Object.fromEntries(Object.entries(body).filter(([key]) => Object.hasOwn(zeroUsage, key)))
  const bare = Object.keys(zeroTimings).some((key) => !Object.hasOwn(counters, key))
  return attachResidue(
    usage,
    DIALECT_SLOT,
    DIALECT_SLOT,
    bare ? { missingDurations: true } : {},
    bare ? counters : omitZeros(counters),
    encodeCounts,
  )
}

function omitZeros(counters: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(counters).filter(([key, value]) => !(Object.hasOwn(zeroTimings, key) && value === 0)),
  )
}

function encodeCounts({ inputTokens, outputTokens }: Usage): JsonObject {
  return { prompt_eval_count: inputTokens, eval_count: outputTokens }
}

/** Writes usage, with every counter that a client expects. */
export function encodeUsage(usage: Usage, context: EncodeContext = noReport): JsonObject {
  const path = child(undefined, 'usage')
  if (usage.totalTokens !== usage.inputTokens + usage.outputTokens)
    context.report('usage-total', child(path, 'totalTokens'))
  for (const key of ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const) {
    if ((usage[key] ?? 0) !== 0) context.report('usage-detail', child(path, key))
  }
  const counts = applyResidue(encodeCounts(usage), usage, DIALECT_SLOT)
  return getHints(usage, DIALECT_SLOT)['missingDurations'] === true ? counts : { ...zeroTimings, ...counts }
}
