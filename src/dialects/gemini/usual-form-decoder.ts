import type { Extra } from '../../canonical/model/extra.ts'
import type { Part, ToolCallPart } from '../../canonical/model/part.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { createHintExtra } from '../engine/residue-slots.ts'
import { isValidToolName } from '../shared/tool-names.ts'
import { createUsualCall, createUsualResult, createUsualText, hasExactKeys } from '../shared/usual-parts.ts'
import { PLACEHOLDER_SIGNATURE } from '../shared/google-common.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { PartDecodeContext } from './part-context.ts'

const TEXT_KEYS = ['text']
const CALL_PART_KEYS = ['functionCall']
const SIGNED_CALL_PART_KEYS = ['functionCall', 'thoughtSignature']
const CALL_KEYS = ['id', 'name', 'args']
const RESULT_PART_KEYS = ['functionResponse']
const RESULT_KEYS = ['id', 'name', 'response']
const RESPONSE_KEYS = ['result']

/** The residue of the first call of a message: a hint of its signature. */
const UNSIGNED_EXTRA = freezeCopy(createHintExtra(DIALECT_SLOT, { missingSignature: true }))
const PLACEHOLDER_EXTRA = freezeCopy(createHintExtra(DIALECT_SLOT, { placeholderSignature: true }))

/** Decodes a part of a request in the usual form, which has no residue but a hint of its signature; undefined for any other. */
export function decodeUsualPart(wire: Json, partContext: PartDecodeContext): Part | undefined {
  const { location, callIds } = partContext
  if (!isObject(wire) || location === 'response' || callIds.flavor !== undefined) return undefined
  const { text, functionCall, functionResponse } = wire
  if (typeof text === 'string') return hasExactKeys(wire, TEXT_KEYS) ? createUsualText(text) : undefined
  if (location === 'assistant' && isObject(functionCall))
    return decodeUsualCall(wire, functionCall, partContext)
  if ((location === 'user' || location === 'tool') && isObject(functionResponse))
    return hasExactKeys(wire, RESULT_PART_KEYS) ? decodeUsualResult(functionResponse, partContext) : undefined
  return undefined
}

function decodeUsualCall(
  wire: JsonObject,
  body: JsonObject,
  { callIds, isFirstCall }: PartDecodeContext,
): ToolCallPart | undefined {
  const { id, name, args } = body
  if (typeof id !== 'string' || id === '' || typeof name !== 'string' || !isObject(args)) return undefined
  if (!hasExactKeys(body, CALL_KEYS) || !isValidToolName(name, toolNameRule)) return undefined
  const extra = isFirstCall === true ? readSignatureExtra(wire) : undefined
  if (extra === undefined && (isFirstCall === true || !hasExactKeys(wire, CALL_PART_KEYS))) return undefined
  const call = createUsualCall(id, name, args, extra)
  if (call !== undefined) callIds.resolveCall(id, name, () => '')
  return call
}

/** Returns the residue of a first call without a signature of its own; undefined for one with a signature. */
function readSignatureExtra(wire: JsonObject): Extra | undefined {
  if (hasExactKeys(wire, CALL_PART_KEYS)) return UNSIGNED_EXTRA
  const hasPlaceholder = wire['thoughtSignature'] === PLACEHOLDER_SIGNATURE
  return hasPlaceholder && hasExactKeys(wire, SIGNED_CALL_PART_KEYS) ? PLACEHOLDER_EXTRA : undefined
}

function decodeUsualResult(body: JsonObject, { callIds }: PartDecodeContext): Part | undefined {
  const { id, name, response } = body
  if (typeof id !== 'string' || id === '' || typeof name !== 'string' || !isObject(response)) return undefined
  const isUsual = hasExactKeys(body, RESULT_KEYS) && hasExactKeys(response, RESPONSE_KEYS)
  if (!isUsual || !isValidToolName(name, toolNameRule) || callIds.isGenerated(id)) return undefined
  const result = createUsualResult(id, response['result'], { name })
  if (result !== undefined) callIds.resolveResult(id, name, () => '')
  return result
}
