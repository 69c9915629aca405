import { isTimestamp } from '../../canonical/shape/shape.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, itemsOf, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, attachResidue, getHints } from '../engine/residue-slots.ts'
import { decodeGoogleUsage, encodeGoogleUsage, type GoogleUsageKeys } from '../shared/google-common.ts'
import {
  createFinishEncoder,
  createResponseMetadata,
  decodeFinishReason,
  type FinishEncoder,
  type ResponseMetadata,
} from '../shared/response-metadata.ts'
import {
  AGENT_PREFIX,
  agentPattern,
  blockedCodes,
  DIALECT_SLOT,
  statusTable,
  unfinishedStatuses,
} from './constants.ts'

/** Returns true for the name of an agent: one of Google, or a custom one with its prefix. */
export function isAgent(model: string | undefined): boolean {
  return model !== undefined && (model.startsWith(AGENT_PREFIX) || agentPattern.test(model))
}

/** Decodes the model of a body, or its agent; the name of a custom agent gets a prefix. */
export function decodeModel({ model, agent }: JsonObject): string | undefined {
  if (typeof model === 'string') return isAgent(model) ? undefined : model
  if (typeof agent !== 'string') return undefined
  return agentPattern.test(agent) ? agent : `${AGENT_PREFIX}${agent}`
}

/** Encodes a model, or an agent. */
export function encodeModel(model: string): JsonObject {
  if (model.startsWith(AGENT_PREFIX)) return { agent: model.slice(AGENT_PREFIX.length) }
  return isAgent(model) ? { agent: model } : { model }
}

/** Decodes the id, the model and the creation time of an interaction. */
export function decodeResponseMetadata(wire: JsonObject): ResponseMetadata {
  const { id, created } = wire
  const createdAt = isTimestamp(created) ? created : undefined
  // The id of an interaction that is not stored is empty in streams.
  return createResponseMetadata(DIALECT_SLOT, id === '' ? undefined : id, decodeModel(wire), createdAt)
}

/** Encodes the id, the model and the creation time of an interaction. */
export function encodeResponseMetadata({
  id,
  model,
  createdAt,
}: Partial<Pick<ResponseMetadata, 'id' | 'model' | 'createdAt'>>): JsonObject {
  return {
    id: id ?? '',
    object: 'interaction',
    ...(model !== undefined && encodeModel(model)),
    ...(createdAt !== undefined && { created: createdAt }),
  }
}

/** Decodes the finish reason of an interaction; undefined while it runs. */
export function decodeFinishWithCalls(
  { status, errors }: JsonObject,
  hasToolCalls: boolean,
): Finish | undefined {
  if (typeof status !== 'string' || unfinishedStatuses.has(status)) return undefined
  const isBlocked = itemsOf(errors).some((error) => isObject(error) && blockedCodes.has(error['code']))
  if (status === 'failed' && isBlocked) return { reason: 'content-filter' }
  return decodeFinishReason(statusTable, status, hasToolCalls)
}

/** Decodes the finish reason of an interaction. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const hasToolCalls = itemsOf(wire['steps']).some(
    (step) => isObject(step) && step['type'] === 'function_call',
  )
  return decodeFinishWithCalls(wire, hasToolCalls)
}

const encodeStatus: FinishEncoder = createFinishEncoder(statusTable, 'completed')

/**
 * Encodes the finish reason as the status of the interaction. That Google blocked a failed interaction is stated by its
 * `errors`, which only received interactions contain: the events of a stream have no field for them.
 */
export const encodeFinish: FinishEncoder = (stopped, path, context) => {
  const { finish, isOwnFormat } = stopped
  if (finish.reason !== 'content-filter' || !isOwnFormat) return encodeStatus(stopped, path, context)
  return encodeStatus({ ...stopped, finish: { ...finish, reason: 'error' } }, path, context)
}

const usageKeys: GoogleUsageKeys = {
  total: 'total_tokens',
  prompt: 'total_input_tokens',
  answer: 'total_output_tokens',
  cached: 'total_cached_tokens',
  thoughts: 'total_thought_tokens',
  toolUse: 'total_tool_use_tokens',
}

/** Decodes usage, if it has counters. */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  const decoded = isObject(wire) ? decodeGoogleUsage(wire, usageKeys) : undefined
  if (decoded === undefined || !isObject(wire)) return undefined
  const hints = omitUndefined({ toolUseTokens: decoded.toolUseTokens })
  return attachResidue(decoded.usage, DIALECT_SLOT, hints, wire, (each) => encodeUsage(each))
}

export function encodeUsage(usage: Usage, context: EncodeContext = noReport): JsonObject {
  const { toolUseTokens } = getHints(usage, DIALECT_SLOT)
  return applyResidue(encodeGoogleUsage(usage, toolUseTokens, usageKeys, context), usage, DIALECT_SLOT)
}
