import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type {
  AssistantMessage,
  Message,
  Role,
  SystemMessage,
  UserMessage,
} from '../../canonical/model/message.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { type CallIdGenerator, createCallIdGenerator } from '../shared/call-ids.ts'
import { decodeGroupingToolResults, encodeToolMessage } from '../shared/message-per-tool-result.ts'
import { createOpaqueMessage, getOpaqueMessage } from '../shared/opaque-content.ts'
import { decodeAssistantMessage, encodeAssistantMessage, writeAssistantMessage } from './assistant-message.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { isDocument } from './documents.ts'
import { decodeContent, type DocumentSink, encodeParts } from './parts.ts'
import { getPlainText } from './text-blocks.ts'
import { decodeToolResult, encodeToolResult } from './tool-results.ts'
import {
  decodeUsualChatMessage,
  decodeUsualChatResult,
  type UsualChatForms,
} from '../shared/usual-chat-form-decoder.ts'
import { isValidToolName } from '../shared/tool-names.ts'
import { isVisibleText } from '../shared/usual-parts.ts'
import { decodeToolPlan } from './reasoning.ts'

/** The messages that have no residue, except for the hint of the tool plan. */
const usualChatForms: UsualChatForms = {
  roles: new Set(['system', 'user', 'assistant']),
  messageWithCallsKeys: ['role', 'tool_plan', 'tool_calls'],
  readContentBesideCalls: ({ tool_plan: plan }) =>
    isVisibleText(plan) ? [freezeOwned(decodeToolPlan(plan, []))] : undefined,
  callKeys: ['id', 'type', 'function'],
  argumentsForm: 'text',
  isValidCall: (id, name) => id !== '' && isValidToolName(name, toolNameRule),
  resultKeys: ['role', 'tool_call_id', 'content'],
  isValidResult: (id) => id !== '',
}

/** Decodes a conversation. */
export function decodeMessages(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  const ids = createCallIdGenerator()
  return decodeGroupingToolResults(
    wire,
    options,
    (item) => decodeUsualChatResult(item, usualChatForms) ?? decodeToolResult(item),
    (item) => decodeUsualChatMessage(item, usualChatForms, options, ids) ?? decodeMessage(item, options, ids),
  )
}

function decodeMessage(wire: Json, options: DecodeOptions, ids: CallIdGenerator): Message {
  const fields = isObject(wire) ? wire : {}
  const base = { id: generateId('msg', options) }
  if (fields['role'] === 'assistant') {
    const { content, hints } = decodeAssistantMessage(fields, 'request', ids)
    const decoded: AssistantMessage = { ...base, role: 'assistant', content }
    const message = withHints(decoded, DIALECT_SLOT, hints)
    const made = writeAssistantMessage(message, undefined, noReport, DIALECT_SLOT, 'request')
    return freezeOwned(withResidue(message, DIALECT_SLOT, made, wire, hints))
  }
  const { role, content } = fields
  if ((role !== 'user' && role !== 'system') || !(typeof content === 'string' || isList(content)))
    return createOpaqueMessage(DIALECT_SLOT, toRole(role), wire, options)
  const parts = decodeContent(content, role)
  const hints = {
    ...(isList(content) && content.length > 0 && { contentAsList: true }),
    ...(parts.length === 0 && { emptyContent: true }),
  }
  const message = withHints(
    { ...base, role, content: parts } as UserMessage | SystemMessage,
    DIALECT_SLOT,
    hints,
  )
  return freezeOwned(
    withResidue(message, DIALECT_SLOT, writeContentMessage(message, undefined, noReport), wire, hints),
  )
}

function toRole(role: Json | undefined): Role {
  return role === 'system' || role === 'tool' ? role : 'user'
}

/**
 * Encodes a message: as none if it is empty, as several if it contains several tool results. Without `addDocument`, files
 * with text become text of the message.
 */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
  addDocument?: DocumentSink,
): readonly JsonObject[] {
  const opaque = getOpaqueMessage(message, DIALECT_SLOT)
  if (opaque !== undefined) return [opaque]
  if (message.role === 'tool') return encodeToolMessage(message, path, context, encodeToolResult)
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  if (message.role === 'developer') context.report('developer-role', child(path, 'role'))
  const wire =
    message.role === 'assistant'
      ? encodeAssistantMessage(message, path, context, DIALECT_SLOT, 'request')
      : applyResidue(writeContentMessage(message, path, context, addDocument), message, DIALECT_SLOT)
  if (hasContent(wire) || getHints(message, DIALECT_SLOT).emptyContent === true) return [wire]
  if (!message.content.some(isDocument)) context.report('empty-message', path)
  return []
}

/** Returns true for a message that sends anything. */
function hasContent({ content, tool_calls: calls, tool_plan: plan }: JsonObject): boolean {
  return (content !== undefined && content !== '') || calls !== undefined || plan !== undefined
}

function writeContentMessage(
  message: UserMessage | SystemMessage,
  path: Path | undefined,
  context: EncodeContext,
  addDocument?: DocumentSink,
): JsonObject {
  const addUserDocument = message.role === 'user' ? addDocument : undefined
  const blocks = encodeParts(message.content, child(path, 'content'), context, addUserDocument)
  const text = blocks.length === 0 ? '' : getPlainText(blocks)
  const isString = text !== undefined && getHints(message, DIALECT_SLOT).contentAsList !== true
  return { role: message.role === 'user' ? 'user' : 'system', content: isString ? text : blocks }
}
