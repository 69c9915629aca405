import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { type CallIdGenerator, createCallIdHint, encodeCallId } from '../shared/call-ids.ts'
import { restoreNulls } from '../shared/strict-nulls.ts'
import { decodeArguments } from '../shared/tool-arguments.ts'
import { createToolNameHint, encodeToolName, readToolName } from '../shared/tool-names.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { callIdRule, DIALECT_SLOT, RESPONSE_SLOT, toolNameRule } from './constants.ts'
import type { MistralSlot } from './hints.ts'

/** Decodes the calls of a message; none if one of them is malformed. */
export function decodeToolCalls(
  wire: Json | undefined,
  slot: MistralSlot,
  ids: CallIdGenerator,
): readonly ToolCallPart[] {
  if (!Array.isArray(wire)) return []
  const calls = wire.map((call: Json, index) => decodeToolCall(call, index, slot, ids))
  return calls.every((call) => call !== undefined) ? calls : []
}

function decodeToolCall(
  wire: Json,
  index: number,
  slot: MistralSlot,
  ids: CallIdGenerator,
): ToolCallPart | undefined {
  const body = isObject(wire) ? wire['function'] : undefined
  const name = readToolName(body)
  if (!isObject(wire) || !isObject(body) || name === undefined) return undefined
  const callArguments = decodeArguments(body['arguments'])
  if (callArguments === undefined) return undefined
  const { id: wireId } = wire
  const id =
    typeof wireId === 'string' && wireId !== '' ? wireId : ids.next(name, stringifyArguments(callArguments))
  const call: ToolCallPart = { type: 'tool-call', id, name, ...callArguments }
  const hints = {
    ...(wire['index'] === index && { hasIndex: true }),
    ...(isObject(body['arguments']) && { argumentsAsObject: true }),
    ...createCallIdHint(id, callIdRule),
    ...createToolNameHint(name, toolNameRule),
  }
  const encode = (part: ToolCallPart): JsonObject => encodeToolCall(part, index, undefined, noReport, slot)
  return attachResidue(call, slot, hints, wire, encode, { hintSlot: DIALECT_SLOT })
}

/** Encodes a call of an application's tool; `index` is its position among the calls of the message. */
export function encodeToolCall(
  call: ToolCallPart,
  index: number,
  path: Path | undefined,
  context: EncodeContext,
  slot: MistralSlot,
): JsonObject {
  reportUnsupportedFields(call, path, context)
  const hints = getHints(call, DIALECT_SLOT)
  const name = encodeToolName(call.name, hints, toolNameRule, child(path, 'name'), context)
  // A response may contain any id; only the ids of requests have a rule.
  const id =
    slot === RESPONSE_SLOT ? call.id : encodeCallId(call.id, hints, callIdRule, child(path, 'id'), context)
  const restored = restoreNulls(call, DIALECT_SLOT)
  const isObjectForm = hints['argumentsAsObject'] === true && restored.arguments !== undefined
  const wireArguments = isObjectForm ? (restored.arguments ?? {}) : stringifyArguments(restored)
  const made = {
    id,
    type: 'function',
    function: { name, arguments: wireArguments },
    ...(hints['hasIndex'] === true && { index }),
  }
  return applyResidue(made, call, slot)
}
