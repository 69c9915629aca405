import type { ChatResponse } from '../../canonical/model/response.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import {
  createAssistantMessage,
  getStoppedMessage,
  reportDroppedCandidates,
} from '../shared/response-metadata.ts'
import { createCallRestorer } from './tool-calls.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { applyResidue, withResidue } from '../engine/residue-slots.ts'
import { RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'
import {
  encodeFinish,
  decodeFinishWithCalls,
  decodeUsage,
  encodeUsage,
  decodeResponseMetadata,
} from './response-metadata.ts'
import { decodeAssistantPart, encodeParts } from './parts.ts'

export function decodeResponse(body: ReceivedBody, options: DecodeOptions): ChatResponse {
  const { content, usage } = body
  const { origin, ...metadata } = decodeResponseMetadata(body)
  const restoreCall = createCallRestorer(options.request)
  const parts = isList(content) ? content.map((block) => restoreCall(decodeAssistantPart(block))) : []
  const finish = decodeFinishWithCalls(body, parts.some(isApplicationCall))
  const decodedUsage = decodeUsage(usage)
  const message = createAssistantMessage(parts, origin, finish, options)
  const response: ChatResponse = {
    ...metadata,
    candidates: [freezeOwned(message)],
    ...(decodedUsage !== undefined && { usage: decodedUsage }),
  }
  if (options.exact === false) return response
  return withResidue(response, RESPONSE_SLOT, writeResponse(response, noReport), body)
}

export function encodeResponse(response: ChatResponse, context: EncodeContext): JsonObject {
  reportDroppedCandidates(response, context)
  return applyResidue(writeResponse(response, context), response, RESPONSE_SLOT)
}

function writeResponse(response: ChatResponse, context: EncodeContext): JsonObject {
  const [message] = response.candidates
  const path = child(child(undefined, 'candidates'), 0)
  if (message?.name !== undefined) context.report('message-name', child(path, 'name'))
  const content = encodeParts(message?.content ?? [], child(path, 'content'), context, 'response')
  const stopped = getStoppedMessage(message ?? {}, DIALECT_SLOT)
  const finish = encodeFinish(stopped, child(path, 'finish'), context)
  return createWireMessage(response, content, finish, encodeUsage(response.usage, context))
}

/** Returns a wire message around its encoded content, finish reason and usage. */
export function createWireMessage(
  { id = '', model = '' }: Pick<ChatResponse, 'id' | 'model'> = {},
  content: readonly JsonObject[],
  finish: JsonObject,
  usage: JsonObject,
): JsonObject {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content,
    ...finish,
    usage,
    container: null,
    diagnostics: null,
  }
}
