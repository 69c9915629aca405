import { describeType, isObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { parseArguments, normalizeArguments } from '../build/call-arguments.ts'
import { generateId } from '../build/ids-and-timestamps.ts'
import type { ToolCallPart } from '../model/part.ts'
import { partShapes } from '../shape/part.ts'
import {
  throwInvalid,
  identifierShape,
  jsonObjectShape,
  type ReadContext,
  type UnknownKeys,
} from '../shape/shape.ts'
import { type PickedField, createFieldPicker } from './field-picker.ts'

const CALL_FIELD_ALIASES = {
  id: ['id', 'call_id', 'callId', 'tool_call_id', 'toolCallId'],
  name: ['name', 'tool_name', 'toolName', 'tool'],
  arguments: ['arguments', 'args', 'input', 'parameters'],
  error: ['invalidArguments'],
} as const

/** Part types of other formats that are tool calls. */
export const TOOL_CALL_TYPES: ReadonlySet<unknown> = new Set([
  'tool-call',
  'function',
  'tool_call',
  'toolCall',
  'custom',
  'tool_use',
])

/**
 * Reads a tool call of any format: the function nested or flat, the arguments an object or text. A call
 * without an id gets a new one; text that is not a JSON object is kept as `invalidArguments`.
 */
export function readToolCall(
  given: unknown,
  path: Path | undefined,
  context: ReadContext,
  unknownKeys: UnknownKeys,
): ToolCallPart {
  const value = typeof given === 'string' ? parseArguments(given).arguments : given
  if (!isObject(value))
    return throwInvalid('invalid-type', path, describeType(given), 'a tool call: an object, or its JSON text')
  const pick = createFieldPicker(value, path, ['function', 'custom'])
  pick.take(['type'])
  const name = pick.take(CALL_FIELD_ALIASES.name)
  if (name === undefined)
    return throwInvalid('missing-field', child(path, 'name'), 'nothing', 'the name of a tool')
  const id = pick.take(CALL_FIELD_ALIASES.id)
  const call = {
    type: 'tool-call',
    id:
      id === undefined || id.value === ''
        ? generateId('call', context)
        : identifierShape.read(id.value, id.path, context, unknownKeys),
    name: identifierShape.read(name.value, name.path, context, unknownKeys),
    ...readCallArguments(
      pick.take(CALL_FIELD_ALIASES.arguments),
      pick.take(CALL_FIELD_ALIASES.error),
      context,
    ),
  }
  return partShapes['tool-call'].read(
    { ...pick.remaining(), ...call },
    path,
    context,
    unknownKeys,
  ) as ToolCallPart
}

function readCallArguments(
  given: PickedField | undefined,
  error: PickedField | undefined,
  context: ReadContext,
): object {
  if (given === undefined)
    return error === undefined ? normalizeArguments({}) : { invalidArguments: error.value }
  const { value, path } = given
  const invalid = error === undefined ? {} : { invalidArguments: error.value }
  if (typeof value === 'string') return { ...normalizeArguments(value), ...invalid }
  if (Array.isArray(value) && value.length === 0) return normalizeArguments({}) // Some languages write an empty object as an empty list.
  return { arguments: jsonObjectShape.read(value, path, context, {}), ...invalid }
}
