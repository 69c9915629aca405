import { freshId } from '../../canonical/build/identity.ts'
import type { AssistantMessage, Origin } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { reportForeign } from '../foreign.ts'
import { bodyOf } from '../shared/body.ts'
import { markResponse, resolveResponse } from '../shared/echoes.ts'
import { applyResidue, hintsFor, withResidue } from '../unit.ts'
import { decodeCandidate, encodeCandidate } from './candidates.ts'
import { RESPONSE, SLOT } from './codes.ts'
import { isBlocked } from './finish.ts'
import { decodeHead } from './head.ts'
import { aliases, camel, type Wire } from './spelling.ts'
import { decodeUsage, encodeUsage } from './usage.ts'
import type { GeminiHint } from './hints.ts'

/** Reads a response. */
export function decodeResponse(wire: unknown, options: DecodeOptions): ChatResponse {
  const body = bodyOf(wire, 'response')
  const said = camel(body)
  const { candidates, usageMetadata } = said
  const { origin, ...about } = decodeHead(said)
  const listed =
    Array.isArray(candidates) && candidates.every(isObject) ? (candidates as readonly Wire[]) : []
  const usage = decodeUsage(usageMetadata)
  const answers = listed.map((each, index) => decodeCandidate(each, index, origin, options))
  const blocks = isBlocked(said)
  const response: ChatResponse = {
    ...about,
    candidates: blocks ? [blocked(origin, options)] : answers,
    ...(usage !== undefined && { usage }),
  }
  if (options.exact === false) return sealOwn(response)
  const hints: Hints<GeminiHint> = blocks ? { promptBlocked: true } : {}
  return markResponse(
    withResidue(response, RESPONSE, writeResponse(response, silent, hints), body, hints, aliases),
  )
}

/** The answer to a prompt that was refused: nothing, and why. */
function blocked(origin: Origin, options: DecodeOptions): AssistantMessage {
  return sealOwn({
    id: freshId('msg', options),
    role: 'assistant',
    content: [],
    origin,
    finish: { reason: 'content-filter' },
  })
}

/** Writes a response. */
export function encodeResponse(given: ChatResponse, encoding: Encoding): JsonObject {
  const response = resolveResponse(given)
  reportForeign(response, SLOT, 'response', encoding)
  return applyResidue(writeResponse(response, encoding, hintsFor(response, RESPONSE)), response, RESPONSE)
}

function writeResponse(
  { id, model, createdAt, candidates, usage }: ChatResponse,
  encoding: Encoding,
  { promptBlocked: isTold }: Hints<GeminiHint>,
): JsonObject {
  const at = below(undefined, 'candidates')
  const answers = candidates.filter((message) => isTold !== true || !isBlank(message))
  return {
    ...(answers.length > 0 && {
      candidates: answers.map((message, index) =>
        encodeCandidate(message, index, below(at, index), encoding),
      ),
    }),
    ...(usage !== undefined && { usageMetadata: encodeUsage(usage, encoding) }),
    ...(model !== undefined && { modelVersion: model }),
    ...(id !== undefined && { responseId: id }),
    ...(createdAt !== undefined && { createTime: createdAt }),
  }
}

/** Whether an answer only says that the prompt was refused, which the feedback does where it is told. */
function isBlank({ content, finish }: AssistantMessage): boolean {
  return content.length === 0 && finish?.reason === 'content-filter'
}
