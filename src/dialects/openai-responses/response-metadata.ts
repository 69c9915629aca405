import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject, itemsOf, getOwnValue, omitUndefined } from '../../wire/json.ts'
import { applyResidue, attachResidue } from '../engine/residue-slots.ts'
import {
  readNestedCount,
  convertSecondsToIso,
  type ResponseMetadata,
  createResponseMetadata,
} from '../shared/response-metadata.ts'
import { DIALECT_SLOT, incompleteReasonTable, responseStatusTable } from './constants.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeOptions } from '../engine/dialect.ts'
import { createNoReport, type EncodeContext, noReport } from '../engine/encode-context.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { decodeItems } from './items.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { encodeRequest } from '../engine/encode-request.ts'
import { getFlavor } from './flavors.ts'
import { requestWriter } from './request.ts'

/** Decodes the id, the model and the creation time of a response. */
export function decodeResponseMetadata({ id, model, created_at: created }: JsonObject): ResponseMetadata {
  return createResponseMetadata(DIALECT_SLOT, id, model, convertSecondsToIso(created))
}

/** The request fields that a response must repeat, with their values if the request is not known. */
const unrequestedDefaults: JsonObject = {
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
}

/** The request fields that a response repeats. */
const repeatedSettings: readonly string[] = [
  ...Object.keys(unrequestedDefaults),
  'max_output_tokens',
  'max_tool_calls',
  'previous_response_id',
  'prompt_cache_key',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'text',
  'top_logprobs',
  'truncation',
  'user',
]

/** Encodes the metadata of a response and the request fields that it repeats. */
export function encodeResponseMetadata(
  { id, model, createdAt }: Pick<ChatResponse, 'id' | 'model' | 'createdAt'>,
  context: EncodeContext,
  isUndated: boolean,
): JsonObject {
  const { now = Date.now, request } = context.options
  // The clock is read only for a response that needs a time: decoding must not depend on it.
  const getCreatedMs = (): number => (createdAt === undefined ? now() : Date.parse(createdAt))
  return {
    id: id ?? '',
    object: 'response',
    ...((createdAt !== undefined || !isUndated) && { created_at: Math.floor(getCreatedMs() / 1000) }),
    model: model ?? '',
    ...unrequestedDefaults,
    ...(request !== undefined && repeatRequest(request, context.options)),
  }
}

function repeatRequest(request: ChatRequest, { flavor }: EncodeOptions): JsonObject {
  // A response repeats only the instructions of the conversation, which are its first message.
  const first = request.messages.at(0)
  const withFirstMessage = { ...request, messages: first === undefined ? [] : [first] }
  const context = flavor === undefined ? noReport : createNoReport({ flavor })
  const body = encodeRequest({ name: DIALECT_SLOT, requestWriter }, withFirstMessage, context)
  const { responseFields = {} } = getFlavor(context.options)
  const keys = new Set([...repeatedSettings, ...Object.keys(responseFields)])
  const entries = Array.from(keys, (key) => [key, getOwnValue(body, key)] as const)
  return omitUndefined(Object.fromEntries(entries)) as JsonObject
}

/** Decodes the finish reason of a response. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  return isObject(wire)
    ? decodeFinishWithCalls(wire, decodeItems(itemsOf(wire['output']), 'response'))
    : undefined
}

/**
 * Decodes the finish reason; returns undefined for a response in progress. A `completed` response with calls
 * for the application has the reason `tool-calls`.
 */
export function decodeFinishWithCalls(
  { status, incomplete_details: details }: JsonObject,
  content: readonly AssistantPart[],
): Finish | undefined {
  if (typeof status !== 'string' || status === 'in_progress' || status === 'queued') return undefined
  if (status === 'incomplete') {
    const raw = isObject(details) && typeof details['reason'] === 'string' ? details['reason'] : status
    const reason = incompleteReasonTable.fromWire(raw)
    return reason === undefined ? { reason: 'other', raw } : { reason }
  }
  const statusReason = responseStatusTable.fromWire(status)
  if (statusReason === undefined) return { reason: 'other', raw: status }
  return { reason: statusReason === 'stop' && content.some(isApplicationCall) ? 'tool-calls' : statusReason }
}

/** A finished response whose finish reason is encoded. */
export interface ResponseFinishEncodeInput {
  readonly finish: Finish
  readonly content: readonly AssistantPart[]
  /** True if the response was received in this format, so that its `raw` reason is valid in it. */
  readonly isOwnFormat: boolean
  /** True if an unknown `raw` reason is a reason in `incomplete_details`. */
  readonly isIncomplete: boolean
}

/** Encodes the finish reason: the received one if it is unknown, else the nearest one of the format. */
export function encodeFinish(
  { finish, content, isOwnFormat, isIncomplete }: ResponseFinishEncodeInput,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const { reason, raw, stopSequence } = finish
  if (stopSequence !== undefined) context.report('stop-sequence', child(path, 'stopSequence'))
  if (raw !== undefined && isOwnFormat && reason === 'other') {
    if (raw === 'incomplete') return encodeState('incomplete')
    return isIncomplete ? encodeState('incomplete', raw) : encodeState(raw)
  }
  if (raw !== undefined) context.report('finish-approximated', child(path, 'raw'))
  const incompleteReason = incompleteReasonTable.toWire(reason)
  const made =
    incompleteReason === undefined
      ? encodeState(responseStatusTable.toWire(reason) ?? 'completed')
      : encodeState('incomplete', incompleteReason)
  if (decodeFinishWithCalls(made, content)?.reason !== reason)
    context.report('finish-approximated', child(path, 'reason'))
  return made
}

/** Encodes the status of a response without a finish reason. */
export function encodeUnfinishedStatus(status: string): JsonObject {
  return { status, error: null, incomplete_details: null }
}

/** Encodes the status fields of a response. */
function encodeState(status: string, incompleteReason?: string): JsonObject {
  return {
    status,
    error: status === 'failed' ? { code: 'server_error', message: 'The response failed' } : null,
    incomplete_details: incompleteReason === undefined ? null : { reason: incompleteReason },
  }
}

/** Decodes usage; returns undefined if it has no token counts. */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined
  const { input_tokens: input, output_tokens: output, total_tokens: total } = wire
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  const usage: Usage = {
    inputTokens: input,
    outputTokens: output,
    totalTokens: typeof total === 'number' ? total : input + output,
    ...omitUndefined({
      cachedInputTokens: readNestedCount(wire, 'input_tokens_details', 'cached_tokens'),
      cacheWriteTokens: readNestedCount(wire, 'input_tokens_details', 'cache_write_tokens'),
      reasoningTokens: readNestedCount(wire, 'output_tokens_details', 'reasoning_tokens'),
    }),
  }
  return attachResidue(usage, DIALECT_SLOT, {}, wire, encodeUsage)
}

/** Encodes usage with every counter that a response requires. */
export function encodeUsage(usage: Usage): JsonObject {
  const made = {
    input_tokens: usage.inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedInputTokens ?? 0,
      cache_write_tokens: usage.cacheWriteTokens ?? 0,
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: usage.totalTokens,
  }
  return applyResidue(made, usage, DIALECT_SLOT)
}
