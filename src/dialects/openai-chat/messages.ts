import { wireText } from '../shared/wire-text.ts'
import { freshId } from '../../canonical/build/identity.ts'
import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { Part, ToolPart, ToolResultPart } from '../../canonical/model/part.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { callIds } from '../shared/call-ids.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { decodeSaid, encodeSaid } from './assistant.ts'
import { decodeResult, encodeResult } from './calls.ts'
import { SLOT } from './codes.ts'
import { decodeParts, encodeParts, onlyText } from './parts.ts'

type Wire = { readonly [key: string]: Json }

/** Reads the conversation; undefined when it is not a list of messages that we can take apart. */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly Message[] | undefined {
  if (!Array.isArray(wire)) return undefined
  const ids = callIds()
  const messages: Message[] = []
  let round: ToolResultPart[] = []
  const settle = (): void => {
    if (round.length > 0)
      messages.push(sealedCopy<Message>({ id: freshId('msg', options), role: 'tool', content: round }))
    round = []
  }
  for (const each of wire as readonly Json[]) {
    if (!isObject(each)) return undefined
    const result = each['role'] === 'tool' ? decodeResult(each) : undefined
    if (result !== undefined) round.push(result)
    else {
      settle()
      const message = decodeMessage(each, (name, text) => ids.next(name, text), options)
      if (message === undefined) return undefined
      messages.push(message)
    }
  }
  settle()
  return messages
}

function decodeMessage(
  wire: Wire,
  callId: (name: string, text: string) => string,
  options: DecodeOptions,
): Message | undefined {
  const { role, name } = wire
  const base = { id: freshId('msg', options), ...(typeof name === 'string' && { name }) }
  if (role === 'assistant') {
    const { content, hints } = decodeSaid(wire, SLOT, callId)
    const message: AssistantMessage = { ...base, role, content }
    return keep(message, SLOT, SLOT, hints, wire, (each) => encodeOne(each, undefined, silent))
  }
  if (role === 'user' || role === 'system' || role === 'developer') return decodeSpoken(role, base, wire)
  // Other roles and odd tool messages are kept whole.
  return sealedCopy<Message>({
    id: base.id,
    role: role === 'tool' || role === 'function' ? 'tool' : 'user',
    content: [{ type: 'opaque', dialect: SLOT, value: { $message: wire } }],
  })
}

function decodeSpoken(role: 'user' | 'system' | 'developer', base: object, wire: Wire): Message {
  const { content } = wire
  const list =
    typeof content === 'string'
      ? content === ''
        ? []
        : [{ type: 'text', text: content }]
      : Array.isArray(content)
        ? content
        : []
  const parts = decodeParts(list as readonly Json[], role === 'user' ? 'user' : 'system')
  const hints = {
    ...(Array.isArray(content) && { form: 'parts' }),
    ...(parts.length === 0 && { empty: true }),
  }
  const message = { ...base, role, content: parts } as Message
  return keep(message, SLOT, SLOT, hints, wire, (each) => encodeOne(each, undefined, silent))
}

/** Writes the conversation: a tool message per result. */
export function encodeMessages(
  messages: Iterable<Message>,
  at: Path,
  encoding: Encoding,
): readonly JsonObject[] {
  const wire: JsonObject[] = []
  let index = 0
  for (const message of messages) {
    const here = below(at, index++)
    const whole = wholeMessage(message)
    if (whole !== undefined) wire.push(whole)
    else if (message.role === 'tool')
      wire.push(...encodeRound(message.content, below(here, 'content'), encoding))
    else {
      const made = encodeOne(message, here, encoding)
      if (made === undefined) encoding.lose('empty-message', here)
      else wire.push(made)
    }
  }
  return wire
}

/** A message of this format that we could not take apart. */
function wholeMessage({ content }: Message): JsonObject | undefined {
  const [only, ...others] = content as readonly Part[]
  if (only?.type !== 'opaque' || only.dialect !== SLOT || others.length > 0 || !isObject(only.value))
    return undefined
  const whole = only.value['$message']
  return isObject(whole) ? whole : undefined
}

function encodeRound(parts: readonly ToolPart[], at: Path, encoding: Encoding): readonly JsonObject[] {
  const wire: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    if (part.type === 'tool-result') wire.push(encodeResult(part, below(at, index), encoding))
    else encoding.lose('foreign-opaque', below(at, index))
  }
  return wire
}

function encodeOne(message: Message, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  const name = message.name === undefined ? {} : { name: message.name }
  if (message.role === 'assistant') {
    return applyResidue({ ...encodeSaid(message, at, encoding, SLOT), ...name }, message, SLOT)
  }
  const hints = hintsFor(message, SLOT)
  const place = below(at, 'content')
  const listed = (message.content as readonly Part[]).map((part, index) => ({
    part,
    at: below(place, index),
  }))
  const parts = encodeParts(listed, encoding, message.role === 'user' ? 'user' : 'system')
  if (parts.length === 0 && hints['empty'] !== true) return undefined
  const plain =
    parts.length === 1 && onlyText(parts[0]) && hints['form'] !== 'parts' ? wireText(parts[0]) : undefined
  const empty = hints['form'] === 'parts' ? [] : ''
  const content = plain ?? (parts.length === 0 ? empty : parts)
  return applyResidue({ role: message.role, content, ...name }, message, SLOT)
}
