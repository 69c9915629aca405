import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { AssistantMessage, Origin } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { ReceivedBody } from '../engine/check-body.ts'
import { bindContent, listTexts } from '../engine/stream-bound-keys.ts'
import { createAssistantMessage, encodeRequiredFinish } from '../shared/response-metadata.ts'
import { createCallIdGenerator } from '../shared/call-ids.ts'
import { collectOriginalToolNames, restoreToolName } from '../shared/tool-names.ts'
import { createNullStripper } from '../shared/strict-nulls.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { CHOICE_SLOT, RESPONSE_SLOT, DIALECT_SLOT, toolNameRule } from './constants.ts'
import {
  encodeFinish,
  decodeFinishWithCalls,
  decodeUsage,
  encodeUsage,
  decodeResponseMetadata,
  toLegacyFinish,
} from './response-metadata.ts'
import { decodeAssistantMessage, encodeAssistantMessage } from './assistant-message.ts'
import type { OpenAIChatHints } from './hints.ts'
import { isLegacyCall } from './tool-calls.ts'

export function decodeResponse(body: ReceivedBody, options: DecodeOptions): ChatResponse {
  const { choices, usage } = body
  const { origin, ...metadata } = decodeResponseMetadata(body)
  const wireCandidates = isList(choices) && choices.every((choice) => isObject(choice)) ? choices : []
  const decodedUsage = decodeUsage(usage)
  const renamedTools = collectOriginalToolNames(options.request, toolNameRule)
  const stripNulls = createNullStripper(options.request, DIALECT_SLOT)
  const restorePart = (part: AssistantPart): AssistantPart =>
    stripNulls(restoreToolName(part, renamedTools, DIALECT_SLOT))
  const response: ChatResponse = {
    ...metadata,
    candidates: wireCandidates.map((choice, index) =>
      decodeCandidate(choice, index, origin, restorePart, options),
    ),
    ...(decodedUsage !== undefined && { usage: decodedUsage }),
  }
  if (options.exact === false) return response
  // The encoder adds the current time to a response without a date; the residue must not depend on that time.
  const hints: OpenAIChatHints = response.createdAt === undefined ? { missingCreatedAt: true } : {}
  return withResidue(response, RESPONSE_SLOT, writeResponse(response, noReport, hints), body, hints)
}

function decodeCandidate(
  wire: JsonObject,
  index: number,
  origin: Origin,
  restorePart: (part: AssistantPart) => AssistantPart,
  options: DecodeOptions,
): AssistantMessage {
  const wireMessage = isObject(wire['message']) ? wire['message'] : {}
  const ids = createCallIdGenerator()
  ids.recordId(`${origin.responseId ?? generateId('resp', options)} ${index}`)
  const { content, hints: messageHints } = decodeAssistantMessage(wireMessage, RESPONSE_SLOT, ids)
  const finish = decodeFinishWithCalls(wire['finish_reason'], content.some(isApplicationCall))
  const hints = { ...messageHints, ...(finish === undefined && { missingFinishReason: true }) }
  const unhinted = createAssistantMessage(content.map(restorePart), origin, finish, options)
  const decoded = withHints(unhinted, DIALECT_SLOT, hints)
  const madeMessage = writeMessage(decoded, undefined, noReport)
  const message = withResidue(decoded, RESPONSE_SLOT, madeMessage, wireMessage)
  const made = writeCandidate(message, index, undefined, noReport)
  const binding = { keys: ['logprobs'], content: listTexts(message) }
  return freezeOwned(withResidue(message, CHOICE_SLOT, made, wire, undefined, undefined, binding))
}

export function encodeResponse(response: ChatResponse, context: EncodeContext): JsonObject {
  const made = writeResponse(response, context, getHints(response, RESPONSE_SLOT))
  return applyResidue(made, response, RESPONSE_SLOT)
}

function writeResponse(
  { id, model, createdAt, candidates, usage }: ChatResponse,
  context: EncodeContext,
  hints: OpenAIChatHints,
): JsonObject {
  const path = child(undefined, 'candidates')
  const now = context.options.now ?? Date.now
  const isUndated = createdAt === undefined && hints['missingCreatedAt'] === true
  return {
    id: id ?? '',
    object: 'chat.completion',
    ...(!isUndated && {
      created: Math.floor((createdAt === undefined ? now() : Date.parse(createdAt)) / 1000),
    }),
    model: model ?? '',
    choices: candidates.map((message, index) => {
      const candidatePath = child(path, index)
      const made = writeCandidate(message, index, candidatePath, context)
      const bound = bindContent(listTexts(message), CHOICE_SLOT, candidatePath, context)
      return applyResidue(made, message, CHOICE_SLOT, bound)
    }),
    ...(usage !== undefined && { usage: encodeUsage(usage) }),
  }
}

function writeCandidate(
  message: AssistantMessage,
  index: number,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const finish = encodeRequiredFinish(message, DIALECT_SLOT, encodeFinish, child(path, 'finish'), context)
  return {
    index,
    message: applyResidue(writeMessage(message, path, context), message, RESPONSE_SLOT),
    logprobs: null,
    finish_reason: finish === undefined ? null : toLegacyFinish(finish, message.content.some(isLegacyCall)),
  }
}

function writeMessage(message: AssistantMessage, path: Path | undefined, context: EncodeContext): JsonObject {
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  return encodeAssistantMessage(message, path, context, RESPONSE_SLOT)
}
