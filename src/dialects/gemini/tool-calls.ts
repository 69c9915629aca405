import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { encodeObjectArguments } from '../shared/tool-arguments.ts'
import type { CallIdResolver } from './call-ids.ts'
import { toolNameRule } from './constants.ts'
import { getFlavor } from './flavors.ts'
import type { DecodedPart, PartEncodeContext } from './part-context.ts'
import { encodeProviderCall } from './provider-tools.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** Decodes a call of a function that the application executes. */
export function decodeToolCall(wire: Json, callIds: CallIdResolver): DecodedPart | undefined {
  if (!isObject(wire)) return undefined
  const { id, name, args } = wire
  if (typeof name !== 'string' || name === '') return undefined
  const callArguments = args ?? {}
  if (!isObject(callArguments)) return undefined
  const part: ToolCallPart = {
    type: 'tool-call',
    id: callIds.resolveCall(id, name, () => JSON.stringify(callArguments)),
    name,
    arguments: callArguments,
  }
  return { part, hints: createToolNameHint(name, toolNameRule) }
}

/** Encodes a tool call; a call that another provider executed becomes a text description. */
export function encodeToolCall(call: ToolCallPart, partContext: PartEncodeContext): JsonObject {
  const { hints, path, context } = partContext
  if (call.executedBy === 'provider') return encodeProviderCall(call, partContext)
  const args = encodeObjectArguments(call, path, context)
  const name = encodeToolName(call.name, hints, toolNameRule, child(path, 'name'), context)
  return { functionCall: supportsCallIds(context) ? { id: call.id, name, args } : { name, args } }
}

/** Returns true if the host accepts ids of tool calls. */
export function supportsCallIds({ options }: EncodeContext): boolean {
  return getFlavor(options)?.supportsCallIds !== false
}
