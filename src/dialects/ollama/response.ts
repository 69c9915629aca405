import type { AssistantMessage, Origin } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEmptyObject, isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import { bindContent, listGeneratedTexts } from '../engine/content-bound-keys.ts'
import {
  createAssistantMessage,
  encodeRequiredFinish,
  reportDroppedCandidates,
} from '../shared/response-metadata.ts'
import { createResponse } from '../shared/single-response.ts'
import { createCallIdGenerator } from '../shared/call-ids.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { applyResidue, createHintExtra, getHints, withResidue } from '../engine/residue-slots.ts'
import { RESPONSE_SLOT, DIALECT_SLOT, contentBoundRules } from './constants.ts'
import {
  encodeFinish,
  decodeFinishWithCalls,
  decodeUsage,
  encodeUsage,
  zeroUsageFields,
  omitUsageFields,
  decodeResponseMetadata,
} from './response-metadata.ts'
import { decodeAssistantMessage, encodeMessageFields, isTextCompletion, toChatMessage } from './parts.ts'
import type { OllamaHints } from './hints.ts'

/** Decodes a response of the chat API or of the older text completion API. */
export function decodeResponse(body: ReceivedBody, options: DecodeOptions): ChatResponse {
  const usage = decodeUsage(body)
  const metadata = decodeResponseMetadata(body, options)
  const message = decodeMessage(body, metadata.origin, options)
  const response = createResponse(metadata, message, usage)
  if (options.exact === false) return response
  const hints = {
    ...(isTextCompletion(body) && { textCompletion: true }),
    ...(usage === undefined && { missingUsage: true }),
    // The encoder adds the current time to an undated response; the residue must not depend on that time.
    ...(response.createdAt === undefined && { missingCreatedAt: true }),
  }
  // The message already has its own residue, so the received one is passed through.
  const { message: received } = body
  const made = writeResponse(response, noReport, hints, isObject(received) ? received : undefined)
  const binding = { keys: Object.keys(contentBoundRules), content: listGeneratedTexts(message) }
  const fields = usage === undefined ? body : omitUsageFields(body)
  return withResidue(response, RESPONSE_SLOT, made, fields, hints, undefined, binding)
}

function decodeMessage(body: JsonObject, origin: Origin, options: DecodeOptions): AssistantMessage {
  const wire = toChatMessage(body)
  const ids = createCallIdGenerator()
  ids.recordId(origin.responseId ?? '')
  const content = decodeAssistantMessage(wire, RESPONSE_SLOT, ids)
  const finish = decodeFinishWithCalls(body, content.some(isApplicationCall))
  const hints = {
    ...(content.length === 0 && { emptyContent: true }),
    ...(finish === undefined && { missingFinishReason: true }),
  }
  const extra = isEmptyObject(hints) ? undefined : createHintExtra(DIALECT_SLOT, hints)
  const message = createAssistantMessage(content, origin, finish, options, extra)
  if (!isObject(body['message']) || options.exact === false) return freezeOwned(message)
  return freezeOwned(withResidue(message, RESPONSE_SLOT, writeMessage(message, noReport), wire))
}

/** Encodes a response; the format has exactly one candidate. */
export function encodeResponse(response: ChatResponse, context: EncodeContext): JsonObject {
  reportDroppedCandidates(response, context)
  const hints = getHints(response, RESPONSE_SLOT)
  const texts = listGeneratedTexts(response.candidates[0])
  const bound = bindContent(texts, RESPONSE_SLOT, undefined, context, contentBoundRules)
  const { usage } = response
  const defaultUsage = hints['missingUsage'] === true ? {} : zeroUsageFields
  return {
    ...applyResidue(writeResponse(response, context, hints), response, RESPONSE_SLOT, bound),
    ...(usage === undefined ? defaultUsage : encodeUsage(usage, context)),
  }
}

/** Writes a response; a decoder passes the `received` message, if there is one. */
function writeResponse(
  response: ChatResponse,
  context: EncodeContext,
  hints: OllamaHints,
  received?: JsonObject,
): JsonObject {
  const { model, createdAt, candidates } = response
  const [message] = candidates
  const now = context.options.now ?? Date.now
  const isUndated = createdAt === undefined && hints['missingCreatedAt'] === true
  return {
    model: model ?? '',
    ...(!isUndated && { created_at: createdAt ?? new Date(now()).toISOString() }),
    ...(received === undefined ? writeContent(message, context, hints) : { message: received }),
    ...writeFinish(message, context),
  }
}

function writeContent(
  message: AssistantMessage | undefined,
  context: EncodeContext,
  hints: OllamaHints,
): JsonObject {
  const wire = writeMessage(message, context)
  if (hints['textCompletion'] !== true) return { message: applyResidue(wire, message ?? {}, RESPONSE_SLOT) }
  const { role: _role, content, ...otherFields } = wire
  return { response: content ?? '', ...otherFields }
}

function writeMessage(message: AssistantMessage | undefined, context: EncodeContext): JsonObject {
  const path = child(child(undefined, 'candidates'), 0)
  if (message?.name !== undefined) context.report('message-name', child(path, 'name'))
  const content = message?.content ?? []
  const fields = encodeMessageFields(content, 'assistant', child(path, 'content'), context, RESPONSE_SLOT)
  return { role: 'assistant', ...fields }
}

function writeFinish(message: AssistantMessage | undefined, context: EncodeContext): JsonObject {
  const path = child(child(child(undefined, 'candidates'), 0), 'finish')
  const reason = encodeRequiredFinish(message, DIALECT_SLOT, encodeFinish, path, context)
  return reason === undefined ? { done: false } : { done: true, done_reason: reason }
}
