import { freshId } from '../../canonical/build/identity.ts'
import type { Message, ToolMessage } from '../../canonical/model/message.ts'
import type { OpaquePart, Part, ToolResultPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { callIds, type CallIds } from '../shared/call-ids.ts'
import { wholeContent, wholeMessage } from '../shared/whole.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { OpenCalls } from './calls.ts'
import { SLOT } from './codes.ts'
import { decodeMedia } from './media.ts'
import { decodeSaid, decodeText, encodeSaid } from './parts.ts'
import { decodeResult, encodeResult } from './results.ts'
import { isOwnCall } from '../shared/own-calls.ts'

type Wire = { readonly [key: string]: Json }

/** Reads the conversation; undefined when it is no list. Neighbouring results are one round. */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly Message[] | undefined {
  if (!Array.isArray(wire)) return undefined
  const ids = callIds()
  const calls = new OpenCalls()
  const messages: Message[] = []
  let round: ToolResultPart[] = []
  const settle = (): void => {
    if (round.length > 0)
      messages.push(sealOwn<Message>({ id: freshId('msg', options), role: 'tool', content: round }))
    round = []
  }
  for (const each of wire as readonly Json[]) {
    const result = isObject(each) && roleOf(each) === 'tool' ? decodeResult(each, calls) : undefined
    if (result !== undefined) round.push(result)
    else {
      settle()
      const message = isObject(each) ? decodeMessage(each, ids, options) : whole(each, options)
      noteCalls(message, calls)
      messages.push(message)
    }
  }
  settle()
  return messages
}

/** The server takes roles in any case. */
function roleOf({ role }: Wire): string | undefined {
  return typeof role === 'string' ? role.toLowerCase() : undefined
}

export function noteCalls({ role, content }: Message, calls: OpenCalls): void {
  if (role !== 'assistant') return
  for (const part of content) {
    if (isOwnCall(part)) calls.called(part)
  }
}

/** Other roles, and results that answer no call, are kept whole. */
function whole(wire: Json, options: DecodeOptions): Message {
  const role = isObject(wire) && roleOf(wire) === 'tool' ? 'tool' : 'user'
  return sealOwn({ id: freshId('msg', options), role, content: wholeContent(SLOT, wire) } as Message)
}

function decodeMessage(wire: Wire, ids: CallIds, options: DecodeOptions): Message {
  const role = roleOf(wire)
  if (role !== 'system' && role !== 'user' && role !== 'assistant') return whole(wire, options)
  const content: readonly Part[] =
    role === 'assistant'
      ? decodeSaid(wire, SLOT, ids)
      : [...(role === 'user' ? decodeMedia(wire['images']) : []), ...decodeText(wire)]
  const message = { id: freshId('msg', options), role, content } as Message
  const hints = content.length === 0 ? { emptyContent: true } : {}
  return keep(message, SLOT, SLOT, hints, wire, (each) => encodeOne(each, undefined, silent))
}

/** Writes one of our messages: as none where it says nothing, as several where it holds several results. */
export function encodeMessage(
  message: Message,
  at: Path | undefined,
  encoding: Encoding,
  calls: OpenCalls = new OpenCalls(),
): readonly JsonObject[] {
  const unread = wholeMessage(message, SLOT)
  if (unread !== undefined) return [unread]
  if (message.role === 'tool') return encodeRound(message, calls, at, encoding)
  const made = encodeOne(message, at, encoding)
  if (made === undefined) encoding.lose('empty-message', at)
  return made === undefined ? [] : [made]
}

function encodeRound(
  message: ToolMessage,
  calls: OpenCalls,
  at: Path | undefined,
  encoding: Encoding,
): readonly JsonObject[] {
  if (message.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  return message.content.flatMap((part, index) => {
    const here = below(below(at, 'content'), index)
    if (part.type === 'tool-result') return [encodeResult(part, calls, here, encoding)]
    part satisfies OpaquePart
    encoding.lose('foreign-opaque', here)
    return []
  })
}

function encodeOne(message: Message, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  const { role, name, content } = message
  if (name !== undefined) encoding.lose('message-name', below(at, 'name'))
  if (role === 'developer') encoding.lose('developer-role', below(at, 'role'))
  const said = encodeSaid(content, role, below(at, 'content'), encoding, SLOT)
  const silence = said['content'] === '' && Object.keys(said).length === 1
  if (silence && hintsFor(message, SLOT)['emptyContent'] !== true) return undefined
  return applyResidue({ role: role === 'developer' ? 'system' : role, ...said }, message, SLOT)
}
