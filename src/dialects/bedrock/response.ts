import type { ChatResponse } from '../../canonical/model/response.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, itemsOf, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, withResidue } from '../engine/residue-slots.ts'
import {
  createAssistantMessage,
  getStoppedMessage,
  reportDroppedCandidates,
} from '../shared/response-metadata.ts'
import { DIALECT_SLOT, getSignatureVendor, RESPONSE_SLOT } from './constants.ts'
import { DocumentNamer } from './document-names.ts'
import { decodeAssistantPart, encodeParts } from './parts.ts'
import {
  decodeResponseMetadata,
  decodeFinishWithCalls,
  decodeUsage,
  encodeFinish,
  encodeUsage,
} from './response-metadata.ts'
import { createCallRestorer } from './tool-calls.ts'

export function decodeResponse(body: ReceivedBody, options: DecodeOptions): ChatResponse {
  const { output, usage } = body
  const { origin, ...metadata } = decodeResponseMetadata(options)
  const wireMessage = (isObject(output) ? output['message'] : undefined) as JsonObject | undefined
  const content = isObject(wireMessage) ? wireMessage['content'] : undefined
  const restoreCall = createCallRestorer(options.request)
  const vendor = getSignatureVendor(options.request?.model)
  const parts = itemsOf(content).map((block) => restoreCall(decodeAssistantPart(block, vendor)))
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
  const namer = new DocumentNamer()
  const content = encodeParts(message?.content ?? [], child(path, 'content'), context, 'response', namer)
  const stopped = getStoppedMessage(message ?? {}, DIALECT_SLOT)
  return {
    output: { message: { role: 'assistant', content } },
    ...encodeFinish(stopped, child(path, 'finish'), context),
    usage: encodeUsage(response.usage, context),
    metrics: { latencyMs: 0 },
  }
}
