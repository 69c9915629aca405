import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { encodeObjectArguments } from '../shared/tool-arguments.ts'
import { applyResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { getFlavor } from './flavors.ts'
import type { GeminiHints } from './hints.ts'
import type { DecodedPart, PartDecodeContext, PartEncodeContext } from './part-context.ts'
import { encodeProviderCall } from './provider-tools.ts'

/** Decodes a call of a function that the application executes. */
export function decodeToolCall(wire: JsonObject, { callIds }: PartDecodeContext): DecodedPart | undefined {
  const { id: wireId, name } = wire
  const args = wire['args'] ?? {}
  if (typeof name !== 'string' || name === '' || !isObject(args)) return undefined
  const id = callIds.resolveCall(wireId, name, () => JSON.stringify(args))
  return {
    part: { type: 'tool-call', id, name, arguments: args },
    hints: { ...createToolNameHint(name, toolNameRule), ...callIds.createHostHint(wireId) },
  }
}

/** Encodes a tool call; a call that another provider executed is described or omitted. */
export function encodeToolCall(
  call: ToolCallPart,
  hints: GeminiHints,
  partContext: PartEncodeContext,
): JsonObject | undefined {
  if (call.executedBy === 'provider') return encodeProviderCall(call, hints, partContext)
  const { path, context } = partContext
  const args = encodeObjectArguments(call, path, context)
  const name = encodeToolName(call.name, hints, toolNameRule, child(path, 'name'), context)
  const functionCall = { id: call.id, name, args }
  if (canSendCallId(hints, context)) return { functionCall }
  // A call that was received without an id loses nothing.
  const [received] = Object.values(applyResidue({ functionCall }, call, DIALECT_SLOT))
  if (isObject(received) && Object.hasOwn(received, 'id'))
    context.report('call-id-omitted', child(path, 'id'))
  return { functionCall: { name, args } }
}

/** Returns true if the host accepts ids of tool calls, or accepted this one. */
export function canSendCallId({ acceptedByHost }: GeminiHints, { options }: EncodeContext): boolean {
  const { supportsCallIds = true } = getFlavor(options)
  return supportsCallIds || (acceptedByHost !== undefined && acceptedByHost === options.flavor)
}
