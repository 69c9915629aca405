import type { ChatResponse } from '../../canonical/model/response.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { isObject, itemsOf, type JsonObject } from '../../wire/json.ts'
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
  const { output, usage } = body
  const metadata = decodeResponseMetadata(options)
  const wireMessage = (isObject(output) ? output['message'] : undefined) as JsonObject | undefined
  const content = isObject(wireMessage) ? wireMessage['content'] : undefined
  const restoreCall = createClaudeCallRestorer(options.request, DIALECT_SLOT, toolNameRule)
  const vendor = getSignatureVendor(options.request?.model)
  const parts = itemsOf(content).map((block) => restoreCall(decodeAssistantPart(block, vendor)))
  const finish = decodeFinishWithCalls(body, parts.some(isApplicationCall))
  const message = createAssistantMessage(parts, metadata.origin, finish, options)
  return createResponse(metadata, message, decodeUsage(usage))
}

function write(response: ChatResponse, context: EncodeContext): JsonObject {
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
