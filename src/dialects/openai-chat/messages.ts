import { freshId } from '../../canonical/build/identity.ts'
import type { Message, ToolMessage } from '../../canonical/model/message.ts'
import type { OpaquePart, Part, ToolResultPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silentFor } from '../encoding.ts'
import { callIds } from '../shared/call-ids.ts'
import { wholeContent, wholeMessage } from '../shared/whole.ts'
import { wireText } from '../shared/wire-text.ts'
import { applyResidue, hintsFor, hintsIn, keep } from '../unit.ts'
import { decodeSaid, encodeSaid } from './said.ts'
import { isLegacy } from './calls.ts'
import { SLOT } from './codes.ts'
import { flavorOf } from './flavors.ts'
import { thoughtOfAll, withoutRefused } from './hosts.ts'
import { decodeParts, encodeParts, joinedText, onlyText, type Speaker } from './parts.ts'
import { decodeResult, encodeResult } from './results.ts'
import type { OpenAIChatHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }
type CallId = (name: string, text: string) => string

/** Reads the conversation; undefined when it is no list. */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly Message[] | undefined {
  if (!Array.isArray(wire)) return undefined
  const ids = callIds()
  const callId: CallId = (name, text) => ids.next(name, text)
  const messages: Message[] = []
  let round: ToolResultPart[] = []
  const settle = (): void => {
    if (round.length > 0)
      messages.push(sealOwn<Message>({ id: freshId('msg', options), role: 'tool', content: round }))
    round = []
  }
  for (const each of wire as readonly Json[]) {
    const result = isObject(each) ? decodeResult(each, (name) => openCall(messages, round, name)) : undefined
    if (result !== undefined) round.push(result)
    else {
      settle()
      messages.push(isObject(each) ? decodeMessage(each, callId, options) : whole(each, options))
    }
  }
  settle()
  return messages
}

/** The call that a function's answer is for: the last one of that name that has no answer yet. */
function openCall(
  messages: readonly Message[],
  round: readonly ToolResultPart[],
  name: string,
): string | undefined {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return undefined
  const call = last.content.find(
    (part) =>
      part.type === 'tool-call' &&
      isLegacy(part) &&
      part.name === name &&
      !round.some(({ callId }) => callId === part.id),
  )
  return call?.type === 'tool-call' ? call.id : undefined
}

/** Other roles and odd tool messages are kept whole. */
function whole(wire: Json, options: DecodeOptions): Message {
  const role = isObject(wire) && (wire['role'] === 'tool' || wire['role'] === 'function') ? 'tool' : 'user'
  return sealOwn({ id: freshId('msg', options), role, content: wholeContent(SLOT, wire) } as Message)
}

function decodeMessage(wire: Wire, callId: CallId, options: DecodeOptions): Message {
  const { role, name } = wire
  const said =
    role === 'assistant'
      ? decodeSaid(wire, SLOT, callId)
      : role === 'user' || role === 'system' || role === 'developer'
        ? decodeSpoken(wire, role === 'user' ? 'user' : 'system')
        : undefined
  if (said === undefined) return whole(wire, options)
  const thought = role === 'assistant' ? thoughtOfAll(flavorOf(options)) : undefined
  const isEmpty = thought !== undefined && wire[thought] === ''
  const { content } = said
  const hints = isEmpty ? { ...said.hints, emptyReasoningField: true } : said.hints
  const named = typeof name === 'string' && { name }
  const message = { id: freshId('msg', options), role, content, ...named } as Message
  return keep(message, SLOT, SLOT, hints, wire, (each) => encodeOne(each, undefined, silentFor(options)))
}

function decodeSpoken(
  { content }: Wire,
  speaker: Speaker,
): { readonly content: readonly Part[]; readonly hints: Hints<OpenAIChatHint> } {
  const parts = readContent(content, speaker)
  const hints = hintsIn(SLOT, {
    ...(Array.isArray(content) && { contentForm: 'parts' }),
    ...(parts.length === 0 && { emptyContent: true }),
  })
  return { content: parts, hints }
}

