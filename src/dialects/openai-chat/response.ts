import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { reportForeignResidue } from '../engine/report-foreign-residue.ts'
import { checkBody } from '../shared/read-wire.ts'
import { templateResponseRepeats, expandResponseRepeats } from '../engine/response-repeats.ts'
import { createCallIdGenerator } from '../shared/call-ids.ts'
import { type RenamedTools, collectRenamedTools, restoreToolName } from '../shared/tool-names.ts'
import { type NullStripper, createNullStripper } from '../shared/strict-nulls.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { CHOICE_SLOT, RESPONSE_SLOT, DIALECT_SLOT, toolNameRule } from './constants.ts'
import {
  encodeFinish,
  decodeFinishWithCalls,
  decodeUsage,
  encodeUsage,
  decodeResponseMetadata,
} from './response-metadata.ts'
import { decodeAssistantMessage, encodeAssistantMessage } from './assistant-message.ts'
import type { OpenAIChatHint } from './hints.ts'

/** Reads a response. */
export function decodeResponse(wire: unknown, options: DecodeOptions): ChatResponse {
  const body = checkBody(wire, 'response')
  const { choices, usage } = body
  const { origin, ...about } = decodeResponseMetadata(body)
  const listed = Array.isArray(choices) && choices.every(isObject) ? (choices as readonly JsonObject[]) : []
  const counted = decodeUsage(usage)
  const names = collectRenamedTools(options.request, toolNameRule)
  const restored = createNullStripper(options.request, DIALECT_SLOT)
  const response: ChatResponse = {
    ...about,
    candidates: listed.map((choice, index) =>
      decodeCandidate(choice, index, origin, names, restored, options),
    ),
    ...(counted !== undefined && { usage: counted }),
  }
  if (options.exact === false) return freezeOwned(response)
  // Without a date of its own a response is dated when it is written: what came must not depend on that.
  const hints: Hints<OpenAIChatHint> = response.createdAt === undefined ? { missingCreatedAt: true } : {}
  return templateResponseRepeats(
    withResidue(response, RESPONSE_SLOT, writeResponse(response, noReport, hints), body, hints),
  )
}

function decodeCandidate(
  wire: JsonObject,
  index: number,
  origin: NonNullable<AssistantMessage['origin']>,
  names: RenamedTools,
  restored: NullStripper,
  options: DecodeOptions,
): AssistantMessage {
  const said = isObject(wire['message']) ? wire['message'] : {}
  const ids = createCallIdGenerator()
  ids.noteId(`${origin.responseId ?? generateId('resp', options)} ${index}`)
  const { content, hints: forms } = decodeAssistantMessage(said, RESPONSE_SLOT, (name, text) =>
    ids.next(name, text),
  )
  const finish = decodeFinishWithCalls(wire['finish_reason'], content.some(isApplicationCall))
  const hints = { ...forms, ...(finish === undefined && { missingFinishReason: true }) }
  const plain: AssistantMessage = {
    id: generateId('msg', options),
    role: 'assistant',
    content: content.map((part) => restored(restoreToolName(part, names, DIALECT_SLOT))),
    origin,
    ...(finish !== undefined && { finish }),
  }
  const message = withHints(plain, DIALECT_SLOT, hints)
  const kept = withResidue(message, RESPONSE_SLOT, writeMessage(message, undefined, noReport), said)
  const made = writeCandidate(kept, index, undefined, noReport)
  const bond = { keys: ['logprobs'], content: listTexts(kept) }
  return freezeOwned(withResidue(kept, CHOICE_SLOT, made, wire, undefined, undefined, bond))
}

/** What log probabilities vouch for: every word that the model said. */
function listTexts({ content }: AssistantMessage): Json {
  return content.map((part) => ('text' in part ? part.text : part.type))
}

/** Writes a response. */
export function encodeResponse(given: ChatResponse, context: EncodeContext): JsonObject {
  const response = expandResponseRepeats(given)
  reportForeignResidue(response, DIALECT_SLOT, 'response', context)
  const made = writeResponse(response, context, getHints(response, RESPONSE_SLOT))
  return applyResidue(made, response, RESPONSE_SLOT)
}

function writeResponse(
  { id, model, createdAt, candidates, usage }: ChatResponse,
  context: EncodeContext,
  hints: Hints<OpenAIChatHint>,
): JsonObject {
  const path = child(undefined, 'candidates')
  const now = context.options.now ?? Date.now
  const undated = createdAt === undefined && hints['missingCreatedAt'] === true
  return {
    id: id ?? '',
    object: 'chat.completion',
    ...(!undated && {
      created: Math.floor((createdAt === undefined ? now() : Date.parse(createdAt)) / 1000),
    }),
    model: model ?? '',
    choices: candidates.map((message, index) => {
      const here = child(path, index)
      const made = writeCandidate(message, index, here, context)
      const stale = (key: string): void => {
        const slot = child(child(here, 'extra'), CHOICE_SLOT)
        context.report('stale-logprobs', child(child(child(slot, '$'), 'bound'), key))
      }
      return applyResidue(made, message, CHOICE_SLOT, { content: listTexts(message), onMismatch: stale })
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
  return {
    index,
    message: applyResidue(writeMessage(message, path, context), message, RESPONSE_SLOT),
    logprobs: null,
    finish_reason: writeFinish(message, child(path, 'finish'), context),
  }
}

/** An answer that does not say why it stopped must say so all the same, unless it came like that. */
function writeFinish(message: AssistantMessage, path: Path, context: EncodeContext): Json {
  const { finish, origin, content } = message
  const stopped = {
    hasToolCalls: content.some(isApplicationCall),
    isOwnFormat: origin?.dialect === DIALECT_SLOT,
  }
  if (finish !== undefined) return encodeFinish({ finish, ...stopped }, path, context)
  if (getHints(message, DIALECT_SLOT)['missingFinishReason'] === true) return null
  context.report('finish-synthesized', path)
  return 'stop'
}

function writeMessage(message: AssistantMessage, path: Path | undefined, context: EncodeContext): JsonObject {
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  return encodeAssistantMessage(message, path, context, RESPONSE_SLOT)
}
