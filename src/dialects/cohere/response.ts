import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { child } from '../../wire/json-pointer.ts'
import { isObject, type JsonObject, omitUndefined } from '../../wire/json.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, withHints, withResidue } from '../engine/residue-slots.ts'
import { bindContent, createStaleLogprobsRules, listGeneratedTexts } from '../engine/content-bound-keys.ts'
import { createCallIdGenerator } from '../shared/call-ids.ts'
import {
  createAssistantMessage,
  encodeRequiredFinish,
  reportDroppedCandidates,
} from '../shared/response-metadata.ts'
import { createResponse } from '../shared/single-response.ts'
import { collectOriginalToolNames, restoreToolName } from '../shared/tool-names.ts'
import { decodeAssistantMessage, encodeAssistantMessage, writeAssistantMessage } from './assistant-message.ts'
import { DIALECT_SLOT, RESPONSE_SLOT, toolNameRule } from './constants.ts'
import {
  decodeFinishWithCalls,
  decodeResponseMetadata,
  decodeUsage,
  encodeFinish,
  encodeUsage,
} from './response-metadata.ts'

/** The fields of a response that are valid only for its text. */
const boundKeys = ['logprobs']

/** Decodes a response; fields that it does not model are kept as residue. */
export function decodeResponse(body: ReceivedBody, options: DecodeOptions): ChatResponse {
  const metadata = decodeResponseMetadata(body, options)
  const wire = isObject(body['message']) ? body['message'] : {}
  const { content, hints } = decodeAssistantMessage(wire, 'response', createCallIdGenerator())
  const names = collectOriginalToolNames(options.request, toolNameRule)
  const parts = content.map((part) => restoreToolName(part, names, DIALECT_SLOT))
  const finish = decodeFinishWithCalls(
    body['finish_reason'],
    parts.some(({ type }) => type === 'tool-call'),
  )
  const plain = createAssistantMessage(parts, metadata.origin, finish, options)
  const finished = withHints(plain, DIALECT_SLOT, {
    ...(finish === undefined && { missingFinishReason: true }),
  })
  const created = withHints(finished, RESPONSE_SLOT, hints)
  const usage = decodeUsage(body['usage'])
  if (options.exact === false) return createResponse(metadata, created, usage)
  const made = writeAssistantMessage(created, undefined, noReport, RESPONSE_SLOT, 'response')
  const message = withResidue(created, RESPONSE_SLOT, made, wire, hints)
  const response = createResponse(metadata, message, usage)
  // The message already has its own residue, so the received one is passed through.
  const madeBody = writeResponse(response, noReport, wire)
  const binding = { keys: boundKeys, content: () => listGeneratedTexts(message) }
  return withResidue(response, RESPONSE_SLOT, madeBody, body, undefined, undefined, binding)
}

/** Encodes a response; the format has one candidate. */
export function encodeResponse(response: ChatResponse, context: EncodeContext): JsonObject {
  reportDroppedCandidates(response, context)
  const bound = bindContent(
    listGeneratedTexts(response.candidates[0]),
    RESPONSE_SLOT,
    undefined,
    context,
    createStaleLogprobsRules(boundKeys),
  )
  return applyResidue(writeResponse(response, context), response, RESPONSE_SLOT, bound)
}

/** Writes a response; a decoder passes the `received` message. */
function writeResponse(response: ChatResponse, context: EncodeContext, received?: JsonObject): JsonObject {
  const message: AssistantMessage = response.candidates[0] ?? { id: '', role: 'assistant', content: [] }
  const path = child(child(undefined, 'candidates'), 0)
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  return omitUndefined({
    id: response.id ?? message.origin?.responseId ?? '',
    finish_reason: encodeRequiredFinish(message, DIALECT_SLOT, encodeFinish, child(path, 'finish'), context),
    message: received ?? encodeAssistantMessage(message, path, context, RESPONSE_SLOT, 'response'),
    usage: response.usage === undefined ? undefined : encodeUsage(response.usage, context),
  })
}
