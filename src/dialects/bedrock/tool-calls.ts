import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { createHostedToolFallback } from '../engine/content-fallback.ts'
import { createCallIdHint, encodeCallId } from '../shared/call-ids.ts'
import { createPropertyKeyHint, encodeArgumentKeys } from '../shared/property-keys.ts'
import { encodeObjectArguments } from '../shared/tool-arguments.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { getCallIdRule, toolNameRule } from './constants.ts'
import { claudePropertyKeyRule } from '../shared/claude-tools.ts'
import type { BlockEncodeContext, DecodedPart } from './part-context.ts'
import { encodeFallback } from './reasoning.ts'

/** The type of a call that the provider executes. */
export const PROVIDER_CALL_TYPE = 'server_tool_use'

export function decodeToolCall({ type, toolUseId: id, name, input }: JsonObject): DecodedPart | undefined {
  if (typeof id !== 'string' || typeof name !== 'string' || id === '' || name === '' || !isObject(input))
    return undefined
  const call: ToolCallPart = { type: 'tool-call', id, name, arguments: input }
  const idHint = createCallIdHint(id, getCallIdRule({}))
  if (type === PROVIDER_CALL_TYPE)
    return { part: { ...call, executedBy: 'provider' }, hints: { wireType: PROVIDER_CALL_TYPE, ...idHint } }
  const hints = {
    ...idHint,
    ...createToolNameHint(name, toolNameRule),
    ...createPropertyKeyHint(input, claudePropertyKeyRule),
  }
  return { part: call, hints }
}

/** Encodes a tool call; a call that another provider executed is described or omitted. */
export function encodeToolCall(call: ToolCallPart, blockContext: BlockEncodeContext): JsonObject | undefined {
  const { hints, path, context, location } = blockContext
  const isProviderCall = call.executedBy === 'provider'
  if (isProviderCall && hints['wireType'] !== PROVIDER_CALL_TYPE)
    return encodeFallback(createHostedToolFallback(call, path, context), blockContext)
  const input = encodeObjectArguments(call, path, context)
  // Only the ids and keys of a request must follow the rules: clients of a response accept any.
  const isRequest = location === 'assistant'
  const rule = getCallIdRule(context.options)
  const id = isRequest ? encodeCallId(call.id, hints, rule, child(path, 'id'), context) : call.id
  if (isProviderCall) return { toolUse: { toolUseId: id, name: call.name, input, type: PROVIDER_CALL_TYPE } }
  const name = encodeToolName(call.name, hints, toolNameRule, child(path, 'name'), context)
  const hasWireKeys = isRequest || hints['restoredKeys'] === true
  const wireInput = hasWireKeys
    ? encodeArgumentKeys(input, hints, claudePropertyKeyRule, path, context)
    : input
  return { toolUse: { toolUseId: id, name, input: wireInput } }
}
