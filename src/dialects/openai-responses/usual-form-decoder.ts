import type { Message, Role } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { createHintExtra } from '../engine/residue-slots.ts'
import { isValidCallId } from '../shared/call-ids.ts'
import { isValidToolName } from '../shared/tool-names.ts'
import {
  createUsualCall,
  createUsualMessage,
  createUsualResult,
  createUsualText,
  createUsualTexts,
  hasExactKeys,
} from '../shared/usual-parts.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'

const MESSAGE_KEYS = ['type', 'role', 'content']
const CALL_KEYS = ['type', 'call_id', 'name', 'arguments']
const RESULT_KEYS = ['type', 'call_id', 'output']

/** The residue of a result: a hint of the type of its item. */
const RESULT_EXTRA = freezeCopy(createHintExtra(DIALECT_SLOT, { wireType: 'function_call_output' }))

/** Decodes a message with text in the usual form, which has no residue; undefined for any other. */
export function decodeUsualMessageItem(wire: Json, role: Role, options: DecodeOptions): Message | undefined {
  if (!isObject(wire) || wire['type'] !== 'message' || !hasExactKeys(wire, MESSAGE_KEYS)) return undefined
  const parts = createUsualTexts(wire['content'], 'input_text')
  return parts && createUsualMessage(role, parts, options)
}

/** Decodes a text or a call of the model in the usual form, which has no residue; undefined for any other item. */
export function decodeUsualModelItem(wire: JsonObject): AssistantPart | undefined {
  const { type, role, content, call_id: id, name, arguments: text } = wire
  if (type === 'message')
    return role === 'assistant' && hasExactKeys(wire, MESSAGE_KEYS) ? createUsualText(content) : undefined
  if (type !== 'function_call' || typeof id !== 'string' || typeof name !== 'string' || name === '')
    return undefined
  const isUsual = typeof text === 'string' && hasExactKeys(wire, CALL_KEYS)
  return isUsual && isValidCallId(id, callIdRule) && isValidToolName(name, toolNameRule)
    ? createUsualCall(id, name, text)
    : undefined
}

/** Decodes the result of a function in the usual form, which has no residue but a hint; undefined for any other item. */
export function decodeUsualResultItem(wire: JsonObject): ToolResultPart | undefined {
  const { type, call_id: id, output } = wire
  if (type !== 'function_call_output' || typeof id !== 'string' || !hasExactKeys(wire, RESULT_KEYS))
    return undefined
  return isValidCallId(id, callIdRule) ? createUsualResult(id, output, { extra: RESULT_EXTRA }) : undefined
}
