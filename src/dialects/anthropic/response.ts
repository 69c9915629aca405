import { freshId } from '../../canonical/build/identity.ts'
import type { Finish } from '../../canonical/model/finish.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { reportForeign } from '../foreign.ts'
import { bodyOf } from '../shared/body.ts'
import { markResponse, resolveResponse } from '../shared/echoes.ts'
import { namesGiven, underOwnName } from '../shared/names.ts'
import { applyResidue, withResidue } from '../unit.ts'
import { SLOT, stopReasons, toolNames } from './codes.ts'
import { decodeBlock, encodeBlocks, opaque } from './parts.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

export { decodeUsage, encodeUsage } from './usage.ts'

/** What only a response may carry. */
const RESPONSE = `${SLOT}/response`

/** Reads a response. */
export function decodeResponse(wire: unknown, options: DecodeOptions): ChatResponse {
  const body = bodyOf(wire, 'response')
  const { id, model, content, usage } = body
  const names = namesGiven(options.request, toolNames)
  const parts = Array.isArray(content)
    ? (content as readonly Json[]).map((block) => underOwnName(readPart(block), names, SLOT))
    : []
  const finish = decodeFinish(body)
  const counted = decodeUsage(usage)
  const message: AssistantMessage = {
    id: freshId('msg', options),
    role: 'assistant',
    content: parts,
    origin: {
      dialect: SLOT,
      ...(typeof model === 'string' && { model }),
      ...(typeof id === 'string' && { responseId: id }),
    },
    ...(finish !== undefined && { finish }),
  }
  const response: ChatResponse = {
    ...(typeof id === 'string' && { id }),
    ...(typeof model === 'string' && { model }),
    candidates: [sealedCopy(message)],
    ...(counted !== undefined && { usage: counted }),
  }
  if (options.exact === false) return sealedCopy(response)
  return markResponse(withResidue(response, RESPONSE, writeResponse(response, silent), body))
}

/** What no answer says, such as a result of the application, stays as it came. */
export function readPart(wire: Json): AssistantPart {
  const part = decodeBlock(wire, 'response')
  return part.type === 'json' ? opaque(wire) : part
}

/** Writes a response; this format has one candidate. */
export function encodeResponse(given: ChatResponse, encoding: Encoding): JsonObject {
  const response = resolveResponse(given)
  reportForeign(response, SLOT, 'response', encoding)
  if (response.createdAt !== undefined) encoding.lose('no-field', below(undefined, 'createdAt'))
  for (const index of response.candidates.slice(1).keys()) {
    encoding.lose('candidates-dropped', below(below(undefined, 'candidates'), index + 1))
  }
  return applyResidue(writeResponse(response, encoding), response, RESPONSE)
}

function writeResponse(response: ChatResponse, encoding: Encoding): JsonObject {
  const [message] = response.candidates
  const at = below(below(undefined, 'candidates'), 0)
  if (message?.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  return {
    id: response.id ?? '',
    type: 'message',
    role: 'assistant',
    model: response.model ?? '',
    content:
      message === undefined ? [] : encodeBlocks(message.content, below(at, 'content'), encoding, 'response'),
    ...encodeFinish(message?.finish, below(at, 'finish'), encoding, message?.origin?.dialect === SLOT),
    usage: encodeUsage(response.usage, encoding),
    container: null,
    diagnostics: null,
  }
}

/** Why the model stopped. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  const { stop_reason: raw, stop_sequence: sequence } = isObject(wire) ? wire : {}
  if (typeof raw !== 'string') return undefined
  const reason = stopReasons.fromWire(raw) ?? 'other'
  const plain = stopReasons.toWire(reason) === raw
  return { reason, ...(!plain && { raw }), ...(typeof sequence === 'string' && { stopSequence: sequence }) }
}

/** Why the model stopped, in the wire's words: its own word while that still means the same. */
export function encodeFinish(
  finish: Finish | undefined,
  at?: Path,
  encoding: Encoding = silent,
  own = true,
): JsonObject {
  const { reason, raw, stopSequence } = finish ?? {}
  // What ended the text is said with the word for it, also where the reason has no word of its own.
  const ended = stopSequence === undefined ? 'end_turn' : 'stop_sequence'
  const fresh =
    reason === undefined ? null : reason === 'stop' ? ended : (stopReasons.toWire(reason) ?? ended)
  // A word that nobody here knows is only one of ours if the answer is.
  const meant = raw === undefined ? undefined : (stopReasons.fromWire(raw) ?? (own ? 'other' : undefined))
  const kept = meant === reason ? raw : undefined
  const word = kept ?? fresh
  if (word !== null && stopReasons.fromWire(word) !== reason && kept === undefined)
    encoding.lose('finish-approximated', below(at, 'reason'))
  if (raw !== undefined && kept === undefined) encoding.lose('finish-approximated', below(at, 'raw'))
  const details = word === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null
  return { stop_reason: word, stop_sequence: stopSequence ?? null, stop_details: details }
}
