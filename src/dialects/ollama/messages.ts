import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createCallIdGenerator, type CallIdGenerator } from '../shared/call-ids.ts'
import { decodeGroupingToolResults, encodeToolMessage } from '../shared/message-per-tool-result.ts'
import { createOpaqueMessage, getOpaqueMessage } from '../shared/opaque-content.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { CallRegister } from './tool-calls.ts'
import { DIALECT_SLOT } from './constants.ts'
import { decodeMedia } from './media.ts'
import { decodeAssistantMessage, decodeText, encodeMessageFields } from './parts.ts'
import { decodeToolResult, encodeToolResult } from './tool-results.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import {
  decodeUsualChatMessage,
  decodeUsualChatResult,
  readTextBesideCalls,
  type UsualChatForms,
} from '../shared/usual-chat-form-decoder.ts'

/** The messages that have no residue. */
const usualChatForms: UsualChatForms = {
  roles: new Set(['system', 'user', 'assistant']),
  messageWithCallsKeys: ['role', 'content', 'tool_calls'],
  readContentBesideCalls: ({ content }) => readTextBesideCalls(content, ''),
  callKeys: ['id', 'function'],
  argumentsForm: 'object',
  isValidCall: (id) => id !== '',
  resultKeys: ['role', 'content', 'tool_name', 'tool_call_id'],
  resultNameKey: 'tool_name',
  isValidResult: (id) => id !== '',
}

export function decodeMessages(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  const ids = createCallIdGenerator()
  const calls = new CallRegister()
  return decodeGroupingToolResults(
    wire,
    options,
    (each) => {
      const usual = decodeUsualChatResult(each, usualChatForms)
      if (usual === undefined) return getRole(each) === 'tool' ? decodeToolResult(each, calls) : undefined
      calls.closeCall(usual.callId)
      return usual
    },
    (each) => {
      const message =
        decodeUsualChatMessage(each, usualChatForms, options, ids) ?? decodeMessage(each, ids, options)
      recordCalls(message, calls)
      return message
    },
  )
}

/** Returns the role in lower case; the server ignores its case. */
function getRole({ role }: JsonObject): string | undefined {
  return typeof role === 'string' ? role.toLowerCase() : undefined
}

export function recordCalls({ role, content }: Message, calls: CallRegister): void {
  if (role !== 'assistant') return
  for (const part of content) {
    if (isApplicationCall(part)) calls.addCall(part)
  }
}

function decodeMessage(wire: Json, ids: CallIdGenerator, options: DecodeOptions): Message {
  const role = isObject(wire) ? getRole(wire) : undefined
  if (!isObject(wire) || (role !== 'system' && role !== 'user' && role !== 'assistant'))
    return createOpaqueMessage(DIALECT_SLOT, role === 'tool' ? 'tool' : 'user', wire, options)
  const content: readonly Part[] =
    role === 'assistant'
      ? decodeAssistantMessage(wire, DIALECT_SLOT, ids)
      : [...(role === 'user' ? decodeMedia(wire['images']) : []), ...decodeText(wire)]
  const message = { id: generateId('msg', options), role, content } as Message
  const hints = content.length === 0 ? { emptyContent: true } : {}
  return attachResidue(message, DIALECT_SLOT, hints, wire, encodeSingle)
}

/** Encodes a message: as none if it is empty, as several if it contains several tool results. */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
  calls: CallRegister = new CallRegister(),
): readonly JsonObject[] {
  const opaqueWire = getOpaqueMessage(message, DIALECT_SLOT)
  if (opaqueWire !== undefined) return [opaqueWire]
  if (message.role === 'tool')
    return encodeToolMessage(message, path, context, (part, partPath) =>
      encodeToolResult(part, calls, partPath, context),
    )
  const made = encodeSingle(message, path, context)
  if (made !== undefined) return [made]
  context.report('empty-message', path)
  return []
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
