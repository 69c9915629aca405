import type { Message } from '../../canonical/model/message.ts'
import type { TextPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { createHintExtra } from '../engine/residue-slots.ts'
import { isValidToolName } from '../shared/tool-names.ts'
import {
  createUsualCall,
  createUsualMessage,
  createUsualResult,
  createUsualTexts,
  hasExactKeys,
} from '../shared/usual-parts.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { GeminiInteractionsHints } from './hints.ts'

const STEP_KEYS = ['type', 'content']
const CALL_KEYS = ['type', 'id', 'name', 'arguments']
const RESULT_KEYS = ['type', 'call_id', 'name', 'result']

/** Decodes the texts of a step in the usual form, which has no residue; undefined for any other. */
export function decodeUsualTexts(wire: JsonObject): readonly TextPart[] | undefined {
  return hasExactKeys(wire, STEP_KEYS) ? createUsualTexts(wire['content'], 'text') : undefined
}

/** Decodes a step of the user in the usual form, which has no residue; undefined for any other. */
export function decodeUsualUserStep(wire: Json, options: DecodeOptions): Message | undefined {
  const isUserStep = isObject(wire) && wire['type'] === 'user_input'
  const parts = isUserStep ? decodeUsualTexts(wire) : undefined
  return parts && createUsualMessage('user', parts, options)
}

/** The residue of the first call of a turn: a hint for the thought before it. */
const PLACEHOLDER_EXTRA = freezeCopy(createHintExtra(DIALECT_SLOT, { placeholderThought: true }))
const MISSING_EXTRA = freezeCopy(createHintExtra(DIALECT_SLOT, { missingThought: true }))

/** Decodes a call in the usual form, which has no residue but a hint; undefined for any other. */
export function decodeUsualCall(
  wire: JsonObject,
  { placeholderThought, missingThought }: GeminiInteractionsHints,
): ToolCallPart | undefined {
  const { id, name, arguments: callArguments } = wire
  if (typeof id !== 'string' || id === '' || typeof name !== 'string' || !isObject(callArguments))
    return undefined
  const extra = placeholderThought ? PLACEHOLDER_EXTRA : missingThought ? MISSING_EXTRA : undefined
  return hasExactKeys(wire, CALL_KEYS) && isValidToolName(name, toolNameRule)
    ? createUsualCall(id, name, callArguments, extra)
    : undefined
}

/** Decodes a result in the usual form, which has no residue; undefined for any other. */
export function decodeUsualResult(wire: JsonObject): ToolResultPart | undefined {
  const { call_id: id, name, result } = wire
  if (typeof id !== 'string' || id === '' || typeof name !== 'string') return undefined
  return hasExactKeys(wire, RESULT_KEYS) && isValidToolName(name, toolNameRule)
    ? createUsualResult(id, result, { name })
    : undefined
}
