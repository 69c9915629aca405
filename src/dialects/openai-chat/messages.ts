import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message, ToolMessage } from '../../canonical/model/message.ts'
import type { OpaquePart, Part, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, createNoReport } from '../engine/encode-context.ts'
import { createCallIdGenerator } from '../shared/call-ids.ts'
import { createOpaqueContent, getOpaqueMessage } from '../shared/opaque-message.ts'
import { getBlockText } from '../shared/read-wire.ts'
import { applyResidue, getHints, hintsIn, attachResidue } from '../engine/residue-slots.ts'
import { decodeAssistantMessage, encodeAssistantMessage } from './assistant-message.ts'
import { isLegacyCall } from './tool-calls.ts'
import { DIALECT_SLOT } from './constants.ts'
import { getFlavor } from './flavors.ts'
import { getRequiredReasoningField, omitRefusedFields } from './fit-host.ts'
import { decodeParts, encodeParts, joinText, isTextOnly, type ContentRole } from './parts.ts'
import { decodeToolResult, encodeToolResult } from './tool-results.ts'
import type { OpenAIChatHint } from './hints.ts'

type CreateCallId = (name: string, text: string) => string

/** Reads the conversation; undefined when it is no list. */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly Message[] | undefined {
  if (!Array.isArray(wire)) return undefined
  const ids = createCallIdGenerator()
  const callId: CreateCallId = (name, text) => ids.next(name, text)
  const messages: Message[] = []
  let round: ToolResultPart[] = []
  const settle = (): void => {
    if (round.length > 0)
      messages.push(freezeOwned<Message>({ id: generateId('msg', options), role: 'tool', content: round }))
    round = []
  }
  for (const each of wire as readonly Json[]) {
    const result = isObject(each)
      ? decodeToolResult(each, (name) => findOpenCall(messages, round, name))
      : undefined
    if (result !== undefined) round.push(result)
    else {
      settle()
      messages.push(
        isObject(each) ? decodeMessage(each, callId, options) : createOpaqueMessage(each, options),
      )
    }
  }
  settle()
  return messages
}

/** The call that a function's answer is for: the last one of that name that has no answer yet. */
function findOpenCall(
  messages: readonly Message[],
  round: readonly ToolResultPart[],
  name: string,
): string | undefined {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return undefined
  const call = last.content.find(
    (part) =>
      part.type === 'tool-call' &&
      isLegacyCall(part) &&
      part.name === name &&
      !round.some(({ callId }) => callId === part.id),
  )
  return call?.type === 'tool-call' ? call.id : undefined
}

/** Other roles and odd tool messages are kept whole. */
function createOpaqueMessage(wire: Json, options: DecodeOptions): Message {
  const role = isObject(wire) && (wire['role'] === 'tool' || wire['role'] === 'function') ? 'tool' : 'user'
  return freezeOwned({
    id: generateId('msg', options),
    role,
    content: createOpaqueContent(DIALECT_SLOT, wire),
  } as Message)
}

function decodeMessage(wire: JsonObject, callId: CreateCallId, options: DecodeOptions): Message {
  const { role, name } = wire
  const said =
    role === 'assistant'
      ? decodeAssistantMessage(wire, DIALECT_SLOT, callId)
      : role === 'user' || role === 'system' || role === 'developer'
        ? decodeContent(wire, role === 'user' ? 'user' : 'system')
        : undefined
  if (said === undefined) return createOpaqueMessage(wire, options)
  const thought = role === 'assistant' ? getRequiredReasoningField(getFlavor(options)) : undefined
  const isEmpty = thought !== undefined && wire[thought] === ''
  const { content } = said
  const hints = isEmpty ? { ...said.hints, emptyReasoningField: true } : said.hints
  const named = typeof name === 'string' && { name }
  const message = { id: generateId('msg', options), role, content, ...named } as Message
  return attachResidue(message, DIALECT_SLOT, DIALECT_SLOT, hints, wire, (each) =>
    encodeSingle(each, undefined, createNoReport(options)),
  )
}

