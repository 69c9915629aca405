import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message, ToolMessage } from '../../canonical/model/message.ts'
import type { OpaquePart, Part, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { createCallIdGenerator, type CallIdGenerator } from '../shared/call-ids.ts'
import { createOpaqueContent, getOpaqueMessage } from '../shared/opaque-message.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { OpenCalls } from './tool-calls.ts'
import { DIALECT_SLOT } from './constants.ts'
import { decodeMedia } from './media.ts'
import { decodeAssistantMessage, decodeText, encodeMessageFields } from './parts.ts'
import { decodeToolResult, encodeToolResult } from './tool-results.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'

/**
 * Decodes the conversation; returns undefined if it is not a list. Consecutive tool results form one tool
 * message.
 */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly Message[] | undefined {
  if (!Array.isArray(wire)) return undefined
  const ids = createCallIdGenerator()
  const calls = new OpenCalls()
  const messages: Message[] = []
  let results: ToolResultPart[] = []
  const closeToolMessage = (): void => {
    if (results.length > 0)
      messages.push(freezeOwned<Message>({ id: generateId('msg', options), role: 'tool', content: results }))
    results = []
  }
  for (const each of wire as readonly Json[]) {
    const result = isObject(each) && getRole(each) === 'tool' ? decodeToolResult(each, calls) : undefined
    if (result !== undefined) results.push(result)
    else {
      closeToolMessage()
      const message = isObject(each) ? decodeMessage(each, ids, options) : createOpaqueMessage(each, options)
      noteCalls(message, calls)
      messages.push(message)
    }
  }
  closeToolMessage()
  return messages
}

/** Returns the role in lower case; the server ignores its case. */
function getRole({ role }: JsonObject): string | undefined {
  return typeof role === 'string' ? role.toLowerCase() : undefined
}

export function noteCalls({ role, content }: Message, calls: OpenCalls): void {
  if (role !== 'assistant') return
  for (const part of content) {
    if (isApplicationCall(part)) calls.addCall(part)
  }
}

/** Wraps a wire message in an opaque message, for an unknown role or a tool result without a tool call. */
function createOpaqueMessage(wire: Json, options: DecodeOptions): Message {
  const role = isObject(wire) && getRole(wire) === 'tool' ? 'tool' : 'user'
  return freezeOwned({
    id: generateId('msg', options),
    role,
    content: createOpaqueContent(DIALECT_SLOT, wire),
  } as Message)
}

function decodeMessage(wire: JsonObject, ids: CallIdGenerator, options: DecodeOptions): Message {
  const role = getRole(wire)
  if (role !== 'system' && role !== 'user' && role !== 'assistant') return createOpaqueMessage(wire, options)
  const content: readonly Part[] =
    role === 'assistant'
      ? decodeAssistantMessage(wire, DIALECT_SLOT, ids)
      : [...(role === 'user' ? decodeMedia(wire['images']) : []), ...decodeText(wire)]
  const message = { id: generateId('msg', options), role, content } as Message
  const hints = content.length === 0 ? { emptyContent: true } : {}
  return attachResidue(message, DIALECT_SLOT, DIALECT_SLOT, hints, wire, (each) =>
    encodeSingle(each, undefined, noReport),
  )
}

/**
 * Encodes a canonical message: as no wire message if it is empty, as several if it has several tool results.
 */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
  calls: OpenCalls = new OpenCalls(),
): readonly JsonObject[] {
  const opaqueWire = getOpaqueMessage(message, DIALECT_SLOT)
  if (opaqueWire !== undefined) return [opaqueWire]
  if (message.role === 'tool') return encodeResults(message, calls, path, context)
  const made = encodeSingle(message, path, context)
  if (made === undefined) context.report('empty-message', path)
  return made === undefined ? [] : [made]
}

function encodeResults(
  message: ToolMessage,
  calls: OpenCalls,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  return message.content.flatMap((part, index) => {
    const partPath = child(child(path, 'content'), index)
    if (part.type === 'tool-result') return [encodeToolResult(part, calls, partPath, context)]
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
  const { role, name, content } = message
  if (name !== undefined) context.report('message-name', child(path, 'name'))
  if (role === 'developer') context.report('developer-role', child(path, 'role'))
  const fields = encodeMessageFields(content, role, child(path, 'content'), context, DIALECT_SLOT)
  const isEmpty = fields['content'] === '' && Object.keys(fields).length === 1
  if (isEmpty && getHints(message, DIALECT_SLOT)['emptyContent'] !== true) return undefined
  return applyResidue({ role: role === 'developer' ? 'system' : role, ...fields }, message, DIALECT_SLOT)
}
