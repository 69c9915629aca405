import { text } from '../../canonical/build/parts.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwMissing, throwWrongType } from '../../canonical/shape/shape.ts'
import { applyResidue, attachResidue } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { readObjectArguments, writeObjectArguments } from '../engine/object-arguments.ts'
import { INSTRUCTOR_SLOT } from './constants.ts'

/** Reads the calls of a message; old versions have them in the metadata, and some in the form of OpenAI. */
export function readCalls(wire: JsonObject, path: Path): readonly ToolCallPart[] {
  const { tool_calls: own, _metadata: metadata } = wire
  const old = isObject(metadata) ? metadata['tool_calls'] : undefined
  const calls = own ?? old
  const at = child(own === undefined ? child(path, '_metadata') : path, 'tool_calls')
  if (calls === undefined || calls === null) return []
  if (!Array.isArray(calls)) return throwWrongType(calls, at, 'the calls: a list')
  return calls.map((call: Json, index) => readCall(call, child(at, index)))
}

function readCall(wire: Json, path: Path): ToolCallPart {
  if (!isObject(wire)) return throwWrongType(wire, path, 'a call: an object')
  const { id, args } = wire
  const called = isObject(wire['function']) ? wire['function'] : wire
  const { name } = called
  const given = called['arguments'] ?? args
  const call = {
    type: 'tool-call',
    id: typeof id === 'string' && id !== '' ? id : toCallId(name),
    name: name as string,
    ...readObjectArguments(given),
  } as const
  return attachResidue(checkAndFreezePart<ToolCallPart>(call, path), INSTRUCTOR_SLOT, {}, wire, (unit) =>
    writeCall(unit, undefined, silentReporter),
  )
}

/** Providers without ids have only the name of the tool. */
function toCallId(name: Json | undefined): string {
  return `call_${typeof name === 'string' ? name : 'unknown'}`
}

/** Writes a call. */
export function writeCall(call: ToolCallPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const { id, name } = call
  return applyResidue(
    { id, name, arguments: writeObjectArguments(call, INSTRUCTOR_SLOT, path, report) },
    call,
    INSTRUCTOR_SLOT,
  )
}

/** Reads the result of a tool message, without its residue. Old versions have it in the metadata, or only as content. */
export function readResult(wire: JsonObject, path: Path): ToolResultPart {
  const { content, _metadata: metadata, tool_call_id: openaiId } = wire
  const old = isObject(metadata) ? metadata : {}
  const given = wire['tool_result'] ?? old['tool_result']
  if (given !== undefined && given !== null && !isObject(given))
    return throwWrongType(given, child(path, 'tool_result'), 'the result: an object')
  const unnamed = {
    content,
    call_id: openaiId ?? old['tool_call_id'],
    tool_name: undefined,
    is_error: undefined,
  }
  const result = isObject(given) ? given : unnamed
  const { call_id: callId, tool_name: name, is_error: isError } = result
  const value = result['content'] ?? content
  if (value !== undefined && value !== null && typeof value !== 'string')
    return throwWrongType(value, child(path, 'content'), 'the result: a text')
  const hasId = typeof callId === 'string' && callId !== ''
  if (!hasId && !isObject(given))
    return throwMissing(child(path, 'tool_result'), 'the result and the id of its call')
  const part: ToolResultPart = {
    type: 'tool-result',
    callId: hasId ? callId : toCallId(name),
    ...(typeof name === 'string' && name !== '' && { name }),
    content: typeof value === 'string' && value !== '' ? [text(value)] : [],
    ...(isError === true && { isError: true as const }),
  }
  return checkAndFreezePart(part, path)
}
