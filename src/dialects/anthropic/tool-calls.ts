import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { createHostedToolFallback } from '../engine/content-fallback.ts'
import { createCallIdHint, encodeCallId } from '../shared/call-ids.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { createPropertyKeyHint, encodeArgumentKeys } from '../shared/property-keys.ts'
import { encodeObjectArguments } from '../shared/tool-arguments.ts'
import { callIdRule, providerCallTypes, toolNameRule } from './constants.ts'
import { claudePropertyKeyRule } from '../shared/claude-tools.ts'
import type { DecodedPart, BlockEncodeContext } from './part-context.ts'
import { encodeFallback } from './reasoning.ts'

export function decodeToolCall({ type, id, name, input }: JsonObject): DecodedPart | undefined {
  if (typeof id !== 'string' || typeof name !== 'string' || id === '' || name === '' || !isObject(input))
    return undefined
  const call: ToolCallPart = { type: 'tool-call', id, name, arguments: input }
  if (providerCallTypes.has(type))
    return { part: { ...call, executedBy: 'provider' }, hints: { wireType: type as string } }
  const hints = {
    ...createCallIdHint(id, callIdRule),
    ...createToolNameHint(name, toolNameRule),
    ...createPropertyKeyHint(input, claudePropertyKeyRule),
  }
  return { part: call, hints }
}

/** Encodes a tool call; a call that another provider executed is described or omitted. */
export function encodeToolCall(call: ToolCallPart, blockContext: BlockEncodeContext): JsonObject | undefined {
  const { hints, path, context, location } = blockContext
  const kind = hints['wireType']
  if (call.executedBy === 'provider' && !providerCallTypes.has(kind))
    return encodeFallback(createHostedToolFallback(call, path, context), blockContext)
  const input = encodeObjectArguments(call, path, context)
  if (call.executedBy === 'provider') return { type: kind as string, id: call.id, name: call.name, input }
  const name = encodeToolName(call.name, hints, toolNameRule, child(path, 'name'), context)
  // Only the ids and keys of a request must follow the rules: clients of a response accept any.
  const isRequest = location === 'assistant'
  const id = isRequest ? encodeCallId(call.id, hints, callIdRule, child(path, 'id'), context) : call.id
  const hasWireKeys = isRequest || hints['restoredKeys'] === true
  const wireInput = hasWireKeys
    ? encodeArgumentKeys(input, hints, claudePropertyKeyRule, path, context)
    : input
  return { type: 'tool_use', id, name, input: wireInput }
}
