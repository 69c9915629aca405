import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isEmptyObject, isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { decodeArguments, decodeTextInput } from '../shared/tool-arguments.ts'
import { createCallIdHint, encodeCallId } from '../shared/call-ids.ts'
import { addNamespaceToName, removeNamespaceFromName } from '../shared/plain-functions.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { restoreNulls } from '../shared/strict-nulls.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { OpenAIResponsesHints } from './hints.ts'

/** Decodes a call of an application's tool, with arguments or free text. */
export function decodeToolCall(
  wire: JsonObject,
  neighborHints: OpenAIResponsesHints,
): ToolCallPart | undefined {
  const { type, call_id: id, name: wireName, namespace, arguments: text, input } = wire
  if (typeof id !== 'string' || id === '' || typeof wireName !== 'string' || wireName === '') return undefined
  const isNamespaced = typeof namespace === 'string' && namespace !== ''
  const name = isNamespaced ? addNamespaceToName(namespace, wireName) : wireName
  const isCustom = type === 'custom_tool_call'
  const fields = isCustom ? decodeTextInput(input) : decodeArguments(text)
  if (fields === undefined) return undefined
  const hints = {
    ...neighborHints,
    ...(isCustom && { wireType: type }),
    ...createCallIdHint(id, callIdRule),
    ...createToolNameHint(wireName, toolNameRule),
    ...(isNamespaced && { toolNamespace: createCallNamespace(namespace, wireName) }),
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
  const nameFields = encodeCallName(call, path, context)
  // A response may contain any id; only the ids of requests have a limit.
  const id =
    bodyKind === 'request' ? encodeCallId(call.id, hints, callIdRule, child(path, 'id'), context) : call.id
  const type = getCallItemType(call)
  const input =
    type === 'custom_tool_call'
      ? { input: call.arguments?.['input'] ?? '' }
      : { arguments: stringifyArguments(restoreNulls(call, DIALECT_SLOT)) }
  return applyResidue({ type, call_id: id, ...nameFields, ...input }, call, DIALECT_SLOT)
}

/** Creates the hint for the namespace of a call, with the name for which it is valid. */
export function createCallNamespace(namespace: string, name: string): JsonObject {
  return { namespace, tool: addNamespaceToName(namespace, name) }
}

/** Encodes the name of the tool of a call, and its namespace unless the name was edited. */
export function encodeCallName(
  call: ToolCallPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const hints = getHints(call, DIALECT_SLOT)
  const { namespace, tool }: JsonObject = isObject(hints['toolNamespace']) ? hints['toolNamespace'] : {}
  const localName = typeof namespace === 'string' ? removeNamespaceFromName(namespace, call.name) : call.name
  const isValid = typeof namespace === 'string' && addNamespaceToName(namespace, localName) === tool
  const wireName = isValid ? localName : call.name
  const name = encodeToolName(wireName, hints, toolNameRule, child(path, 'name'), context)
  return isValid ? { name, namespace } : { name }
}

/** Returns the item type of a call: of a custom tool if it was received so and its only argument still is the text. */
export function getCallItemType(call: ToolCallPart): 'function_call' | 'custom_tool_call' {
  if (getHints(call, DIALECT_SLOT)['wireType'] !== 'custom_tool_call') return 'function_call'
  const { input, ...others } = call.arguments ?? {}
  const hasOnlyText = typeof input === 'string' && isEmptyObject(others)
  return hasOnlyText ? 'custom_tool_call' : 'function_call'
}
