import { freshId } from '../../canonical/build/identity.ts'
import type { AssistantMessage, Origin } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { reportForeign } from '../foreign.ts'
import { bodyOf } from '../shared/body.ts'
import { callIds } from '../shared/call-ids.ts'
import { markResponse, resolveResponse } from '../shared/echoes.ts'
import { isOwnCall } from '../shared/own-calls.ts'
import { applyResidue, hintedExtra, hintsFor, withResidue } from '../unit.ts'
import { RESPONSE, SLOT, vouchers } from './codes.ts'
import { encodeFinish, finishFor } from './finish.ts'
import { decodeHead, losesId } from './head.ts'
import { decodeSaid, encodeSaid, isCompletion, messageOf } from './parts.ts'
import { decodeUsage, encodeUsage, uncounted, withoutUsage } from './usage.ts'
import type { OllamaHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a response: of a chat, or of the older API that completes a prompt. */
export function decodeResponse(wire: unknown, options: DecodeOptions): ChatResponse {
  const body = bodyOf(wire, 'response')
  const usage = decodeUsage(body)
  const { origin, ...about } = decodeHead(body)
  const message = decodeMessage(body, origin, options)
  const response: ChatResponse = {
    ...about,
    candidates: [message],
    ...(usage !== undefined && { usage }),
  }
  if (options.exact === false) return sealOwn(response)
  const hints = {
    ...(isCompletion(body) && { textCompletion: true }),
    ...(usage === undefined && { missingUsage: true }),
    // Without a date of its own a response is dated when it is written: what came must not depend on that.
    ...(response.createdAt === undefined && { missingCreatedAt: true }),
  }
  const made = writeResponse(response, silent, hints)
  const bond = { keys: Object.keys(vouchers), of: wordsOf(message) }
  const told = usage === undefined ? body : withoutUsage(body)
  return markResponse(withResidue(response, RESPONSE, made, told, hints, undefined, bond))
}

function decodeMessage(body: Wire, origin: Origin, options: DecodeOptions): AssistantMessage {
  const said = messageOf(body)
  const ids = callIds()
  ids.saw(origin.responseId ?? freshId('resp', options))
  const content = decodeSaid(said, RESPONSE, ids)
  const finish = finishFor(body, content.some(isOwnCall))
  const hints = {
    ...(content.length === 0 && { emptyContent: true }),
    ...(finish === undefined && { missingFinishReason: true }),
  }
  const message: AssistantMessage = {
    id: freshId('msg', options),
    role: 'assistant',
    content,
    origin,
    ...(finish !== undefined && { finish }),
    ...(Object.keys(hints).length > 0 && { extra: hintedExtra(SLOT, hints) }),
  }
  if (!isObject(body['message']) || options.exact === false) return sealOwn(message)
  return sealOwn(withResidue(message, RESPONSE, writeMessage(message, silent), said))
}

/** Every word that the model said. */
function wordsOf(message: AssistantMessage | undefined): Json {
  return (message?.content ?? []).map((part) => ('text' in part ? part.text : part.type))
}

/** Writes a response; this format has one candidate. */
export function encodeResponse(given: ChatResponse, encoding: Encoding): JsonObject {
  const response = resolveResponse(given)
  reportForeign(response, SLOT, 'response', encoding)
  if (losesId(response)) encoding.lose('response-metadata', below(undefined, 'id'))
  for (const index of response.candidates.slice(1).keys()) {
    encoding.lose('candidates-dropped', below(below(undefined, 'candidates'), index + 1))
  }
  const hints = hintsFor(response, RESPONSE)
  const stale = (key: string): void => {
    const slot = below(below(undefined, 'extra'), RESPONSE)
    encoding.lose(vouchers[key] ?? 'stale-logprobs', below(below(below(slot, '$'), 'bound'), key))
  }
  const bonded = { of: wordsOf(response.candidates[0]), stale }
  const { usage } = response
  const missing = hints['missingUsage'] === true ? {} : uncounted
  return {
    ...applyResidue(writeResponse(response, encoding, hints), response, RESPONSE, bonded),
    ...(usage === undefined ? missing : encodeUsage(usage, encoding)),
  }
}

function writeResponse(response: ChatResponse, encoding: Encoding, hints: Hints<OllamaHint>): JsonObject {
  const { model, createdAt, candidates } = response
  const [message] = candidates
  const now = encoding.options.now ?? Date.now
  const undated = createdAt === undefined && hints['missingCreatedAt'] === true
  const { role, content, ...said } = writeMessage(message, encoding)
  const completed = hints['textCompletion'] === true
  return {
    model: model ?? '',
    ...(!undated && { created_at: createdAt ?? new Date(now()).toISOString() }),
    ...(completed
      ? { response: content ?? '', ...said }
      : { message: applyResidue({ role, content, ...said } as JsonObject, message ?? {}, RESPONSE) }),
    ...writeEnd(message, encoding),
  }
}

function writeMessage(message: AssistantMessage | undefined, encoding: Encoding): JsonObject {
  const at = below(below(undefined, 'candidates'), 0)
  if (message?.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  const said = encodeSaid(message?.content ?? [], 'assistant', below(at, 'content'), encoding, RESPONSE)
  return { role: 'assistant', ...said }
}

/** An answer that does not say why it stopped must say so all the same, unless it came like that. */
function writeEnd(message: AssistantMessage | undefined, encoding: Encoding): JsonObject {
  const at = below(below(below(undefined, 'candidates'), 0), 'finish')
  const { finish, content = [], origin } = message ?? {}
  const stopped = { calls: content.some(isOwnCall), own: origin?.dialect === SLOT }
  if (finish !== undefined)
    return { done: true, done_reason: encodeFinish({ finish, ...stopped }, at, encoding) }
  if (message !== undefined && hintsFor(message, SLOT)['missingFinishReason'] === true) return { done: false }
  encoding.lose('finish-synthesized', at)
  return { done: true, done_reason: 'stop' }
}
