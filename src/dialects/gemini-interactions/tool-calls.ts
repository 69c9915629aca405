import type { ToolCallPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, attachResidue, getHints } from '../engine/residue-slots.ts'
import { decodeArguments, encodeObjectArguments } from '../shared/tool-arguments.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { GeminiInteractionsHints } from './hints.ts'
import { decodeUsualCall } from './usual-form-decoder.ts'

/** Decodes a call of an application's tool, with the hints for the thought before the first call of its turn. */
export function decodeToolCall(
  wire: JsonObject,
  thoughtHints: GeminiInteractionsHints,
): ToolCallPart | undefined {
  const usual = decodeUsualCall(wire, thoughtHints)
  if (usual !== undefined) return usual
  const { id, name, arguments: wireArguments } = wire
  const fields = decodeArguments(wireArguments)
  if (typeof id !== 'string' || id === '' || typeof name !== 'string' || name === '') return undefined
  // Text that is no object stays as it was received: an encoder would wrap it.
  if (fields === undefined || fields.invalidArguments !== undefined) return undefined
  const hints = {
    ...createToolNameHint(name, toolNameRule),
    ...thoughtHints,
  }
  const call: ToolCallPart = { type: 'tool-call', id, name, ...fields }
  return attachResidue(call, DIALECT_SLOT, hints, wire, encodeToolCall)
}

/** Encodes a call of an application's tool. A call has no signature: that of its turn is in the thought before it. */
export function encodeToolCall(
  call: ToolCallPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  reportUnsupportedFields(call, path, context)
  const made = {
    type: 'function_call',
    id: call.id,
    name: encodeToolName(call.name, getHints(call, DIALECT_SLOT), toolNameRule, child(path, 'name'), context),
    arguments: encodeObjectArguments(call, path, context),
  }
  return applyResidue(made, call, DIALECT_SLOT)
}
