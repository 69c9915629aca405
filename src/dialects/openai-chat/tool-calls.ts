import { stringifyArguments, parseArguments } from '../../canonical/build/call-arguments.ts'
import type { Part, ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { decodeArguments, decodeTextInput } from '../shared/tool-arguments.ts'
import { type CallIdGenerator, createCallIdHint, encodeCallId } from '../shared/call-ids.ts'
import { createToolNameHint, encodeToolName, readToolName } from '../shared/tool-names.ts'
import { restoreNulls } from '../shared/strict-nulls.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { hasHostAcceptedCallId } from './host-acceptance.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { getFlavor } from './flavors.ts'
import type { OpenAIChatHints, OpenAIChatSlot } from './hints.ts'

/** Decodes an entry of `tool_calls`; returns undefined if it is malformed. */
export function decodeToolCall(
  wire: Json,
  index: number,
  slot: OpenAIChatSlot,
  ids: CallIdGenerator,
): ToolCallPart | undefined {
  if (!isObject(wire)) return undefined
  const { id: wireId, type, function: functionBody, custom } = wire
  const body = type === 'custom' ? custom : functionBody
  const name = readToolName(body)
  if (!isObject(body) || name === undefined) return undefined
  const callArguments =
    type === 'custom' ? decodeTextInput(body['input']) : decodeArguments(body['arguments'])
  if (callArguments === undefined) return undefined
  const id =
    typeof wireId === 'string' && wireId !== '' ? wireId : ids.next(name, stringifyArguments(callArguments))
  const hints = {
    ...(type === 'custom' && { wireType: 'custom' }),
    ...(wire['index'] === index && { hasIndex: true }),
    ...createCallIdHint(id, callIdRule),
    ...createToolNameHint(name, toolNameRule),
  }
  const call: ToolCallPart = { type: 'tool-call', id, name, ...callArguments }
  const encode = (part: ToolCallPart): JsonObject => encodeToolCall(part, index, undefined, noReport, slot)
  return attachResidue(call, slot, hints, wire, encode, { hintSlot: DIALECT_SLOT })
}

/** Encodes a call of an application's tool. */
export function encodeToolCall(
  call: ToolCallPart,
  index: number,
  path: Path | undefined,
  context: EncodeContext,
  slot: OpenAIChatSlot,
): JsonObject {
  reportUnsupportedFields(call, path, context)
  const hints = getHints(call, DIALECT_SLOT)
  const position = hints['hasIndex'] === true ? { index } : {}
  const isRequest = slot === DIALECT_SLOT
  const isCustom = hints['wireType'] === 'custom'
  const isRefused = isCustom && isRequest && getFlavor(context.options).supportsCustomTools === false
  if (isRefused) context.report('custom-as-function', path)
  const input = isCustom && !isRefused ? getTextInput(call) : undefined
  const name = encodeToolName(call.name, hints, toolNameRule, child(path, 'name'), context)
  // A response may contain any id; only the ids of requests have a limit.
  const id = isRequest ? encodeFlavorCallId(call.id, hints, child(path, 'id'), context) : call.id
  if (input !== undefined)
    return applyResidue({ id, type: 'custom', custom: { name, input }, ...position }, call, slot)
  const text = stringifyArguments(restoreNulls(call, DIALECT_SLOT))
  const made = { id, type: 'function', function: { name, arguments: text }, ...position }
  return applyResidue(made, call, slot)
}

/** Encodes a call id for the host; its own rule applies even to ids that only another host accepted. */
export function encodeFlavorCallId(
  id: string,
  hints: OpenAIChatHints,
  path: Path,
  context: EncodeContext,
  encode: typeof encodeCallId = encodeCallId,
): string {
  const { callIdRule: flavorRule } = getFlavor(context.options)
  if (flavorRule === undefined) return encode(id, hints, callIdRule, path, context)
  if (hasHostAcceptedCallId(hints, context)) return id
  return encode(id, { ...hints, acceptedId: false }, flavorRule, path, context)
}

/** Returns the text input of a call to a custom tool; undefined if the call has other arguments. */
function getTextInput({ arguments: callArguments }: ToolCallPart): string | undefined {
  const { input, ...others } = callArguments ?? {}
  return typeof input === 'string' && Object.keys(others).length === 0 ? input : undefined
}

/** Decodes a legacy `function_call`: one per message, without an id. */
export function decodeLegacyCall(wire: Json | undefined, ids: CallIdGenerator): ToolCallPart | undefined {
  const name = readToolName(wire)
  const text = isObject(wire) ? wire['arguments'] : undefined
  if (!isObject(wire) || name === undefined || typeof text !== 'string') return undefined
  const call: ToolCallPart = { type: 'tool-call', id: ids.next(name, text), name, ...parseArguments(text) }
  const hints = { wireType: 'function_call', ...createToolNameHint(name, toolNameRule) }
  return attachResidue(call, DIALECT_SLOT, hints, wire, encodeLegacyCall)
}

/** Returns true for a call in the field `function_call`, which has no id. */
export function isLegacyCall(part: Part): boolean {
  return part.type === 'tool-call' && getHints(part, DIALECT_SLOT)['wireType'] === 'function_call'
}

/** Encodes a call as a legacy `function_call`. */
export function encodeLegacyCall(
  call: ToolCallPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  reportUnsupportedFields(call, path, context)
  const hints = getHints(call, DIALECT_SLOT)
  const name = encodeToolName(call.name, hints, toolNameRule, child(path, 'name'), context)
  return applyResidue({ name, arguments: stringifyArguments(call) }, call, DIALECT_SLOT)
}
