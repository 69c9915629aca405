import { freshId } from '../../canonical/build/identity.ts'
import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { ToolPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import type { Placed } from '../settle.ts'
import { wholeContent, wholeMessage } from '../shared/whole.ts'
import { applyResidue, hintedExtra, hintsFor, keep } from '../unit.ts'
import { isCustom } from './calls.ts'
import { SLOT } from './codes.ts'
import { hostedKind } from './hosted.ts'
import { decodeItem, decodeRun, encodeRun } from './items.ts'
import { decodePart, encodeParts, plainText } from './parts.ts'
import { decodeResult, encodeResult } from './results.ts'

type Wire = { readonly [key: string]: Json }

/** Who an item is of: one that speaks to the model, the model, or an application that answers its calls. */
type Speaker = 'user' | 'system' | 'developer' | 'model' | 'application'

/** Reads instructions: they are system text before the conversation. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  if (typeof wire !== 'string' || wire === '') return []
  return [
    sealOwn<Message>({
      id: freshId('msg', options),
      role: 'system',
      content: [{ type: 'text', text: wire }],
      extra: hintedExtra(SLOT, { instructionsField: true }),
    }),
  ]
}

/** Reads the items of a conversation: a run of the model's is one answer, a run of an application's one round. */
export function decodeMessages(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  if (typeof wire === 'string')
    return wire === '' ? [] : [decodeSpoken({ role: 'user', content: wire }, options)]
  if (!Array.isArray(wire)) return []
  const messages: Message[] = []
  let run: Json[] = []
  let open: Speaker | undefined
  const settle = (): void => {
    if (run.length > 0) messages.push(...decodeTurn(run, open, options))
    run = []
  }
  for (const item of wire as readonly Json[]) {
    const found = speakerOf(item)
    const speaker = found === 'application' && open === 'model' && answersHosted(item, run) ? 'model' : found
    if (speaker !== open) settle()
    open = speaker
    if (speaker === 'model' || speaker === 'application') run.push(item)
    else messages.push(isObject(item) ? decodeSpoken(item, options) : whole(item, 'user', options))
  }
  settle()
  return messages
}

function speakerOf(item: Json): Speaker {
  if (!isObject(item)) return 'user'
  const { type, role } = item
  const spoken = type === undefined || type === 'message'
  if (spoken && (role === 'user' || role === 'system' || role === 'developer')) return role
  if (typeof type !== 'string') return 'model'
  return type.endsWith('_output') || type === 'mcp_approval_response' ? 'application' : 'model'
}

/** Whether an item is what a tool gave that the provider ran in this run: then it is part of the answer. */
function answersHosted(item: Json, run: readonly Json[]): boolean {
  const id = isObject(item) ? item['call_id'] : undefined
  if (typeof id !== 'string') return false
  const named = run.filter((each) => isObject(each) && (each['id'] === id || each['call_id'] === id))
  return named
    .filter((each) => isObject(each) && each['type'] !== 'function_call')
    .flatMap((each) => decodeItem(each, 'request'))
    .some((part) => part.type === 'tool-call' && part.id === id && part.executedBy === 'provider')
}

function decodeTurn(
  run: readonly Json[],
  speaker: Speaker | undefined,
  options: DecodeOptions,
): readonly Message[] {
  if (speaker === 'model') {
    const content = decodeRun(run, 'request')
    return [sealOwn<AssistantMessage>({ id: freshId('msg', options), role: 'assistant', content })]
  }
  const rounds: ToolPart[][] = []
  for (const item of run) {
    const result = isObject(item) ? decodeResult(item) : undefined
    const part: ToolPart = result ?? { type: 'opaque', dialect: SLOT, value: item }
    // What we cannot take apart stands by itself: results may go elsewhere.
    if (rounds.at(-1)?.[0]?.type === part.type) rounds.at(-1)?.push(part)
    else rounds.push([part])
  }
  return rounds.map((content) => sealOwn<Message>({ id: freshId('msg', options), role: 'tool', content }))
}

/** What we cannot take apart. */
function whole(wire: Json, role: 'user' | 'system' | 'developer', options: DecodeOptions): Message {
  return sealOwn({ id: freshId('msg', options), role, content: wholeContent(SLOT, wire) } as Message)
}

function decodeSpoken(wire: Wire, options: DecodeOptions): Message {
  const { content } = wire
  const role = wire['role'] as 'user' | 'system' | 'developer'
  if (typeof content !== 'string' && !isList(content)) return whole(wire, role, options)
  const list = typeof content === 'string' ? textList(content) : content
  const parts = list.map((part) => decodePart(part, role === 'user' ? 'user' : 'system'))
  const hints = {
    ...(typeof content === 'string' && { contentForm: 'string' }),
    ...(parts.length === 0 && { emptyContent: true }),
  }
  const message = { id: freshId('msg', options), role, content: parts } as Message
  return keep(message, SLOT, SLOT, hints, wire, (each) => encodeSpoken(each, undefined, silent))
}

function textList(text: string): readonly Json[] {
  return text === '' ? [] : [{ type: 'input_text', text }]
}

/** The text of a first message that came as instructions, while it is one text. */
export function instructionsOf({ message, at }: Placed, encoding: Encoding): string | undefined {
  if (message.role !== 'system' || hintsFor(message, SLOT)['instructionsField'] !== true) return undefined
  const [only, ...others] = message.content
  if (only?.type !== 'text' || only.text === '' || others.length > 0) return undefined
  const text = plainText(encodeParts(message.content, undefined, silent))
  if (text === undefined) return undefined
  encodeParts(message.content, below(at, 'content'), encoding) // reports what is left out
  if (message.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  return text
}

/** Writes one of our messages: as none where it says nothing, as several items where it says several things. */
export function encodeMessage(
  message: Message,
  at: Path | undefined,
  encoding: Encoding,
): readonly JsonObject[] {
  return writeMessage(message, new Map(), at, encoding)
}

/** The items of a message; calls leave their kind for the results that follow. */
export function writeMessage(
  message: Message,
  kinds: Map<string, string>,
  at: Path | undefined,
  encoding: Encoding,
): readonly JsonObject[] {
  const unread = wholeMessage(message, SLOT)
  if (unread !== undefined) return [unread]
  if (message.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  const items = writeItems(message, kinds, at, encoding)
  if (items.length === 0) encoding.lose('empty-message', at)
  return items
}

function writeItems(
  message: Message,
  kinds: Map<string, string>,
  at: Path | undefined,
  encoding: Encoding,
): readonly JsonObject[] {
  const place = below(at, 'content')
  if (message.role === 'tool') return encodeRound(message.content, kinds, place, encoding)
  if (message.role !== 'assistant') {
    const made = encodeSpoken(message, at, encoding)
    return made === undefined ? [] : [made]
  }
  for (const part of message.content) {
    if (part.type !== 'tool-call') continue
    kinds.set(part.id, hostedKind(part) ?? (isCustom(part) ? 'custom_tool_call' : 'function_call'))
  }
  return encodeRun(message.content, place, { side: 'request', encoding })
}

function encodeRound(
  parts: readonly ToolPart[],
  kinds: ReadonlyMap<string, string>,
  at: Path,
  encoding: Encoding,
): readonly JsonObject[] {
  const items: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const here = below(at, index)
    if (part.type === 'tool-result') items.push(encodeResult(part, kinds.get(part.callId), here, encoding))
    else if (part.dialect === SLOT) items.push(part.value as JsonObject)
    else encoding.lose('foreign-opaque', here)
  }
  return items
}

function encodeSpoken(message: Message, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  const hints = hintsFor(message, SLOT)
  const parts = encodeParts(message.content, below(at, 'content'), encoding)
  if (parts.length === 0 && hints['emptyContent'] !== true) return undefined
  const text = hints['contentForm'] === 'string' ? (parts.length === 0 ? '' : plainText(parts)) : undefined
  return applyResidue({ type: 'message', role: message.role, content: text ?? parts }, message, SLOT)
}
