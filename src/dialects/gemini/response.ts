import type { AssistantMessage, Origin } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import { applyResidue, getHints, withResidue } from '../engine/residue-slots.ts'
import { createAssistantMessage } from '../shared/response-metadata.ts'
import { decodeCandidate, encodeCandidate } from './candidates.ts'
import { RESPONSE_SLOT } from './constants.ts'
import { isPromptBlocked, decodeUsage, encodeUsage, decodeResponseMetadata } from './response-metadata.ts'
import { keyAliases, toCamelCaseKeys } from './key-casing.ts'
import type { GeminiHints } from './hints.ts'

export function decodeResponse(body: ReceivedBody, options: DecodeOptions): ChatResponse {
  const camelBody = toCamelCaseKeys(body)
  const { candidates, usageMetadata } = camelBody
  const { origin, ...metadata } = decodeResponseMetadata(camelBody)
  const candidateList =
    Array.isArray(candidates) && candidates.every(isObject) ? (candidates as readonly JsonObject[]) : []
  const usage = decodeUsage(usageMetadata)
  const messages = candidateList.map((each, index) => decodeCandidate(each, index, origin, options))
  const isBlocked = isPromptBlocked(camelBody)
  const response: ChatResponse = {
    ...metadata,
    candidates: isBlocked ? [createBlockedMessage(origin, options)] : messages,
    ...(usage !== undefined && { usage }),
  }
  if (options.exact === false) return response
  const hints: GeminiHints = isBlocked ? { promptBlocked: true } : {}
  // Each message already has its own residue, so the received candidates are passed through.
  const made = writeResponse(response, noReport, hints, isBlocked ? [] : candidateList)
  return withResidue(response, RESPONSE_SLOT, made, body, hints, keyAliases)
}

/** Creates the empty message of a response whose prompt was blocked. */
function createBlockedMessage(origin: Origin, options: DecodeOptions): AssistantMessage {
  return freezeOwned(createAssistantMessage([], origin, { reason: 'content-filter' }, options))
}

export function encodeResponse(response: ChatResponse, context: EncodeContext): JsonObject {
  const made = writeResponse(response, context, getHints(response, RESPONSE_SLOT))
  return applyResidue(made, response, RESPONSE_SLOT)
}

/** Writes a response; a decoder passes the `received` candidates. */
function writeResponse(
  response: ChatResponse,
  context: EncodeContext,
  hints: GeminiHints,
  received?: readonly JsonObject[],
): JsonObject {
  const { id, model, createdAt, usage } = response
  const candidates = received ?? writeCandidates(response, context, hints)
  return {
    ...(candidates.length > 0 && { candidates }),
    ...(usage !== undefined && { usageMetadata: encodeUsage(usage, context) }),
    ...(model !== undefined && { modelVersion: model }),
    ...(id !== undefined && { responseId: id }),
    ...(createdAt !== undefined && { createTime: createdAt }),
  }
}

function writeCandidates(
  { candidates }: ChatResponse,
  context: EncodeContext,
  { promptBlocked: isPromptBlocked }: GeminiHints,
): readonly JsonObject[] {
  const path = child(undefined, 'candidates')
  return candidates
    .filter((message) => isPromptBlocked !== true || !isBlockedMessage(message))
    .map((message, index) => encodeCandidate(message, index, child(path, index), context))
}

/** Returns true for an empty message that only reports the blocked prompt, as `promptFeedback` does. */
function isBlockedMessage({ content, finish }: AssistantMessage): boolean {
  return content.length === 0 && finish?.reason === 'content-filter'
}
