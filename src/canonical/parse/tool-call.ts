import { isObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { parseArguments, normalizeArguments } from '../build/call-arguments.ts'
import { generateId } from '../build/ids-and-timestamps.ts'
import type { ToolCallPart } from '../model/part.ts'
import { partShapes } from '../shape/part.ts'
import {
  identifierShape,
  jsonObjectShape,
  type ReadContext,
  type ValueReader,
  throwMissing,
  throwWrongType,
} from '../shape/shape.ts'
import { createFieldPicker, type FieldPicker } from './field-picker.ts'

/** Part types of other formats that are tool calls. */
export const TOOL_CALL_PART_TYPES: ReadonlySet<unknown> = new Set(
  'tool-call function tool_call toolCall custom tool_use'.split(' '),
)

/** Reads a tool call of any format: the function nested or flat, the arguments an object or text. */
export const readToolCall: ValueReader<ToolCallPart> = (given, path, context) => {
  const value = typeof given === 'string' ? parseArguments(given).arguments : given
  if (!isObject(value)) return throwWrongType(given, path, 'a tool call: an object, or its JSON text')
  const pick = createFieldPicker(value, path, 'function', 'custom')
  pick.take('type')
  const name = pick.take('name', 'tool_name', 'toolName', 'tool')
  if (name === undefined) return throwMissing(child(path, 'name'), 'the name of a tool')
  const id = pick.take('id', 'call_id', 'callId', 'tool_call_id', 'toolCallId')
  const call = {
    type: 'tool-call',
    id:
      id === undefined || id.value === ''
        ? generateId('call', context.reader)
        : identifierShape.read(id.value, id.path, context),
    name: identifierShape.read(name.value, name.path, context),
    ...readCallArguments(pick, context),
  }
  return partShapes['tool-call'].read({ ...pick.remaining(), ...call }, path, context)
}

function readCallArguments(pick: FieldPicker, context: ReadContext): object {
  const given = pick.take('arguments', 'args', 'input', 'parameters')
  const error = pick.take('invalidArguments')
  const invalid = error && { invalidArguments: error.value }
  if (given === undefined) return invalid ?? normalizeArguments({})
  const { value, path } = given
  if (typeof value === 'string') return { ...normalizeArguments(value), ...invalid }
  if (Array.isArray(value) && value.length === 0) return normalizeArguments({}) // Some languages write an empty object as an empty list.
  return { arguments: jsonObjectShape.read(value, path, context), ...invalid }
}
