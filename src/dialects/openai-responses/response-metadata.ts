import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject, isList, getOwnValue } from '../../wire/json.ts'
import { applyResidue, attachResidue } from '../engine/residue-slots.ts'
import {
  readNestedCount,
  convertSecondsToIso,
  type ResponseMetadata,
  createResponseMetadata,
} from '../shared/response-metadata.ts'
import { DIALECT_SLOT, incompleteReasonTable, statusTable } from './constants.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { decodeItems } from './items.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { encodeRequest } from '../engine/encode-request.ts'
import { requestWriter } from './request.ts'

/** Reads which answer it is, of which model, and when it began. */
export function decodeResponseMetadata({ id, model, created_at: created }: JsonObject): ResponseMetadata {
  return createResponseMetadata(DIALECT_SLOT, id, model, convertSecondsToIso(created))
}

/** What a response repeats of its request. */
const repeatedSettings = [
  'instructions',
  'metadata',
  'parallel_tool_calls',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
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
] as const

/** What it says where there is nothing to repeat. */
const unrequestedDefaults: JsonObject = {
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
}

/** What a response says of itself and of its request. */
export function encodeResponseMetadata(
  { id, model, createdAt }: Pick<ChatResponse, 'id' | 'model' | 'createdAt'>,
  context: EncodeContext,
  undated: boolean,
): JsonObject {
  const now = context.options.now ?? Date.now
  const date = (): number => Math.floor((createdAt === undefined ? now() : Date.parse(createdAt)) / 1000)
  return {
    id: id ?? '',
    object: 'response',
    ...((createdAt !== undefined || !undated) && { created_at: date() }),
    model: model ?? '',
    ...unrequestedDefaults,
    ...(context.options.request !== undefined && repeatRequest(context.options.request)),
  }
}

function repeatRequest(request: ChatRequest): JsonObject {
  // Of the conversation only instructions are echoed, and they come first.
  const first = request.messages.at(0)
  const asked = { ...request, messages: first === undefined ? [] : [first] }
  const body = encodeRequest({ name: DIALECT_SLOT, requestWriter }, asked, noReport)
  return Object.fromEntries(
    repeatedSettings.flatMap((key) => {
      const value = getOwnValue(body, key)
      return value === undefined ? [] : [[key, value as Json]]
    }),
  )
}

/** Why the model stopped, as a response says it. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const { output } = wire
  return decodeFinishWithCalls(wire, isList(output) ? decodeItems(output, 'response') : [])
}

/** Why the model stopped; undefined while it has not. Calls for the application to answer decide what `completed` means. */
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
  const said = statusTable.fromWire(status)
  if (said === undefined) return { reason: 'other', raw: status }
  return { reason: said === 'stop' && content.some(isApplicationCall) ? 'tool-calls' : said }
}

/** An answer that is to say why it stopped. */
export interface StoppedResponse {
  readonly finish: Finish
  readonly content: readonly AssistantPart[]
  /** Whether the answer is of this format, so that unknown words are. */
  readonly isOwnFormat: boolean
  /** Whether an unknown word says why the answer is incomplete. */
  readonly isIncomplete: boolean
}

/** Why the model stopped, in the wire's words: the word that came while nothing better is known. */
export function encodeFinish(
  { finish, content, isOwnFormat, isIncomplete }: StoppedResponse,
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
  const shortfall = incompleteReasonTable.toWire(reason)
  if (shortfall !== undefined) return encodeState('incomplete', shortfall)
  const status = statusTable.toWire(reason) ?? 'completed'
  const made = encodeState(status)
  if (decodeFinishWithCalls(made, content)?.reason !== reason)
    context.report('finish-approximated', child(path, 'reason'))
  return made
}

/** The fields that tell the state of an answer. */
function encodeState(status: string, shortfall?: string): JsonObject {
  return {
    status,
    error: status === 'failed' ? { code: 'server_error', message: 'The answer failed' } : null,
    incomplete_details: shortfall === undefined ? null : { reason: shortfall },
  }
}

/** Reads usage; undefined when it counts nothing. */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined
  const { input_tokens: input, output_tokens: output, total_tokens: total } = wire
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  const cached = readNestedCount(wire, 'input_tokens_details', 'cached_tokens')
  const written = readNestedCount(wire, 'input_tokens_details', 'cache_write_tokens')
  const reasoning = readNestedCount(wire, 'output_tokens_details', 'reasoning_tokens')
  const usage: Usage = {
    inputTokens: input,
    outputTokens: output,
    totalTokens: typeof total === 'number' ? total : input + output,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  }
  return attachResidue(usage, DIALECT_SLOT, DIALECT_SLOT, {}, wire, encodeUsage)
}

/** Writes usage, with every counter that a response must have. */
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
