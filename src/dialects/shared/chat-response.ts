import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { AssistantMessage, Finish, Origin } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StrictNullHint, ToolNameHint } from '../engine/residue-hints.ts'
import {
  addHints,
  applyResidue,
  getHints,
  type Slot,
  defineSlot,
  withHints,
  withResidue,
} from '../engine/residue-slots.ts'
import { bindContent, listGeneratedTexts } from '../engine/content-bound-keys.ts'
import { type CallIdGenerator, createCallIdGenerator } from './call-ids.ts'
import { convertSecondsToIso, createAssistantMessage, createResponseMetadata } from './response-metadata.ts'
import type { ResponseCodec } from './single-response.ts'
import type { ResponseMetadata } from './response-metadata.ts'
import { createNullStripper } from './strict-nulls.ts'
import { collectOriginalToolNames, restoreToolName, type ToolNameRule } from './tool-names.ts'

/** Hints of a response with `choices`. */
type ResponseHint = 'missingCreatedAt' | 'missingFinishReason'

/** A format whose responses have `choices` with a `message`. */
export interface ChatResponseFormat {
  readonly slot: Slot<ResponseHint | ToolNameHint | StrictNullHint>
  /** The slot of the body and of the messages. */
  readonly responseSlot: Slot<ResponseHint>
  /** The slot of a choice, the object around a message. */
  readonly choiceSlot: Slot<never>
  readonly toolNameRule: ToolNameRule
  decodeMessage(
    wire: JsonObject,
    ids: CallIdGenerator,
  ): { readonly content: readonly AssistantPart[]; readonly hints: Hints<string> }
  encodeMessage(message: AssistantMessage, path: Path | undefined, context: EncodeContext): JsonObject
  decodeFinish(raw: Json | undefined, hasCalls: boolean): Finish | undefined
  /** Returns the wire value of a finish reason; undefined for a message that was received without one. */
  encodeFinish(message: AssistantMessage, path: Path, context: EncodeContext): string | undefined
  decodeUsage(wire: Json | undefined): Usage | undefined
  encodeUsage(usage: Usage, context: EncodeContext): JsonObject
  /** The fields of a choice that are constant. */
  readonly choiceFields: JsonObject
  /** The keys of a choice that are valid only for the text of its message. */
  readonly boundKeys: readonly string[]
  /** The usage of a response without usage, if the format requires one. */
  readonly requiredUsage?: JsonObject
}

/** Decodes the id, the model and the creation time of a response or of a chunk. */
export function decodeChatMetadata(dialect: string, { id, model, created }: JsonObject): ResponseMetadata {
  return createResponseMetadata(dialect, id, model, convertSecondsToIso(created))
}

/** Creates the codec of responses with `choices`. */
export function createChatResponseCodec(format: ChatResponseFormat): ResponseCodec {
  return {
    decodeResponse: (body, options) => decodeResponse(format, body, options),
    encodeResponse: (response, context) => {
      const made = writeResponse(format, response, context, getHints(response, format.responseSlot))
      return applyResidue(made, response, format.responseSlot)
    },
  }
}

function decodeResponse(
  format: ChatResponseFormat,
  body: ReceivedBody,
  options: DecodeOptions,
): ChatResponse {
  const { slot, toolNameRule, responseSlot } = format
  const { choices } = body
  const { origin, ...metadata } = decodeChatMetadata(slot, body)
  const wireCandidates = isList(choices) && choices.every((choice) => isObject(choice)) ? choices : []
  const usage = format.decodeUsage(body['usage'])
  const renamedTools = collectOriginalToolNames(options.request, toolNameRule)
  const stripNulls = createNullStripper(options.request, slot)
  const restorePart = (part: AssistantPart): AssistantPart =>
    stripNulls(restoreToolName(part, renamedTools, slot))
  const response: ChatResponse = {
    ...metadata,
    candidates: wireCandidates.map((choice, index) =>
      decodeCandidate(format, choice, index, origin, restorePart, options),
    ),
    ...(usage !== undefined && { usage }),
  }
  if (options.exact === false) return response
  // The encoder adds the current time to a response without a date; the residue must not depend on that time.
  const hints: Hints<ResponseHint> = response.createdAt === undefined ? { missingCreatedAt: true } : {}
  // Each message already has its own residue, so the received choices are passed through.
  const made = writeResponse(format, response, noReport, hints, wireCandidates)
  return withResidue(response, responseSlot, made, body, hints)
}

function decodeCandidate(
  format: ChatResponseFormat,
  wire: JsonObject,
  index: number,
  origin: Origin,
  restorePart: (part: AssistantPart) => AssistantPart,
  options: DecodeOptions,
): AssistantMessage {
  const { slot, responseSlot, choiceSlot, boundKeys } = format
  const wireMessage = isObject(wire['message']) ? wire['message'] : {}
  const ids = createCallIdGenerator()
  ids.recordId(`${origin.responseId ?? generateId('resp', options)} ${index}`)
  const { content, hints } = format.decodeMessage(wireMessage, ids)
  const finish = format.decodeFinish(wire['finish_reason'], content.some(isApplicationCall))
  const unhinted = createAssistantMessage(content.map(restorePart), origin, finish, options)
  // The dialect has checked the names of the hints.
  const hinted = withHints(unhinted, defineSlot<string, string>(slot), { ...hints } as never)
  const decoded = finish === undefined ? addHints(hinted, slot, { missingFinishReason: true }) : hinted
  if (options.exact === false) return freezeOwned(decoded)
  const madeMessage = format.encodeMessage(decoded, undefined, noReport)
  const message = withResidue(decoded, responseSlot, madeMessage, wireMessage)
  const made = writeCandidate(format, message, index, undefined, noReport, wireMessage)
  const binding = { keys: boundKeys, content: listGeneratedTexts(message) }
  return freezeOwned(withResidue(message, choiceSlot, made, wire, undefined, undefined, binding))
}

/** Writes a response; a decoder passes the `received` choices. */
function writeResponse(
  format: ChatResponseFormat,
  { id, model, createdAt, candidates, usage }: ChatResponse,
  context: EncodeContext,
  hints: Hints<ResponseHint>,
  received?: readonly JsonObject[],
): JsonObject {
  const path = child(undefined, 'candidates')
  const now = context.options.now ?? Date.now
  const isUndated = createdAt === undefined && hints['missingCreatedAt'] === true
  const wireUsage = usage === undefined ? format.requiredUsage : format.encodeUsage(usage, context)
  return {
    id: id ?? '',
    object: 'chat.completion',
    ...(!isUndated && {
      created: Math.floor((createdAt === undefined ? now() : Date.parse(createdAt)) / 1000),
    }),
    model: model ?? '',
    choices:
      received ??
      candidates.map((message, index) => {
        const candidatePath = child(path, index)
        const made = writeCandidate(format, message, index, candidatePath, context)
        const bound = bindContent(listGeneratedTexts(message), format.choiceSlot, candidatePath, context)
        return applyResidue(made, message, format.choiceSlot, bound)
      }),
    ...(wireUsage !== undefined && { usage: wireUsage }),
  }
}

/** Writes a choice; a decoder passes the `received` message. */
function writeCandidate(
  format: ChatResponseFormat,
  message: AssistantMessage,
  index: number,
  path: Path | undefined,
  context: EncodeContext,
  received?: JsonObject,
): JsonObject {
  const finish = format.encodeFinish(message, child(path, 'finish'), context)
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  return {
    index,
    message:
      received ?? applyResidue(format.encodeMessage(message, path, context), message, format.responseSlot),
    ...format.choiceFields,
    finish_reason: finish ?? null,
  }
}
