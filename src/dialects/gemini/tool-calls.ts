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

/** Reads a call of the application's functions. */
export function decodeToolCall(wire: Json, callIds: CallIdResolver): DecodedPart | undefined {
  if (!isObject(wire)) return undefined
  const { id, name, args } = wire
  if (typeof name !== 'string' || name === '') return undefined
  const given = args ?? {}
  if (!isObject(given)) return undefined
  const part: ToolCallPart = {
    type: 'tool-call',
    id: callIds.resolveCall(id, name, () => JSON.stringify(given)),
    name,
    arguments: given,
  }
  return { part, hints: createToolNameHint(name, toolNameRule) }
}

/** Writes a call; one that another provider ran is told in words. */
export function encodeToolCall(call: ToolCallPart, partContext: PartEncodeContext): JsonObject {
  const { hints, path, context } = partContext
  if (call.executedBy === 'provider') return encodeProviderCall(call, partContext)
  const args = encodeObjectArguments(call, path, context)
  const name = encodeToolName(call.name, hints, toolNameRule, child(path, 'name'), context)
  return { functionCall: supportsCallIds(context) ? { id: call.id, name, args } : { name, args } }
}

/** Whether a host takes the ids of calls. */
export function supportsCallIds({ options }: EncodeContext): boolean {
  return getFlavor(options)?.supportsCallIds !== false
}