function readContent(content: Json | undefined, speaker: Speaker): readonly Part[] {
  if (typeof content !== 'string') return Array.isArray(content) ? decodeParts(content, speaker) : []
  return content === '' ? [] : [sealOwn<Part>({ type: 'text', text: content })]
}

/** Writes one of our messages: as none where it says nothing, as several where it holds several results. */
export function encodeMessage(
  message: Message,
  at: Path | undefined,
  encoding: Encoding,
): readonly JsonObject[] {
  const unread = wholeMessage(message, SLOT)
  if (unread !== undefined) return [unread]
  if (message.role === 'tool') return encodeRound(message, at, encoding)
  const made = encodeOne(message, at, encoding)
  if (made === undefined) encoding.lose('empty-message', at)
  return made === undefined ? [] : [made]
}

function encodeRound(message: ToolMessage, at: Path | undefined, encoding: Encoding): readonly JsonObject[] {
  if (message.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  const place = below(at, 'content')
  return message.content.flatMap((part, index) => {
    const here = below(place, index)
    if (part.type === 'tool-result') return [encodeResult(part, here, encoding)]
    part satisfies OpaquePart
    encoding.lose('foreign-opaque', here)
    return []
  })
}

function encodeOne(message: Message, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  const { name } = message
  const flavor = flavorOf(encoding.options)
  const made = writeOne(message, at, encoding, hintsFor(message, SLOT))
  if (made === undefined) return undefined
  const thought = message.role === 'assistant' ? thoughtOfAll(flavor) : undefined
  const named: JsonObject = name === undefined ? made : { ...made, name }
  const whole = thought === undefined ? named : { [thought]: '', ...named }
  const written = applyResidue(whole, message, SLOT)
  if (thought !== undefined && written[thought] === '' && !Object.hasOwn(made, thought)) {
    if (!cameEmpty(message, thought)) encoding.lose('empty-thought', at)
  }
  return withoutRefused(written, flavor, at, encoding)
}

/** Whether an answer came with an empty field of thoughts. */
function cameEmpty(message: Message, field: string): boolean {
  return hintsFor(message, SLOT)['emptyReasoningField'] === true || message.extra?.[SLOT]?.[field] === ''
}

/** A message without its name, before its residue; undefined where it leaves nothing to send. */
function writeOne(
  message: Message,
  at: Path | undefined,
  encoding: Encoding,
  hints: Hints<OpenAIChatHint>,
): JsonObject | undefined {
  if (message.role === 'assistant') {
    const said = encodeSaid(message, at, encoding, SLOT)
    const silence = said['content'] === null && Object.keys(said).length === 2
    return silence && hints['emptyContent'] !== true ? undefined : said
  }
  const place = below(at, 'content')
  const listed = (message.content as readonly Part[]).map((part, index) => ({
    part,
    at: below(place, index),
  }))
  const parts = encodeParts(listed, encoding, message.role === 'user' ? 'user' : 'system')
  if (parts.length === 0 && hints['emptyContent'] !== true) return undefined
  const role = roleFor(message.role, at, encoding)
  const text = joinedText(parts, '\n', place, encoding)
  if (text !== undefined) return { role, content: text }
  const plain =
    parts.length === 1 && onlyText(parts[0]) && hints['contentForm'] !== 'parts'
      ? wireText(parts[0])
      : undefined
  const empty = hints['contentForm'] === 'parts' ? [] : ''
  const content = plain ?? (parts.length === 0 ? empty : parts)
  return { role, content }
}

function roleFor(role: Message['role'], at: Path | undefined, encoding: Encoding): Message['role'] {
  if (role !== 'developer' || flavorOf(encoding.options).developer !== false) return role
  encoding.lose('developer-role', below(at, 'role'))
  return 'system'
}
