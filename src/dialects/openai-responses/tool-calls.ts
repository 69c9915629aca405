import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isEmptyObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { decodeArguments, decodeTextInput } from '../shared/tool-arguments.ts'
import { createCallIdHint, encodeCallId } from '../shared/call-ids.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { restoreReceivedNulls } from '../shared/strict-nulls.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { OpenAIResponsesHints } from './hints.ts'

/** Decodes a call of an application's tool, with arguments or free text. */
export function decodeToolCall(
  wire: JsonObject,
  neighborHints: OpenAIResponsesHints,
): ToolCallPart | undefined {
  const { type, call_id: id, name, arguments: text, input } = wire
  if (typeof id !== 'string' || id === '' || typeof name !== 'string' || name === '') return undefined
  const isCustom = type === 'custom_tool_call'
  const fields = isCustom ? decodeTextInput(input) : decodeArguments(text)
  if (fields === undefined) return undefined
  const hints = {
    ...neighborHints,
    ...(isCustom && { wireType: type }),
    ...createCallIdHint(id, callIdRule),
    ...createToolNameHint(name, toolNameRule),
  }
  const call: ToolCallPart = { type: 'tool-call', id, name, ...fields }
  return attachResidue(call, DIALECT_SLOT, hints, wire, encodeToolCall)
}

/** Encodes a call of an application's tool. */
export function encodeToolCall(
  call: ToolCallPart,
  path: Path | undefined,
  context: EncodeContext,
  bodyKind: 'request' | 'response' = 'request',
): JsonObject {
  reportUnsupportedFields(call, path, context)
  const hints = getHints(call, DIALECT_SLOT)
  const name = encodeToolName(call.name, hints, toolNameRule, child(path, 'name'), context)
  // A response may contain any id; only the ids of requests have a limit.
  const id =
    bodyKind === 'request' ? encodeCallId(call.id, hints, callIdRule, child(path, 'id'), context) : call.id
  const type = getCallItemType(call)
  const input =
    type === 'custom_tool_call'
      ? { input: call.arguments?.['input'] ?? '' }
      : { arguments: stringifyArguments(restoreReceivedNulls(call, DIALECT_SLOT)) }
  return applyResidue({ type, call_id: id, name, ...input }, call, DIALECT_SLOT)
}

/** Returns the item type of a call: of a custom tool if it was received so and its only argument still is the text. */
export function getCallItemType(call: ToolCallPart): 'function_call' | 'custom_tool_call' {
  const { input, ...others } = call.arguments ?? {}
  const hasOnlyText = typeof input === 'string' && isEmptyObject(others)
  const isCustom = hasOnlyText && getHints(call, DIALECT_SLOT)['wireType'] === 'custom_tool_call'
  return isCustom ? 'custom_tool_call' : 'function_call'
}
