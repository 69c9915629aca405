import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, attachResidue, getHints } from '../engine/residue-slots.ts'
import type { CallIdGenerator } from '../shared/call-ids.ts'
import { decodeArguments, encodeObjectArguments } from '../shared/tool-arguments.ts'
import { createToolNameHint, encodeToolName, readToolName } from '../shared/tool-names.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import type { BodyKind } from '../engine/unsupported-policy.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'

/** Decodes the calls of a message; none if one of them is malformed. */
export function decodeToolCalls(wire: Json | undefined, ids: CallIdGenerator): readonly ToolCallPart[] {
  const calls: ToolCallPart[] = []
  for (const item of itemsOf(wire)) {
    const call = decodeToolCall(item, ids)
    if (call === undefined) return []
    calls.push(call)
  }
  return calls
}

function decodeToolCall(wire: Json, ids: CallIdGenerator): ToolCallPart | undefined {
  const body = isObject(wire) && wire['type'] === 'function' ? wire['function'] : undefined
  const name = readToolName(body)
  const { arguments: received } = isObject(body) ? body : {}
  const decoded = isNullText(received) ? { arguments: {} } : decodeArguments(received)
  if (name === undefined || decoded === undefined) return undefined
  const { id } = wire as JsonObject
  const text = typeof received === 'string' ? received : JSON.stringify(received ?? null)
  const callId = typeof id === 'string' && id !== '' ? id : ids.next(name, text)
  if (callId === id) ids.recordId(callId)
  const call: ToolCallPart = { type: 'tool-call', id: callId, name, ...decoded }
  const hints = {
    ...createToolNameHint(name, toolNameRule),
    ...('invalidArguments' in decoded && { acceptedArguments: true }),
  }
  return attachResidue(call, DIALECT_SLOT, hints, wire as JsonObject, writeToolCall)
}

/** Returns true for the arguments of a call without arguments, which Cohere sends as the text `null`. */
export function isNullText(text: Json | undefined): boolean {
  return typeof text === 'string' && text.trim() === 'null'
}

/** Encodes a call of an application's tool. The API accepts only arguments that are an object; clients accept any text. */
export function encodeToolCall(
  call: ToolCallPart,
  path: Path | undefined,
  context: EncodeContext,
  kind: BodyKind,
): JsonObject {
  reportUnsupportedFields(call, path, context)
  return applyResidue(writeToolCall(call, path, context, kind), call, DIALECT_SLOT)
}

function writeToolCall(
  call: ToolCallPart,
  path: Path | undefined,
  context: EncodeContext,
  kind: BodyKind = 'request',
): JsonObject {
  const hints = getHints(call, DIALECT_SLOT)
  const { invalidArguments, rawArguments } = call
  const isObjectText = invalidArguments === undefined && rawArguments?.trim() !== ''
  return {
    id: call.id,
    type: 'function',
    function: {
      name: encodeToolName(call.name, hints, toolNameRule, child(path, 'name'), context),
      arguments:
        kind === 'request' && !isObjectText && hints.acceptedArguments !== true
          ? JSON.stringify(encodeObjectArguments(call, path, context))
          : stringifyArguments(call),
    },
  }
}
