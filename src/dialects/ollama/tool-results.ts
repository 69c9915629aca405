import type { ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { AliasesByKey } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, withResidue } from '../engine/residue-slots.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import type { CallRegister } from './tool-calls.ts'
import { DIALECT_SLOT } from './constants.ts'
import { decodeMedia } from './media.ts'
import { encodeMessageFields } from './parts.ts'

/** Older clients send the tool name as `name`. */
const keyAliases: AliasesByKey = { tool_name: ['name'] }

/** Decodes a tool message as a tool result; returns undefined if no open call matches it. */
export function decodeToolResult(wire: JsonObject, calls: CallRegister): ToolResultPart | undefined {
  const { content, images, tool_name: name = wire['name'], tool_call_id: id } = wire
  const callId = typeof id === 'string' && id !== '' ? id : calls.findOldest(name)
  if (callId === undefined || typeof content !== 'string') return undefined
  calls.closeCall(callId)
  const result: ToolResultPart = {
    type: 'tool-result',
    callId,
    ...(typeof name === 'string' && name !== '' && { name }),
    content: [...decodeMedia(images), freezeOwned({ type: 'text', text: content })],
  }
  const made = encodeToolResult(result, calls, undefined, noReport)
  return freezeOwned(withResidue(result, DIALECT_SLOT, made, wire, {}, keyAliases))
}

/** Encodes a tool result as a message of its own, with the name of its tool. */
export function encodeToolResult(
  result: ToolResultPart,
  calls: CallRegister,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const { callId, isError } = result
  const name = result.name ?? calls.getName(callId)
  reportUnsupportedFields(result, path, context)
  const fields = encodeMessageFields(result.content, 'tool', child(path, 'content'), context, DIALECT_SLOT)
  if (isError) context.report('error-as-text', path)
  const made = {
    role: 'tool',
    ...fields,
    ...(isError && { content: JSON.stringify({ error: fields['content'] as Json }) }),
    ...(name !== undefined && { tool_name: name }),
    tool_call_id: callId,
  }
  return applyResidue(made, result, DIALECT_SLOT)
}
