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

/** Decodes the conversation; returns undefined if it is not a list. */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly Message[] | undefined {
  if (!Array.isArray(wire)) return undefined
  const ids = createCallIdGenerator()
  const callId: CreateCallId = (name, text) => ids.next(name, text)
  const messages: Message[] = []
  let results: ToolResultPart[] = []
  const flushResults = (): void => {
    if (results.length > 0)
      messages.push(freezeOwned<Message>({ id: generateId('msg', options), role: 'tool', content: results }))
    results = []
  }
  for (const wireMessage of wire as readonly Json[]) {
    const result = isObject(wireMessage)
      ? decodeToolResult(wireMessage, (name) => findOpenCall(messages, results, name))
      : undefined
    if (result !== undefined) results.push(result)
    else {
      flushResults()
      messages.push(
        isObject(wireMessage)
          ? decodeMessage(wireMessage, callId, options)
          : createOpaqueMessage(wireMessage, options),
      )
    }
  }
  flushResults()
  return messages
}

/**
 * Returns the id of the legacy call that a `function` message answers: the first one of that name in the
 * preceding assistant message that has no result yet.
 */
function findOpenCall(
  messages: readonly Message[],
  results: readonly ToolResultPart[],
  name: string,
): string | undefined {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return undefined
  const call = last.content.find(
    (part) =>
      part.type === 'tool-call' &&
      isLegacyCall(part) &&
      part.name === name &&
      !results.some(({ callId }) => callId === part.id),
  )
  return call?.type === 'tool-call' ? call.id : undefined
}

/** Creates an opaque message for an unknown role or a malformed tool message. */
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
  const decoded =
    role === 'assistant'
      ? decodeAssistantMessage(wire, DIALECT_SLOT, callId)
      : role === 'user' || role === 'system' || role === 'developer'
        ? decodeContent(wire, role === 'user' ? 'user' : 'system')
        : undefined
  if (decoded === undefined) return createOpaqueMessage(wire, options)
  const reasoningField = role === 'assistant' ? getRequiredReasoningField(getFlavor(options)) : undefined
  const isEmpty = reasoningField !== undefined && wire[reasoningField] === ''
  const { content } = decoded
  const hints = isEmpty ? { ...decoded.hints, emptyReasoningField: true } : decoded.hints
  const nameFields = typeof name === 'string' && { name }
  const message = { id: generateId('msg', options), role, content, ...nameFields } as Message
  return attachResidue(message, DIALECT_SLOT, DIALECT_SLOT, hints, wire, (each) =>
    encodeSingle(each, undefined, createNoReport(options)),
  )
}

function decodeContent(
  { content }: JsonObject,
  role: ContentRole,
): { readonly content: readonly Part[]; readonly hints: Hints<OpenAIChatHint> } {
  const parts = readContent(content, role)
  const hints = hintsIn(DIALECT_SLOT, {
    ...(Array.isArray(content) && { contentForm: 'parts' }),
    ...(parts.length === 0 && { emptyContent: true }),
  })
  return { content: parts, hints }
}

function readContent(content: Json | undefined, role: ContentRole): readonly Part[] {
  if (typeof content !== 'string') return Array.isArray(content) ? decodeParts(content, role) : []
  return content === '' ? [] : [freezeOwned<Part>({ type: 'text', text: content })]
}

/** Encodes a message: as none if it is empty, as several if it contains several tool results. */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const opaque = getOpaqueMessage(message, DIALECT_SLOT)
  if (opaque !== undefined) return [opaque]
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
  const contentPath = child(path, 'content')
  return message.content.flatMap((part, index) => {
    const partPath = child(contentPath, index)
    if (part.type === 'tool-result') return [encodeToolResult(part, partPath, context)]
    part satisfies OpaquePart
    context.report('foreign-opaque', partPath)
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
  const reasoningField = message.role === 'assistant' ? getRequiredReasoningField(flavor) : undefined
  const withName: JsonObject = name === undefined ? made : { ...made, name }
  const withReasoning = reasoningField === undefined ? withName : { [reasoningField]: '', ...withName }
  const written = applyResidue(withReasoning, message, DIALECT_SLOT)
  if (
    reasoningField !== undefined &&
    written[reasoningField] === '' &&
    !Object.hasOwn(made, reasoningField)
  ) {
    if (!isOriginallyEmpty(message, reasoningField)) context.report('empty-reasoning', path)
  }
  return omitRefusedFields(written, flavor, path, context)
}

/** Returns true if the reasoning field of the message was received as an empty string. */
function isOriginallyEmpty(message: Message, field: string): boolean {
  return (
    getHints(message, DIALECT_SLOT)['emptyReasoningField'] === true ||
    message.extra?.[DIALECT_SLOT]?.[field] === ''
  )
}

/** Encodes a message without its name and residue; returns undefined if nothing is left to send. */
function writeSingle(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
  hints: Hints<OpenAIChatHint>,
): JsonObject | undefined {
  if (message.role === 'assistant') {
    const encoded = encodeAssistantMessage(message, path, context, DIALECT_SLOT)
    const isEmpty = encoded['content'] === null && Object.keys(encoded).length === 2
    return isEmpty && hints['emptyContent'] !== true ? undefined : encoded
  }
  const contentPath = child(path, 'content')
  const placedParts = (message.content as readonly Part[]).map((part, index) => ({
    part,
    path: child(contentPath, index),
  }))
  const parts = encodeParts(placedParts, context, message.role === 'user' ? 'user' : 'system')
  if (parts.length === 0 && hints['emptyContent'] !== true) return undefined
  const role = encodeRole(message.role, path, context)
  const text = joinText(parts, '\n', contentPath, context)
  if (text !== undefined) return { role, content: text }
  const onlyText =
    parts.length === 1 && isTextOnly(parts[0]) && hints['contentForm'] !== 'parts'
      ? getBlockText(parts[0])
      : undefined
  const emptyContent = hints['contentForm'] === 'parts' ? [] : ''
  const content = onlyText ?? (parts.length === 0 ? emptyContent : parts)
  return { role, content }
}

function encodeRole(role: Message['role'], path: Path | undefined, context: EncodeContext): Message['role'] {
  if (role !== 'developer' || getFlavor(context.options).supportsDeveloperRole !== false) return role
  context.report('developer-role', child(path, 'role'))
  return 'system'
}
