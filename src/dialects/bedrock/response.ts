import type { ChatResponse } from '../../canonical/model/response.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createAssistantMessage, getStoppedMessage } from '../shared/response-metadata.ts'
import { createResponse, createSingleResponseCodec, type ResponseCodec } from '../shared/single-response.ts'
import { createClaudeCallRestorer } from '../shared/claude-tools.ts'
import { DIALECT_SLOT, getSignatureVendor, RESPONSE_SLOT, toolNameRule } from './constants.ts'
import { DocumentNamer } from './document-names.ts'
import { decodeAssistantPart, encodeParts } from './parts.ts'
import {
  decodeResponseMetadata,
  decodeFinishWithCalls,
  decodeUsage,
  encodeFinish,
  encodeUsage,
} from './response-metadata.ts'

const responses: ResponseCodec = createSingleResponseCodec(RESPONSE_SLOT, decode, write)

export const decodeResponse: ResponseCodec['decodeResponse'] = responses.decodeResponse
export const encodeResponse: ResponseCodec['encodeResponse'] = responses.encodeResponse

function decode(body: ReceivedBody, options: DecodeOptions): ChatResponse {
  const { usage } = body
  const metadata = decodeResponseMetadata(options)
  const restoreCall = createClaudeCallRestorer(options.request, DIALECT_SLOT, toolNameRule)
  const vendor = getSignatureVendor(options.request?.model)
  const parts = readContent(body).map((block) => restoreCall(decodeAssistantPart(block, vendor)))
  const finish = decodeFinishWithCalls(body, parts.some(isApplicationCall))
  const message = createAssistantMessage(parts, metadata.origin, finish, options)
  return createResponse(metadata, message, decodeUsage(usage))
}

/** Returns the blocks of a received response. */
function readContent({ output }: ReceivedBody): readonly Json[] {
  const message = isObject(output) ? output['message'] : undefined
  return itemsOf(isObject(message) ? message['content'] : undefined)
}

function write(response: ChatResponse, context: EncodeContext, received?: ReceivedBody): JsonObject {
  const [message] = response.candidates
  const path = child(child(undefined, 'candidates'), 0)
  if (message?.name !== undefined) context.report('message-name', child(path, 'name'))
  const namer = new DocumentNamer()
  const content =
    received === undefined
      ? encodeParts(message?.content ?? [], child(path, 'content'), context, 'response', namer)
      : readContent(received)
  const stopped = getStoppedMessage(message ?? {}, DIALECT_SLOT)
  return {
    output: { message: { role: 'assistant', content } },
    ...encodeFinish(stopped, child(path, 'finish'), context),
    usage: encodeUsage(response.usage, context),
    metrics: { latencyMs: 0 },
  }
}
