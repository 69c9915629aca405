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
  type StoppedMessage,
  encodeFinishReason,
  type ResponseMetadata,
  createResponseMetadata,
} from '../shared/response-metadata.ts'

/** Reads which answer it is, and of which model; it has no date. */
export function decodeResponseMetadata({ id, model }: JsonObject): ResponseMetadata {
  return createResponseMetadata(DIALECT_SLOT, id, model)
}

/** Why the model stopped, as a whole message says it. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  const content = isObject(wire) ? wire['content'] : undefined
  return decodeFinishWithCalls(wire, isList(content) && content.some(isToolUse))
}

/** Whether a block calls a tool that the application runs. */
export function isToolUse(block: Json | undefined): boolean {
  return isObject(block) && block['type'] === 'tool_use'
}

/** Why the model stopped. Some hosts say `end_turn` when the model called a tool: the calls decide. */
export function decodeFinishWithCalls(wire: Json | undefined, calls: boolean): Finish | undefined {
  const { stop_reason: raw, stop_sequence: sequence } = isObject(wire) ? wire : {}
  if (typeof raw !== 'string') return undefined
  const ended = typeof sequence === 'string' ? { stopSequence: sequence } : {}
  return { ...decodeFinishReason(finishReasonTable, raw, calls), ...ended }
}

/** Why the model stopped, in the wire's words. */
export function encodeFinish(
  stopped: StoppedMessage | undefined,
  path?: Path,
  context: EncodeContext = noReport,
): JsonObject {
  if (stopped === undefined) return { stop_reason: null, stop_sequence: null, stop_details: null }
  const { reason, stopSequence } = stopped.finish
  // What ended the text is said with the word for it, also where the reason has no word of its own.
  const ended = stopSequence === undefined ? 'end_turn' : 'stop_sequence'
  const fresh = reason === 'stop' ? ended : (finishReasonTable.toWire(reason) ?? ended)
  const word = encodeFinishReason(finishReasonTable, stopped, fresh, path, context)
  const details = word === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null
  return { stop_reason: word, stop_sequence: stopSequence ?? null, stop_details: details }
}

const counterKeys = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const

/** Whether a usage counts anything. */
function hasTokens(wire: JsonObject): boolean {
  return typeof wire['input_tokens'] === 'number' || typeof wire['output_tokens'] === 'number'
}

/** Reads usage: the provider counts fresh, read and written input apart; we count them together. Undefined when it counts nothing. */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire) || !hasTokens(wire)) return undefined
  const [fresh, output, read, written] = counterKeys.map((key) =>
    typeof wire[key] === 'number' ? wire[key] : undefined,
  )
  const input = (fresh ?? 0) + (read ?? 0) + (written ?? 0)
  const details = wire['output_tokens_details']
  const thinking =
    isObject(details) && typeof details['thinking_tokens'] === 'number'
      ? details['thinking_tokens']
      : undefined
  const usage: Usage = {
    inputTokens: input,
    outputTokens: output ?? 0,
    totalTokens: input + (output ?? 0),
    ...(read !== undefined && { cachedInputTokens: read }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(thinking !== undefined && { reasoningTokens: thinking }),
  }
  return freezeOwned(withResidue(usage, DIALECT_SLOT, writeUsage(usage), wire))
}

/** Writes usage, with every counter that a response must have. */
export function encodeUsage(usage: Usage | undefined, context: EncodeContext = noReport): JsonObject {
  if (usage !== undefined && usage.totalTokens !== usage.inputTokens + usage.outputTokens)
    context.report('usage-total', child(child(undefined, 'usage'), 'totalTokens'))
  const counted = usage ?? { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
  return applyResidue(writeUsage(counted), counted, DIALECT_SLOT)
}

function writeUsage({
  inputTokens,
  outputTokens,
  cachedInputTokens: read,
  cacheWriteTokens: written,
  reasoningTokens,
}: Usage): JsonObject {
  return {
    input_tokens: Math.max(0, inputTokens - (read ?? 0) - (written ?? 0)),
    output_tokens: outputTokens,
    cache_read_input_tokens: read ?? null,
    cache_creation_input_tokens: written ?? null,
    cache_creation: null,
    output_tokens_details: reasoningTokens === undefined ? null : { thinking_tokens: reasoningTokens },
    server_tool_use: null,
    service_tier: null,
    inference_geo: null,
    speed: null,
  }
}
