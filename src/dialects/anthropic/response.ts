import { freshId } from '../../canonical/build/identity.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isList, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { reportForeign } from '../foreign.ts'
import { bodyOf } from '../shared/body.ts'
import { markResponse, resolveResponse } from '../shared/echoes.ts'
import type { Stopped } from '../shared/finish.ts'
import { namesGiven, underOwnName } from '../shared/names.ts'
import { isOwnCall } from '../shared/own-calls.ts'
import { applyResidue, withResidue } from '../unit.ts'
import { RESPONSE, SLOT, toolNames } from './codes.ts'
import { encodeFinish, finishFor } from './finish.ts'
import { decodeHead } from './head.ts'
import { decodeAnswerPart, encodeParts } from './parts.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

/** Reads a response. */
export function decodeResponse(wire: unknown, options: DecodeOptions): ChatResponse {
  const body = bodyOf(wire, 'response')
  const { content, usage } = body
  const { origin, ...about } = decodeHead(body)
  const names = namesGiven(options.request, toolNames)
  const parts = isList(content)
    ? content.map((block) => underOwnName(decodeAnswerPart(block), names, SLOT))
    : []
  const finish = finishFor(body, parts.some(isOwnCall))
  const counted = decodeUsage(usage)
  const message: AssistantMessage = {
    id: freshId('msg', options),
    role: 'assistant',
    content: parts,
    origin,
    ...(finish !== undefined && { finish }),
  }
  const response: ChatResponse = {
    ...about,
    candidates: [sealOwn(message)],
    ...(counted !== undefined && { usage: counted }),
  }
  if (options.exact === false) return sealOwn(response)
  return markResponse(withResidue(response, RESPONSE, writeResponse(response, silent), body))
}

/** Writes a response; this format has one candidate. */
export function encodeResponse(given: ChatResponse, encoding: Encoding): JsonObject {
  const response = resolveResponse(given)
  reportForeign(response, SLOT, 'response', encoding)
  if (response.createdAt !== undefined) encoding.lose('response-metadata', below(undefined, 'createdAt'))
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
      message === undefined ? [] : encodeParts(message.content, below(at, 'content'), encoding, 'response'),
    ...encodeFinish(stoppedOf(message), below(at, 'finish'), encoding),
    usage: encodeUsage(response.usage, encoding),
    container: null,
    diagnostics: null,
  }
}

function stoppedOf(message: AssistantMessage | undefined): Stopped | undefined {
  if (message?.finish === undefined) return undefined
  const { finish, content, origin } = message
  return { finish, calls: content.some(isOwnCall), own: origin?.dialect === SLOT }
}
