import type { Part } from '../../canonical/model/part.ts'
import { isList, isObject, type JsonObject } from '../../wire/json.ts'
import { isValidCallId } from '../shared/call-ids.ts'
import { claudePropertyKeyRule } from '../shared/claude-tools.ts'
import { hasOnlyValidKeys } from '../shared/property-keys.ts'
import { isValidToolName } from '../shared/tool-names.ts'
import { createUsualCall, createUsualResult, createUsualText, hasExactKeys } from '../shared/usual-parts.ts'
import { getCallIdRule, toolNameRule } from './constants.ts'
import type { BlockContainerKind } from './part-context.ts'

const TEXT_KEYS = ['text']
const CALL_BLOCK_KEYS = ['toolUse']
const CALL_KEYS = ['toolUseId', 'name', 'input']
const RESULT_BLOCK_KEYS = ['toolResult']
const RESULT_KEYS = ['toolUseId', 'content']

/** Decodes a block of a request in the usual form, which has no residue; undefined for any other. */
export function decodeUsualBlock(wire: JsonObject, location: BlockContainerKind): Part | undefined {
  const { text, toolUse, toolResult } = wire
  if (typeof text === 'string')
    return location !== 'response' && hasExactKeys(wire, TEXT_KEYS) ? createUsualText(text) : undefined
  if (location === 'assistant' && isObject(toolUse))
    return hasExactKeys(wire, CALL_BLOCK_KEYS) ? decodeUsualCall(toolUse) : undefined
  if (location === 'user' && isObject(toolResult))
    return hasExactKeys(wire, RESULT_BLOCK_KEYS) ? decodeUsualResult(toolResult) : undefined
  return undefined
}

function decodeUsualCall(wire: JsonObject): Part | undefined {
  const { toolUseId: id, name, input } = wire
  if (typeof id !== 'string' || typeof name !== 'string' || !isObject(input)) return undefined
  if (!isValidCallId(id, getCallIdRule({})) || !isValidToolName(name, toolNameRule)) return undefined
  const isUsual = hasExactKeys(wire, CALL_KEYS) && hasOnlyValidKeys(input, claudePropertyKeyRule)
  return isUsual ? createUsualCall(id, name, input) : undefined
}

function decodeUsualResult(wire: JsonObject): Part | undefined {
  const { toolUseId: id, content } = wire
  const block = isList(content) && content.length === 1 ? content[0] : undefined
  if (typeof id !== 'string' || !isObject(block)) return undefined
  const isUsual = hasExactKeys(wire, RESULT_KEYS) && hasExactKeys(block, TEXT_KEYS)
  return isUsual && isValidCallId(id, getCallIdRule({})) ? createUsualResult(id, block['text']) : undefined
}
