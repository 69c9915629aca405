import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, getHints, attachResidue, addHints } from '../engine/residue-slots.ts'
import { type CallIdGenerator, createCallIdGenerator, isValidCallId } from '../shared/call-ids.ts'
import { decodeGroupingToolResults, encodeMessageOrResults } from '../shared/message-per-tool-result.ts'
import { createOpaqueMessage } from '../shared/opaque-content.ts'
import { createEmptyHint, decodeAssistantMessage, encodeAssistantMessage } from './assistant-message.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { MistralHints } from './hints.ts'
import { decodeContent, encodeParts, toWireContent } from './parts.ts'
import { decodeToolResult, encodeToolResult } from './tool-results.ts'
import {
  decodeUsualChatMessage,
  decodeUsualChatResult,
  readTextBesideCalls,
  type UsualChatForms,
} from '../shared/usual-chat-form-decoder.ts'
import { isValidToolName } from '../shared/tool-names.ts'

/** The messages that have no residue. */
const usualChatForms: UsualChatForms = {
  roles: new Set(['system', 'user', 'assistant']),
  messageWithCallsKeys: ['role', 'content', 'tool_calls'],
  readContentBesideCalls: ({ content }) => readTextBesideCalls(content, ''),
  callKeys: ['id', 'type', 'function'],
  argumentsForm: 'text',
  isValidCall: (id, name) => isValidCallId(id, callIdRule) && isValidToolName(name, toolNameRule),
  resultKeys: ['role', 'tool_call_id', 'name', 'content'],
  resultNameKey: 'name',
  isValidResult: (id, name = '') => isValidCallId(id, callIdRule) && isValidToolName(name, toolNameRule),
}

export function decodeMessages(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  const ids = createCallIdGenerator()
  const messages = decodeGroupingToolResults(
    wire,
    options,
    (each) => decodeUsualChatResult(each, usualChatForms) ?? decodeToolResult(each),
    (each) => decodeUsualChatMessage(each, usualChatForms, options) ?? decodeMessage(each, ids, options),
  )
  return messages.map((message, index) =>
    isInvalidTurn(messages, index) ? markAcceptedTurn(message) : message,
  )
}

/** Returns true for a received message whose position the encoder would change. */
function isInvalidTurn(messages: readonly Message[], index: number): boolean {
  const role = messages[index]?.role
  const before = messages[index - 1]?.role
  const isLast = index === messages.length - 1
  if (role === 'system') return before === 'assistant' || before === 'tool'
  // A marked answer must be the last message, and the last answer must be marked.
  return role === 'assistant' && (isLast !== hasPrefix(messages[index]) || index === 0)
}

/** Returns true for an assistant message that is marked as one to continue. */
function hasPrefix(message: Message | undefined): boolean {
  return message?.extra?.[DIALECT_SLOT]?.['prefix'] === true
}

function markAcceptedTurn(message: Message): Message {
  return addHints(message, DIALECT_SLOT, { acceptedTurn: true })
}

function decodeMessage(wire: Json, ids: CallIdGenerator, options: DecodeOptions): Message {
  const role = isObject(wire) ? wire['role'] : undefined
  if (!isObject(wire) || (role !== 'system' && role !== 'user' && role !== 'assistant'))
    return createOpaqueMessage(DIALECT_SLOT, role === 'tool' ? 'tool' : 'user', wire, options)
  if (role === 'assistant') {
    const { content, hints } = decodeAssistantMessage(wire, DIALECT_SLOT, ids)
    return attachMessage({ id: generateId('msg', options), role, content }, hints, wire)
  }
  const content = decodeContent(wire['content'], role)
  const message = { id: generateId('msg', options), role, content } as Message
  return attachMessage(message, createEmptyHint(wire['content'], content.length), wire)
}

function attachMessage(message: Message, hints: MistralHints, wire: JsonObject): Message {
  return attachResidue(message, DIALECT_SLOT, { ...hints }, wire, encodeSingle)
}

/** Encodes a message: as none if it is empty, as several if it contains several tool results. */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  return encodeMessageOrResults(message, path, context, DIALECT_SLOT, encodeToolResult, encodeSingle)
}

function encodeSingle(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const { role, name } = message
  if (name !== undefined) context.report('message-name', child(path, 'name'))
  if (role === 'developer') context.report('developer-role', child(path, 'role'))
  const made = writeSingle(message, path, context)
  const { content, tool_calls: calls } = made
  const isEmpty = calls === undefined && (content === '' || (Array.isArray(content) && content.length === 0))
  const canBeEmpty = getHints(message, DIALECT_SLOT)['emptyContent'] !== undefined
  return isEmpty && !canBeEmpty ? undefined : applyResidue(made, message, DIALECT_SLOT)
}

function writeSingle(message: Message, path: Path | undefined, context: EncodeContext): JsonObject {
  if (message.role === 'assistant') return encodeAssistantMessage(message, path, context, DIALECT_SLOT)
  const role = message.role === 'user' ? 'user' : 'system'
  const contentPath = child(path, 'content')
  const parts = (message.content as readonly Part[]).map((part, index) => ({
    part,
    path: child(contentPath, index),
  }))
  const chunks = encodeParts(parts, context, role)
  return { role, content: toWireContent(chunks, parts, getHints(message, DIALECT_SLOT)) }
}
