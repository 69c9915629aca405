import type { ChatResponse } from '../../canonical/model/response.ts'
import { isList, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import { createAssistantMessage, getStoppedMessage } from '../shared/response-metadata.ts'
import { createResponse, createSingleResponseCodec, type ResponseCodec } from '../shared/single-response.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { createClaudeCallRestorer } from '../shared/claude-tools.ts'
import { RESPONSE_SLOT, DIALECT_SLOT, toolNameRule } from './constants.ts'
import {
  encodeFinish,
  decodeFinishWithCalls,
  decodeUsage,
  encodeUsage,
  decodeResponseMetadata,
} from './response-metadata.ts'
import { decodeAssistantPart, encodeParts } from './parts.ts'

const responses: ResponseCodec = createSingleResponseCodec(RESPONSE_SLOT, decode, write)

export const decodeResponse: ResponseCodec['decodeResponse'] = responses.decodeResponse
export const encodeResponse: ResponseCodec['encodeResponse'] = responses.encodeResponse

function decode(body: ReceivedBody, options: DecodeOptions): ChatResponse {
  const { content, usage } = body
  const metadata = decodeResponseMetadata(body)
  const restoreCall = createClaudeCallRestorer(options.request, DIALECT_SLOT, toolNameRule)
  const parts = isList(content) ? content.map((block) => restoreCall(decodeAssistantPart(block))) : []
  const finish = decodeFinishWithCalls(body, parts.some(isApplicationCall))
  const message = createAssistantMessage(parts, metadata.origin, finish, options)
  return createResponse(metadata, message, decodeUsage(usage))
}

function write(response: ChatResponse, context: EncodeContext, received?: ReceivedBody): JsonObject {
  const [message] = response.candidates
  const path = child(child(undefined, 'candidates'), 0)
  if (message?.name !== undefined) context.report('message-name', child(path, 'name'))
  const content =
    received === undefined
      ? encodeParts(message?.content ?? [], child(path, 'content'), context, 'response')
      : itemsOf(received['content'])
  const stopped = getStoppedMessage(message ?? {}, DIALECT_SLOT)
  const finish = encodeFinish(stopped, child(path, 'finish'), context)
  return createWireMessage(response, content, finish, encodeUsage(response.usage, context))
}

/** Returns a wire message around its encoded content, finish reason and usage. */
export function createWireMessage(
  { id = '', model = '' }: Pick<ChatResponse, 'id' | 'model'> = {},
  content: readonly Json[],
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
