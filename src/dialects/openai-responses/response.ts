import { fitResponseToHost } from './fit-host.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import { createAssistantMessage, reportDroppedCandidates } from '../shared/response-metadata.ts'
import { createResponse } from '../shared/single-response.ts'
import { collectOriginalToolNames, restoreToolName } from '../shared/tool-names.ts'
import { createNullStripper } from '../shared/strict-nulls.ts'
import { applyResidue, createHintExtra, getHints, withResidue } from '../engine/residue-slots.ts'
import { RESPONSE_SLOT, DIALECT_SLOT, toolNameRule } from './constants.ts'
import {
  encodeFinish,
  decodeFinishWithCalls,
  decodeUsage,
  encodeUsage,
  decodeResponseMetadata,
  encodeResponseMetadata,
} from './response-metadata.ts'
import { decodeItems, encodeItems } from './items.ts'
import type { OpenAIResponsesHints } from './hints.ts'

export function decodeResponse(body: ReceivedBody, options: DecodeOptions): ChatResponse {
  const { output, usage } = body
  const renamedTools = collectOriginalToolNames(options.request, toolNameRule)
  const parts = decodeItems(itemsOf(output), 'response')
  const stripNulls = createNullStripper(options.request, DIALECT_SLOT)
  const content = parts.map((part) => stripNulls(restoreToolName(part, renamedTools, DIALECT_SLOT)))
  const finish = decodeFinishWithCalls(body, content)
  const metadata = decodeResponseMetadata(body)
  const messageHints =
    finish === undefined
      ? { missingFinishReason: true }
      : finish.raw !== undefined && { incompleteStatus: body['status'] === 'incomplete' }
  const extra = messageHints === false ? undefined : createHintExtra(DIALECT_SLOT, messageHints)
  const message = createAssistantMessage(content, metadata.origin, finish, options, extra)
  const response = createResponse(metadata, message, decodeUsage(usage))
  if (options.exact === false) return response
  // The encoder adds the current time to a response without a date; the residue must not depend on that time.
  const hints: OpenAIResponsesHints = response.createdAt === undefined ? { missingCreatedAt: true } : {}
  // Each part already has the residue of its item, so the received items are passed through.
  const made = writeResponse(response, noReport, hints, itemsOf(output))
  return withResidue(response, RESPONSE_SLOT, made, body, hints)
}

/** Encodes a response; the format has one candidate. */
export function encodeResponse(response: ChatResponse, context: EncodeContext): JsonObject {
  reportDroppedCandidates(response, context)
  const made = writeResponse(response, context, getHints(response, RESPONSE_SLOT))
  return fitResponseToHost(applyResidue(made, response, RESPONSE_SLOT), context.options)
}

/** Writes a response; a decoder passes the `received` items. */
function writeResponse(
  response: ChatResponse,
  context: EncodeContext,
  hints: OpenAIResponsesHints,
  received?: readonly Json[],
): JsonObject {
  const [message] = response.candidates
  const path = child(child(undefined, 'candidates'), 0)
  if (message?.name !== undefined) context.report('message-name', child(path, 'name'))
  const { usage, id: idSeed = '' } = response
  const itemContext = { bodyKind: 'response', context, idSeed } as const
  return {
    ...encodeResponseMetadata(response, context, hints['missingCreatedAt'] === true),
    ...writeState(message, path, context),
    output: received ?? encodeItems(message?.content ?? [], child(path, 'content'), itemContext),
    ...(usage !== undefined && { usage: encodeUsage(usage) }),
  }
}

/**
 * Encodes the status, which the format requires: `completed` if the message has no finish reason, unless it
 * was received without one.
 */
function writeState(message: AssistantMessage | undefined, path: Path, context: EncodeContext): JsonObject {
  const { finish, content = [], origin } = message ?? {}
  const { missingFinishReason, incompleteStatus } = getHints(message ?? {}, DIALECT_SLOT)
  if (finish === undefined && missingFinishReason === true) return { error: null, incomplete_details: null }
  if (finish === undefined && message !== undefined)
    context.report('finish-synthesized', child(path, 'finish'))
  const stopped = {
    finish: finish ?? { reason: 'stop' },
    content,
    isOwnFormat: origin?.dialect === DIALECT_SLOT,
    isIncomplete: incompleteStatus === true,
  } as const
  return encodeFinish(stopped, child(path, 'finish'), finish === undefined ? noReport : context)
}
