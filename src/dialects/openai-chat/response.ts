import { freshId } from '../../canonical/build/identity.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { sealOwn } from '../../wire/frozen.ts'
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
import { isOwnCall } from '../shared/own-calls.ts'
import { applyResidue, hintsFor, withHints, withResidue } from '../unit.ts'
import { CHOICE, RESPONSE, SLOT, toolNames } from './codes.ts'
import { encodeFinish, finishFor } from './finish.ts'
import { decodeHead } from './head.ts'
import { decodeSaid, encodeSaid } from './said.ts'
import { decodeUsage, encodeUsage } from './usage.ts'
import type { OpenAIChatHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a response. */
export function decodeResponse(wire: unknown, options: DecodeOptions): ChatResponse {
  const body = bodyOf(wire, 'response')
  const { choices, usage } = body
  const { origin, ...about } = decodeHead(body)
  const listed = Array.isArray(choices) && choices.every(isObject) ? (choices as readonly Wire[]) : []
  const counted = decodeUsage(usage)
  const names = namesGiven(options.request, toolNames)
  const restored = restoringFor(options.request, SLOT)
  const response: ChatResponse = {
    ...about,
    candidates: listed.map((choice, index) => decodeChoice(choice, index, origin, names, restored, options)),
    ...(counted !== undefined && { usage: counted }),
  }
  if (options.exact === false) return sealOwn(response)
  // Without a date of its own a response is dated when it is written: what came must not depend on that.
  const hints: Hints<OpenAIChatHint> = response.createdAt === undefined ? { missingCreatedAt: true } : {}
  return markResponse(withResidue(response, RESPONSE, writeResponse(response, silent, hints), body, hints))
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
  const finish = finishFor(wire['finish_reason'], content.some(isOwnCall))
  const hints = { ...forms, ...(finish === undefined && { missingFinishReason: true }) }
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
  return sealOwn(withResidue(kept, CHOICE, made, wire, undefined, undefined, bond))
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
  hints: Hints<OpenAIChatHint>,
): JsonObject {
  const at = below(undefined, 'candidates')
  const now = encoding.options.now ?? Date.now
  const undated = createdAt === undefined && hints['missingCreatedAt'] === true
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
  const { finish, origin, content } = message
  const stopped = { calls: content.some(isOwnCall), own: origin?.dialect === SLOT }
  if (finish !== undefined) return encodeFinish({ finish, ...stopped }, at, encoding)
  if (hintsFor(message, SLOT)['missingFinishReason'] === true) return null
  encoding.lose('finish-synthesized', at)
  return 'stop'
}

function writeMessage(message: AssistantMessage, at: Path | undefined, encoding: Encoding): JsonObject {
  if (message.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  return encodeSaid(message, at, encoding, RESPONSE)
}
