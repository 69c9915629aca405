import { stringifyArguments, parseArguments } from '../../canonical/build/call-arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { decodeArguments, decodeTextInput } from '../shared/tool-arguments.ts'
import { createCallIdHint, encodeCallId } from '../shared/call-ids.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { restoreOriginalText } from '../shared/strict-nulls.ts'
import { applyResidue, getHints, attachResidue, type Slot } from '../engine/residue-slots.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { getFlavor } from './flavors.ts'
import type { OpenAIChatHint } from './hints.ts'

type CreateCallId = (name: string, argumentsText: string) => string

/** Decodes an entry of `tool_calls`; returns undefined if it is malformed. */
export function decodeToolCall(
  wire: Json,
  index: number,
  slot: Slot<OpenAIChatHint>,
  callId: CreateCallId,
): ToolCallPart | undefined {
  if (!isObject(wire)) return undefined
  const { id: wireId, type, function: functionBody, custom } = wire
  const body = type === 'custom' ? custom : functionBody
  if (!isObject(body) || typeof body['name'] !== 'string' || body['name'] === '') return undefined
  const callArguments =
    type === 'custom' ? decodeTextInput(body['input']) : decodeArguments(body['arguments'])
  if (callArguments === undefined) return undefined
  const id =
    typeof wireId === 'string' && wireId !== ''
      ? wireId
      : callId(body['name'], stringifyArguments(callArguments))
  const hints = {
    ...(type === 'custom' && { wireType: 'custom' }),
    ...(wire['index'] === index && { hasIndex: true }),
    ...createCallIdHint(id, callIdRule),
    ...createToolNameHint(body['name'], toolNameRule),
  }
  const call: ToolCallPart = { type: 'tool-call', id, name: body['name'], ...callArguments }
  return attachResidue(call, DIALECT_SLOT, slot, hints, wire, (part) =>
    encodeToolCall(part, index, undefined, noReport, slot),
  )
}

/** Encodes a call of an application's tool. */
export function encodeToolCall(
  call: ToolCallPart,
  index: number,
  path: Path | undefined,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): JsonObject {
  reportUnsupportedFields(call, path, context)
  const hints = getHints(call, DIALECT_SLOT)
  const position = hints['hasIndex'] === true ? { index } : {}
  // A response may contain any id; only the ids of requests have a limit.
  const { callIdRule: flavorIdRule, supportsCustomTools } =
    slot === DIALECT_SLOT ? getFlavor(context.options) : {}
  const input =
    hints['wireType'] === 'custom' && supportsCustomTools !== false ? getTextInput(call) : undefined
  if (hints['wireType'] === 'custom' && supportsCustomTools === false)
    context.report('custom-as-function', path)
  const name = encodeToolName(call.name, hints, toolNameRule, child(path, 'name'), context)
  const id =
    slot === DIALECT_SLOT
      ? encodeCallId(
          call.id,
          flavorIdRule ? {} : hints,
          flavorIdRule ?? callIdRule,
          child(path, 'id'),
          context,
        )
      : call.id
  const made =
    input === undefined
      ? {
          id,
          type: 'function',
          function: { name, arguments: stringifyArguments(restoreOriginalText(call, DIALECT_SLOT)) },
          ...position,
        }
      : { id, type: 'custom', custom: { name, input }, ...position }
  return applyResidue(made, call, slot)
}

/** Returns the text input of a call to a custom tool; undefined if the call has other arguments. */
function getTextInput({ arguments: callArguments }: ToolCallPart): string | undefined {
  const { input, ...others } = callArguments ?? {}
  return typeof input === 'string' && Object.keys(others).length === 0 ? input : undefined
}

/** Decodes a legacy `function_call`: one per message, without an id. */
export function decodeLegacyCall(wire: Json | undefined, callId: CreateCallId): ToolCallPart | undefined {
  if (!isObject(wire)) return undefined
  const { name, arguments: text } = wire
  if (typeof name !== 'string' || name === '' || typeof text !== 'string') return undefined
  const call: ToolCallPart = { type: 'tool-call', id: callId(name, text), name, ...parseArguments(text) }
  const hints = { wireType: 'function_call', ...createToolNameHint(name, toolNameRule) }
  return attachResidue(freezeOwned(call), DIALECT_SLOT, DIALECT_SLOT, hints, wire, (part) =>
    encodeLegacyCall(part, undefined, noReport),
  )
}

/** Returns true if a call was received as `function_call`, without an id. */
export function isLegacyCall(call: ToolCallPart): boolean {
  return getHints(call, DIALECT_SLOT)['wireType'] === 'function_call'
}

/** Encodes a call as a legacy `function_call`. */
export function encodeLegacyCall(
  call: ToolCallPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  reportUnsupportedFields(call, path, context)
  const name = encodeToolName(
    call.name,
    getHints(call, DIALECT_SLOT),
    toolNameRule,
    child(path, 'name'),
    context,
  )
  return applyResidue({ name, arguments: stringifyArguments(call) }, call, DIALECT_SLOT)
}
