import { freshId } from '../../canonical/build/identity.ts'
import type { Finish } from '../../canonical/model/finish.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { reportForeign } from '../foreign.ts'
import { bodyOf } from '../shared/body.ts'
import { markResponse, resolveResponse } from '../shared/echoes.ts'
import { callIds } from '../shared/call-ids.ts'
import { type GivenNames, namesGiven, underOwnName } from '../shared/names.ts'
import { type Restoring, restoringFor } from '../shared/restored.ts'
import { applyResidue, hintsFor, withHints, withResidue } from '../unit.ts'
import { decodeSaid, encodeSaid } from './assistant.ts'
import { CHOICE, finishReasons, RESPONSE, SLOT, toolNames } from './codes.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a response. */
export function decodeResponse(wire: unknown, options: DecodeOptions): ChatResponse {
  const body = bodyOf(wire, 'response')
  const { id, model, created, choices, usage } = body
  const origin = {
    dialect: SLOT,
    ...(typeof model === 'string' && { model }),
    ...(typeof id === 'string' && { responseId: id }),
  }
  const listed = Array.isArray(choices) && choices.every(isObject) ? (choices as readonly Wire[]) : []
  const counted = decodeUsage(usage)
  const names = namesGiven(options.request, toolNames)
  const restored = restoringFor(options.request, SLOT)
  const response: ChatResponse = {
    ...(typeof id === 'string' && { id }),
    ...(typeof model === 'string' && { model }),
    ...(isSeconds(created) && { createdAt: new Date(created * 1000).toISOString() }),
    candidates: listed.map((choice, index) => decodeChoice(choice, index, origin, names, restored, options)),
    ...(counted !== undefined && { usage: counted }),
  }
  if (options.exact === false) return sealedCopy(response)
  // Without a date of its own a response is dated when it is written: what came must not depend on that.
  const hints = response.createdAt === undefined ? { undated: true } : {}
  return markResponse(withResidue(response, RESPONSE, writeResponse(response, silent, hints), body, hints))
}

/** Whether a date is one. */
export function isSeconds(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && Math.abs(value as number) < 1e11
}

function decodeChoice(
  wire: Wire,
  index: number,
  origin: NonNullable<AssistantMessage['origin']>,
  names: GivenNames,
  restored: Restoring,
  options: DecodeOptions,
): AssistantMessage {
  const said = isObject(wire['message']) ? wire['message'] : {}
  const ids = callIds()
  ids.saw(`${origin.responseId ?? freshId('resp', options)} ${index}`)
  const { content, hints: forms } = decodeSaid(said, RESPONSE, (name, text) => ids.next(name, text))
  const calls = content.some((part) => part.type === 'tool-call')
  const finish = decodeFinish(wire['finish_reason'], calls)
  const hints = { ...forms, ...(finish === undefined && { unfinished: true }) }
  const plain: AssistantMessage = {
    id: freshId('msg', options),
    role: 'assistant',
    content: content.map((part) => restored(underOwnName(part, names, SLOT))),
    origin,
    ...(finish !== undefined && { finish }),
  }
  const message = withHints(plain, SLOT, hints)
  const kept = withResidue(message, RESPONSE, writeMessage(message, undefined, silent), said)
  const made = writeChoice(kept, index, undefined, silent)
  const bond = { keys: ['logprobs'], of: wordsOf(kept) }
  return sealedCopy(withResidue(kept, CHOICE, made, wire, undefined, undefined, bond))
}

/** What log probabilities vouch for: every word that the model said. */
function wordsOf({ content }: AssistantMessage): Json {
  return content.map((part) => ('text' in part ? part.text : part.type))
}

/** Writes a response. */
export function encodeResponse(given: ChatResponse, encoding: Encoding): JsonObject {
  const response = resolveResponse(given)
  reportForeign(response, SLOT, 'response', encoding)
  const made = writeResponse(response, encoding, hintsFor(response, RESPONSE))
  return applyResidue(made, response, RESPONSE)
}

function writeResponse(
  { id, model, createdAt, candidates, usage }: ChatResponse,
  encoding: Encoding,
  hints: Hints,
): JsonObject {
  const at = below(undefined, 'candidates')
  const now = encoding.options.now ?? Date.now
  const undated = createdAt === undefined && hints['undated'] === true
  return {
    id: id ?? '',
    object: 'chat.completion',
    ...(!undated && {
      created: Math.floor((createdAt === undefined ? now() : Date.parse(createdAt)) / 1000),
    }),
    model: model ?? '',
    choices: candidates.map((message, index) => {
      const here = below(at, index)
      const made = writeChoice(message, index, here, encoding)
      const stale = (key: string): void => {
        const slot = below(below(here, 'extra'), CHOICE)
        encoding.lose('stale-logprobs', below(below(below(slot, '$'), 'bound'), key))
      }
      return applyResidue(made, message, CHOICE, { of: wordsOf(message), stale })
    }),
    ...(usage !== undefined && { usage: encodeUsage(usage) }),
  }
}

function writeChoice(
  message: AssistantMessage,
  index: number,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject {
  return {
    index,
    message: applyResidue(writeMessage(message, at, encoding), message, RESPONSE),
    logprobs: null,
    finish_reason: writeFinish(message, below(at, 'finish'), encoding),
  }
}

/** An answer that does not say why it stopped must say so all the same, unless it came like that. */
function writeFinish(message: AssistantMessage, at: Path, encoding: Encoding): Json {
  const { finish, origin } = message
  if (finish !== undefined) return encodeFinish(finish, at, encoding, origin?.dialect === SLOT)
  if (hintsFor(message, SLOT)['unfinished'] === true) return null
  encoding.lose('finish-synthesized', at)
  return 'stop'
}

function writeMessage(message: AssistantMessage, at: Path | undefined, encoding: Encoding): JsonObject {
  if (message.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  return encodeSaid(message, at, encoding, RESPONSE)
}

/** Why the model stopped, as a choice says it. */
export function decodeChoiceFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const { finish_reason: raw, message } = wire
  const calls = isObject(message) ? message['tool_calls'] : undefined
  return decodeFinish(raw, Array.isArray(calls) && calls.length > 0)
}

/** Why the model stopped. Some hosts say `stop` when the model called a tool: the calls decide. */
export function decodeFinish(raw: Json | undefined, calls: boolean): Finish | undefined {
  if (typeof raw !== 'string') return undefined
  const said = finishReasons.fromWire(raw) ?? 'other'
  const reason = said === 'stop' && calls ? 'tool-calls' : said
  return { reason, ...(finishReasons.toWire(reason) !== raw && { raw }) }
}

/** Why the model stopped, in the wire's words: the word that came while it still means the same. */
export function encodeFinish(
  finish: Finish | undefined,
  at?: Path,
  encoding: Encoding = silent,
  own = true,
): Json {
  if (finish === undefined) return null
  const { reason, raw, stopSequence } = finish
  if (stopSequence !== undefined) encoding.lose('stop-sequence', below(at, 'stopSequence'))
  // A word that nobody here knows is only one of ours if the answer is.
  const meant = raw === undefined ? undefined : (finishReasons.fromWire(raw) ?? (own ? 'other' : undefined))
  const still = meant === reason || (meant === 'stop' && reason === 'tool-calls')
  if (raw !== undefined && still) return raw
  if (raw !== undefined) encoding.lose('finish-approximated', below(at, 'raw'))
  const word = finishReasons.toWire(reason) ?? 'stop'
  if (finishReasons.fromWire(word) !== reason) encoding.lose('finish-approximated', below(at, 'reason'))
  return word
}
