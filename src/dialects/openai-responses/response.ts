import { freshId } from '../../canonical/build/identity.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isList, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { reportForeign } from '../foreign.ts'
import { bodyOf } from '../shared/body.ts'
import { markResponse, resolveResponse } from '../shared/echoes.ts'
import { namesGiven, underOwnName } from '../shared/names.ts'
import { restoringFor } from '../shared/restored.ts'
import { applyResidue, hintedExtra, hintsFor, withResidue } from '../unit.ts'
import { RESPONSE, SLOT, toolNames } from './codes.ts'
import { encodeFinish, finishFor } from './finish.ts'
import { decodeHead, encodeHead } from './head.ts'
import { decodeRun, encodeRun } from './items.ts'
import { decodeUsage, encodeUsage } from './usage.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a response. */
export function decodeResponse(wire: unknown, options: DecodeOptions): ChatResponse {
  const body = bodyOf(wire, 'response')
  const { output, usage } = body
  const names = namesGiven(options.request, toolNames)
  const said = isList(output) ? decodeRun(output, 'response') : []
  const restored = restoringFor(options.request, SLOT)
  const content = said.map((part) => restored(underOwnName(part, names, SLOT)))
  const finish = finishFor(body, content)
  const counted = decodeUsage(usage)
  const { origin, ...about } = decodeHead(body)
  const forms =
    finish === undefined
      ? { missingFinishReason: true }
      : finish.raw !== undefined && { incompleteStatus: isShort(body) }
  const message: AssistantMessage = {
    id: freshId('msg', options),
    role: 'assistant',
    content,
    origin,
    ...(finish !== undefined && { finish }),
    ...(forms !== false && { extra: hintedExtra(SLOT, forms) }),
  }
  const response: ChatResponse = {
    ...about,
    candidates: [sealOwn(message)],
    ...(counted !== undefined && { usage: counted }),
  }
  if (options.exact === false) return sealOwn(response)
  // Without a date of its own a response is dated when it is written: what came must not depend on that.
  const hints: Hints<OpenAIResponsesHint> = response.createdAt === undefined ? { missingCreatedAt: true } : {}
  return markResponse(withResidue(response, RESPONSE, writeResponse(response, silent, hints), body, hints))
}

/** Whether the reason that is not known is one for being incomplete. */
function isShort({ status }: Wire): boolean {
  return status === 'incomplete'
}

/** Writes a response; this format has one candidate. */
export function encodeResponse(given: ChatResponse, encoding: Encoding): JsonObject {
  const response = resolveResponse(given)
  reportForeign(response, SLOT, 'response', encoding)
  for (const index of response.candidates.slice(1).keys()) {
    encoding.lose('candidates-dropped', below(below(undefined, 'candidates'), index + 1))
  }
  const made = writeResponse(response, encoding, hintsFor(response, RESPONSE))
  return applyResidue(made, response, RESPONSE)
}

function writeResponse(
  response: ChatResponse,
  encoding: Encoding,
  hints: Hints<OpenAIResponsesHint>,
): JsonObject {
  const [message] = response.candidates
  const at = below(below(undefined, 'candidates'), 0)
  if (message?.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  const { usage } = response
  const seed = response.id ?? ''
  return {
    ...encodeHead(response, encoding, hints['missingCreatedAt'] === true),
    ...(message === undefined ? writeState(undefined, at, encoding) : writeState(message, at, encoding)),
    output:
      message === undefined
        ? []
        : encodeRun(message.content, below(at, 'content'), { side: 'response', encoding, seed }),
    ...(usage !== undefined && { usage: encodeUsage(usage) }),
  }
}

/** An answer that does not say why it stopped must say so all the same, unless it came like that. */
function writeState(message: AssistantMessage | undefined, at: Path, encoding: Encoding): JsonObject {
  const { finish, content = [], origin } = message ?? {}
  const hints = message === undefined ? {} : hintsFor(message, SLOT)
  if (finish === undefined && hints['missingFinishReason'] === true)
    return { error: null, incomplete_details: null }
  if (finish === undefined && message !== undefined) encoding.lose('finish-synthesized', below(at, 'finish'))
  const stopped = finish ?? { reason: 'stop' }
  const own = origin?.dialect === SLOT
  const state = { finish: stopped, content, own, short: hints['incompleteStatus'] === true }
  return encodeFinish(state, below(at, 'finish'), finish === undefined ? silent : encoding)
}
