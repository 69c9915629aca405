import { parseArguments, stringifyArguments } from '../../canonical/build/call-arguments.ts'
import { attachSignature, text } from '../../canonical/build/parts.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwMissing, throwWrongType } from '../../canonical/shape/shape.ts'
import { applyResidue, attachResidue } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject, omitUndefined, tryParseJson } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import type { ToolMessageFields } from '../engine/read-grouped-results.ts'
import { writeTextResult } from '../engine/result-content.ts'
import { LARAGENT_SLOT } from './constants.ts'

/** Reads a call. Its thought signature is one of Gemini. */
export function readCall(wire: Json, path: Path): ToolCallPart {
  if (!isObject(wire)) return throwWrongType(wire, path, 'a call: an object')
  const entry = wire
  const { id, function: called, thought_signature: signature } = entry
  if (!isObject(called)) return throwWrongType(called, child(path, 'function'), 'the function: an object')
  const { name, arguments: given } = called
  const call = {
    type: 'tool-call',
    id: typeof id === 'string' && id !== '' ? id : `call_${path.key}`,
    name: name as string,
    ...readArguments(given),
  } as const
  const part = checkAndFreezePart<ToolCallPart>(call, path)
  const signed =
    typeof signature === 'string' ? attachSignature(part, { vendor: 'google', value: signature }) : part
  return attachResidue(signed, LARAGENT_SLOT, {}, entry, writeCall)
}

/** LarAgent accepts only JSON as arguments: other text is a JSON string. */
function readArguments(given: Json | undefined): ReturnType<typeof parseArguments> {
  const value = typeof given === 'string' ? tryParseJson(given) : undefined
  if (typeof value === 'string') return { invalidArguments: value }
  return parseArguments(typeof given === 'string' ? given : JSON.stringify(given ?? {}))
}

/** Writes a call. */
export function writeCall(call: ToolCallPart): JsonObject {
  const { id, name, invalidArguments, signature } = call
  const parsed = invalidArguments === undefined ? undefined : tryParseJson(invalidArguments)
  const isInvalid = invalidArguments !== undefined && (parsed === undefined || typeof parsed === 'string')
  const given = isInvalid ? JSON.stringify(invalidArguments) : stringifyArguments(call)
  const isSigned = signature?.vendor === 'google' && isSignatureValid(call)
  const entry = {
    id,
    type: 'function',
    function: { name, arguments: given === '' ? '{}' : given },
    ...(isSigned && { thought_signature: signature.value }),
  }
  return applyResidue(entry, call, LARAGENT_SLOT)
}

/** Reads a tool message as a result. */
export function readToolMessage(
  wire: JsonObject,
  path: Path,
  fields: ToolMessageFields | undefined,
): ToolResultPart {
  const { content } = wire
  const nested = isObject(content) ? content : {}
  const { tool_call_id: callId = nested['tool_call_id'], tool_name: name = nested['tool_name'] } = wire
  if (typeof callId !== 'string') return throwMissing(child(path, 'tool_call_id'), 'the id of the call')
  const result = isObject(content) ? nested['content'] : content
  const part: ToolResultPart = {
    type: 'tool-result',
    callId,
    ...(typeof name === 'string' && name !== '' && { name }),
    content: readResult(result, child(path, 'content')),
  }
  return attachResidue(checkAndFreezePart(part, path), LARAGENT_SLOT, {}, wire, (unit) =>
    writeToolMessage(unit, fields, undefined, silentReporter),
  )
}

function readResult(result: Json | undefined, path: Path): ToolResultPart['content'] {
  if (result === undefined || result === null || result === '') return []
  if (typeof result === 'string') return [text(result)]
  return throwWrongType(result, path, 'the result: a text')
}

/** Writes a result as a tool message. The fields of the canonical message are those of its first result. */
export function writeToolMessage(
  result: ToolResultPart,
  fields: ToolMessageFields | undefined,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const { callId, name = '' } = result
  const wire = {
    role: 'tool',
    content: { content: writeTextResult(result, path, report), tool_call_id: callId, tool_name: name },
    tool_call_id: callId,
    tool_name: name,
    ...(fields && writeFields(fields)),
  }
  return applyResidue(wire, result, LARAGENT_SLOT)
}

/** Writes the fields that every message has. */
export function writeFields({ id, createdAt, metadata }: ToolMessageFields): JsonObject {
  return { message_uuid: id, ...omitUndefined({ message_created: createdAt, metadata }) }
}
