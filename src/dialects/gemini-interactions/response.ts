import type { ChatResponse } from '../../canonical/model/response.ts'
import { itemsOf, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, withResidue } from '../engine/residue-slots.ts'
import {
  createAssistantMessage,
  getStoppedMessage,
  reportDroppedCandidates,
} from '../shared/response-metadata.ts'
import { createResponse } from '../shared/single-response.ts'
import { collectOriginalToolNames, restoreToolName } from '../shared/tool-names.ts'
import { DIALECT_SLOT, RESPONSE_SLOT, toolNameRule } from './constants.ts'
import {
  decodeFinish,
  decodeFinishWithCalls,
  decodeResponseMetadata,
  decodeUsage,
  encodeFinish,
  encodeResponseMetadata,
  encodeUsage,
} from './response-metadata.ts'
import { addPaths, decodeSteps, encodeSteps } from './steps.ts'

export function decodeResponse(body: ReceivedBody, options: DecodeOptions): ChatResponse {
  const renamedTools = collectOriginalToolNames(options.request, toolNameRule)
  const content = decodeSteps(itemsOf(body['steps']), 'response').map((part) =>
    restoreToolName(part, renamedTools, DIALECT_SLOT),
  )
  const finish = decodeFinishWithCalls(body, content.some(isApplicationCall))
  const usage = decodeUsage(body['usage'])
  const metadata = decodeResponseMetadata(body)
  const message = createAssistantMessage(content, metadata.origin, finish, options)
  const response = createResponse(metadata, message, usage)
  if (options.exact === false) return response
  return withResidue(response, RESPONSE_SLOT, writeResponse(response, noReport, body), body)
}

/** Encodes a response; the format has one candidate. */
export function encodeResponse(response: ChatResponse, context: EncodeContext): JsonObject {
  reportDroppedCandidates(response, context)
  const body = applyResidue(writeResponse(response, context), response, RESPONSE_SLOT)
  const [message] = response.candidates
  const isBlocked = message?.finish?.reason === 'content-filter' && message.origin?.dialect === DIALECT_SLOT
  // Only the received errors state that an interaction was blocked.
  if (isBlocked && decodeFinish(body)?.reason !== 'content-filter')
    context.report(
      'finish-approximated',
      child(child(child(child(undefined, 'candidates'), 0), 'finish'), 'reason'),
    )
  return body
}

/** Writes a response; a decoder passes the `received` body, whose steps are passed through. */
function writeResponse(response: ChatResponse, context: EncodeContext, received?: ReceivedBody): JsonObject {
  const [message] = response.candidates
  const path = child(child(undefined, 'candidates'), 0)
  if (message?.name !== undefined) context.report('message-name', child(path, 'name'))
  const { usage } = response
  const stopped = getStoppedMessage(message ?? {}, DIALECT_SLOT)
  return {
    ...encodeResponseMetadata(response),
    // An interaction without a finish reason still runs.
    status: stopped === undefined ? 'in_progress' : encodeFinish(stopped, child(path, 'finish'), context),
    steps:
      received === undefined
        ? encodeSteps(addPaths(message?.content ?? [], child(path, 'content')), 'response', context)
        : itemsOf(received['steps']),
    ...(usage !== undefined && { usage: encodeUsage(usage, context) }),
  }
}
