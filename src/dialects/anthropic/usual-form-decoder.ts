import type { Part } from '../../canonical/model/part.ts'
import { isList, isObject, type JsonObject } from '../../wire/json.ts'
import { isValidCallId } from '../shared/call-ids.ts'
import { claudePropertyKeyRule } from '../shared/claude-tools.ts'
import { hasOnlyValidKeys } from '../shared/property-keys.ts'
import { isValidToolName } from '../shared/tool-names.ts'
import { createUsualCall, createUsualResult, createUsualText, hasExactKeys } from '../shared/usual-parts.ts'
import { callIdRule, toolNameRule } from './constants.ts'
import type { BlockContainerKind } from './part-context.ts'

const TEXT_KEYS = ['type', 'text']
const CALL_KEYS = ['type', 'id', 'name', 'input']
const RESULT_KEYS = ['type', 'tool_use_id', 'content']

/** Decodes a block of a request in the usual form, which has no residue; undefined for any other. */
export function decodeUsualBlock(wire: JsonObject, location: BlockContainerKind): Part | undefined {
  if (location === 'response') return undefined
  const { type, text } = wire
  if (type === 'text') return hasExactKeys(wire, TEXT_KEYS) ? createUsualText(text) : undefined
  if (type === 'tool_use' && location === 'assistant') return decodeUsualCall(wire)
  return type === 'tool_result' && location === 'user' ? decodeUsualResult(wire) : undefined
}

function decodeUsualCall(wire: JsonObject): Part | undefined {
  const { id, name, input } = wire
  if (typeof id !== 'string' || typeof name !== 'string' || !isObject(input)) return undefined
  if (!isValidCallId(id, callIdRule) || !isValidToolName(name, toolNameRule)) return undefined
  const isUsual = hasExactKeys(wire, CALL_KEYS) && hasOnlyValidKeys(input, claudePropertyKeyRule)
  return isUsual ? createUsualCall(id, name, input) : undefined
}

function decodeUsualResult(wire: JsonObject): Part | undefined {
  const { tool_use_id: id, content } = wire
  const block = isList(content) && content.length === 1 ? content[0] : undefined
  if (typeof id !== 'string' || !isObject(block) || block['type'] !== 'text') return undefined
  const isUsual = hasExactKeys(wire, RESULT_KEYS) && hasExactKeys(block, TEXT_KEYS)
  return isUsual && isValidCallId(id, callIdRule) ? createUsualResult(id, block['text']) : undefined
}
