import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { AssistantMessage, Origin } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { reportForeignResidue } from '../engine/report-foreign-residue.ts'
import { checkBody } from '../shared/read-wire.ts'
import { templateResponseRepeats, expandResponseRepeats } from '../engine/response-repeats.ts'
import { applyResidue, getHints, withResidue } from '../engine/residue-slots.ts'
import { decodeCandidate, encodeCandidate } from './candidates.ts'
import { RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'
import { isPromptBlocked, decodeUsage, encodeUsage, decodeResponseMetadata } from './response-metadata.ts'
import { keyAliases, toCamelCaseKeys } from './key-casing.ts'
import type { GeminiHint } from './hints.ts'

/** Reads a response. */
export function decodeResponse(wire: unknown, options: DecodeOptions): ChatResponse {
  const body = checkBody(wire, 'response')
  const said = toCamelCaseKeys(body)
  const { candidates, usageMetadata } = said
  const { origin, ...about } = decodeResponseMetadata(said)
  const listed =
    Array.isArray(candidates) && candidates.every(isObject) ? (candidates as readonly JsonObject[]) : []
  const usage = decodeUsage(usageMetadata)
  const answers = listed.map((each, index) => decodeCandidate(each, index, origin, options))
  const blocks = isPromptBlocked(said)
  const response: ChatResponse = {
    ...about,
    candidates: blocks ? [createBlockedMessage(origin, options)] : answers,
    ...(usage !== undefined && { usage }),
  }
  if (options.exact === false) return freezeOwned(response)
  const hints: Hints<GeminiHint> = blocks ? { promptBlocked: true } : {}
  return templateResponseRepeats(
    withResidue(response, RESPONSE_SLOT, writeResponse(response, noReport, hints), body, hints, keyAliases),
  )
}

/** The answer to a prompt that was refused: nothing, and why. */
function createBlockedMessage(origin: Origin, options: DecodeOptions): AssistantMessage {
  return freezeOwned({
    id: generateId('msg', options),
    role: 'assistant',
    content: [],
    origin,
    finish: { reason: 'content-filter' },
  })
}

/** Writes a response. */
export function encodeResponse(given: ChatResponse, context: EncodeContext): JsonObject {
  const response = expandResponseRepeats(given)
  reportForeignResidue(response, DIALECT_SLOT, 'response', context)
  return applyResidue(
    writeResponse(response, context, getHints(response, RESPONSE_SLOT)),
    response,
    RESPONSE_SLOT,
  )
}

function writeResponse(
  { id, model, createdAt, candidates, usage }: ChatResponse,
  context: EncodeContext,
  { promptBlocked: isTold }: Hints<GeminiHint>,
): JsonObject {
  const path = child(undefined, 'candidates')
  const answers = candidates.filter((message) => isTold !== true || !isBlockedMessage(message))
  return {
    ...(answers.length > 0 && {
      candidates: answers.map((message, index) =>
        encodeCandidate(message, index, child(path, index), context),
      ),
    }),
    ...(usage !== undefined && { usageMetadata: encodeUsage(usage, context) }),
    ...(model !== undefined && { modelVersion: model }),
    ...(id !== undefined && { responseId: id }),
    ...(createdAt !== undefined && { createTime: createdAt }),
  }
}

/** Whether an answer only says that the prompt was refused, which the feedback does where it is told. */
function isBlockedMessage({ content, finish }: AssistantMessage): boolean {
  return content.length === 0 && finish?.reason === 'content-filter'
}
