import { text } from '../../canonical/build/parts.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { applyResidue, attachResidue } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject, tryParseJson } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { writeTextResult } from '../engine/result-content.ts'
import { NEURON_SLOT } from './constants.ts'

/** Reads a tool of a message with calls. */
export function readCall(wire: Json, path: Path): ToolCallPart {
  const tool = requireTool(wire, path)
  const { name, inputs } = tool
  const call: ToolCallPart = {
    type: 'tool-call',
    id: readCallId(tool),
    name: name as string,
    // PHP writes an empty list for an object without keys.
    ...(isObject(inputs) ||
    (Array.isArray(inputs) && inputs.length === 0) ||
    inputs === null ||
    inputs === undefined
      ? { arguments: isObject(inputs) ? inputs : {} }
      : { invalidArguments: typeof inputs === 'string' ? inputs : JSON.stringify(inputs) }),
  }
  return attachResidue(checkAndFreezePart(call, path), NEURON_SLOT, {}, tool, writeCall)
}

/** Returns the call of a result, whose arguments the result repeats. */
export type FindCall = (id: string) => ToolCallPart | undefined

/** Reads a tool of a message with results. */
export function readResult(wire: Json, findCall: FindCall, path: Path): ToolResultPart {
  const tool = requireTool(wire, path)
  const { name, result } = tool
  const content =
    result === null || result === undefined
      ? []
      : [text(typeof result === 'string' ? result : JSON.stringify(result))]
  const part: ToolResultPart = {
    type: 'tool-result',
    callId: readCallId(tool),
    ...(typeof name === 'string' && { name }),
    content,
  }
  return attachResidue(checkAndFreezePart(part, path), NEURON_SLOT, {}, tool, (unit) =>
    writeResult(unit, findCall, undefined, silentReporter),
  )
}

function requireTool(wire: Json, path: Path): JsonObject {
  return isObject(wire) ? wire : throwWrongType(wire, path, 'a tool: an object')
}

/** Returns the id of the call; providers without ids have only the name of the tool. */
function readCallId({ callId, name }: JsonObject): string {
  if (typeof callId === 'string' && callId !== '') return callId
  return `call_${typeof name === 'string' ? name : 'unknown'}`
}

/** Writes a call. */
export function writeCall(call: ToolCallPart): JsonObject {
  const { id, name, invalidArguments = '' } = call
  const parsed = tryParseJson(invalidArguments)
  const invalid = parsed === undefined || typeof parsed === 'string' ? invalidArguments : parsed
  const tool = { callId: id, name, description: null, inputs: call.arguments ?? invalid, result: null }
  return applyResidue(tool, call, NEURON_SLOT)
}

/** Writes a result with the arguments of its call. */
export function writeResult(
  result: ToolResultPart,
  findCall: FindCall,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const call = findCall(result.callId)
  const value = writeTextResult(result, path, report)
  const tool = {
    callId: result.callId,
    name: result.name ?? call?.name ?? result.callId,
    description: null,
    inputs: call?.arguments ?? {},
    result: result.content.length === 0 ? null : value,
  }
  return applyResidue(tool, result, NEURON_SLOT)
}