function decodeContent(
  { content }: JsonObject,
  speaker: ContentRole,
): { readonly content: readonly Part[]; readonly hints: Hints<OpenAIChatHint> } {
  const parts = readContent(content, speaker)
  const hints = hintsIn(DIALECT_SLOT, {
    ...(Array.isArray(content) && { contentForm: 'parts' }),
    ...(parts.length === 0 && { emptyContent: true }),
  })
  return { content: parts, hints }
}

function readContent(content: Json | undefined, speaker: ContentRole): readonly Part[] {
  if (typeof content !== 'string') return Array.isArray(content) ? decodeParts(content, speaker) : []
  return content === '' ? [] : [freezeOwned<Part>({ type: 'text', text: content })]
}

/** Writes one of our messages: as none where it says nothing, as several where it holds several results. */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const unread = getOpaqueMessage(message, DIALECT_SLOT)
  if (unread !== undefined) return [unread]
  if (message.role === 'tool') return encodeResults(message, path, context)
  const made = encodeSingle(message, path, context)
  if (made === undefined) context.report('empty-message', path)
  return made === undefined ? [] : [made]
}

function encodeResults(
  message: ToolMessage,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  const place = child(path, 'content')
  return message.content.flatMap((part, index) => {
    const here = child(place, index)
    if (part.type === 'tool-result') return [encodeToolResult(part, here, context)]
    part satisfies OpaquePart
    context.report('foreign-opaque', here)
    return []
  })
}

function encodeSingle(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const { name } = message
  const flavor = getFlavor(context.options)
  const made = writeSingle(message, path, context, getHints(message, DIALECT_SLOT))
  if (made === undefined) return undefined
  const thought = message.role === 'assistant' ? getRequiredReasoningField(flavor) : undefined
  const named: JsonObject = name === undefined ? made : { ...made, name }
  const whole = thought === undefined ? named : { [thought]: '', ...named }
  const written = applyResidue(whole, message, DIALECT_SLOT)
  if (thought !== undefined && written[thought] === '' && !Object.hasOwn(made, thought)) {
    if (!isOriginallyEmpty(message, thought)) context.report('empty-thought', path)
  }
  return omitRefusedFields(written, flavor, path, context)
}

/** Whether an answer came with an empty field of thoughts. */
function isOriginallyEmpty(message: Message, field: string): boolean {
  return (
    getHints(message, DIALECT_SLOT)['emptyReasoningField'] === true ||
    message.extra?.[DIALECT_SLOT]?.[field] === ''
  )
}

/** A message without its name, before its residue; undefined where it leaves nothing to send. */
function writeSingle(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
  hints: Hints<OpenAIChatHint>,
): JsonObject | undefined {
  if (message.role === 'assistant') {
    const said = encodeAssistantMessage(message, path, context, DIALECT_SLOT)
    const silence = said['content'] === null && Object.keys(said).length === 2
    return silence && hints['emptyContent'] !== true ? undefined : said
  }
  const place = child(path, 'content')
  const listed = (message.content as readonly Part[]).map((part, index) => ({
    part,
    path: child(place, index),
  }))
  const parts = encodeParts(listed, context, message.role === 'user' ? 'user' : 'system')
  if (parts.length === 0 && hints['emptyContent'] !== true) return undefined
  const role = encodeRole(message.role, path, context)
  const text = joinText(parts, '\n', place, context)
  if (text !== undefined) return { role, content: text }
  const plain =
    parts.length === 1 && isTextOnly(parts[0]) && hints['contentForm'] !== 'parts'
      ? getBlockText(parts[0])
      : undefined
  const empty = hints['contentForm'] === 'parts' ? [] : ''
  const content = plain ?? (parts.length === 0 ? empty : parts)
  return { role, content }
}

function encodeRole(role: Message['role'], path: Path | undefined, context: EncodeContext): Message['role'] {
  if (role !== 'developer' || getFlavor(context.options).supportsDeveloperRole !== false) return role
  context.report('developer-role', child(path, 'role'))
  return 'system'
}
