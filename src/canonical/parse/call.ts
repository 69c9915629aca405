import { describe, isObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { readArguments, toArguments } from '../build/arguments.ts'
import { freshId } from '../build/identity.ts'
import type { ToolCallPart } from '../model/part.ts'
import { partShapes } from '../shape/part.ts'
import { fail, identifier, jsonObject, type Reading, type Spare } from '../shape/shape.ts'
import { type Picked, picker } from './picker.ts'

const names = {
  id: ['id', 'call_id', 'callId', 'tool_call_id', 'toolCallId'],
  name: ['name', 'tool_name', 'toolName', 'tool'],
  arguments: ['arguments', 'args', 'input', 'parameters'],
  error: ['invalidArguments'],
} as const

/** Part types of others that are tool calls. */
export const callTypes: ReadonlySet<unknown> = new Set([
  'tool-call',
  'function',
  'tool_call',
  'toolCall',
  'custom',
  'tool_use',
])

/**
 * Reads a tool call as others store it: the function nested or flat, the arguments an object or text. One that has no
 * id gets a fresh one; text that is not a JSON object is kept as `invalidArguments`.
 */
export function readCall(given: unknown, at: Path | undefined, reading: Reading, spare: Spare): ToolCallPart {
  const value = typeof given === 'string' ? readArguments(given).arguments : given
  if (!isObject(value))
    return fail('invalid-type', at, describe(given), 'a tool call: an object, or its JSON text')
  const pick = picker(value, at, ['function', 'custom'])
  pick.take(['type'])
  const name = pick.take(names.name)
  if (name === undefined) return fail('missing-field', below(at, 'name'), 'nothing', 'the name of a tool')
  const id = pick.take(names.id)
  const call = {
    type: 'tool-call',
    id:
      id === undefined || id.value === ''
        ? freshId('call', reading)
        : identifier.read(id.value, id.at, reading, spare),
    name: identifier.read(name.value, name.at, reading, spare),
    ...readGiven(pick.take(names.arguments), pick.take(names.error), reading),
  }
  return partShapes['tool-call'].read({ ...pick.rest(), ...call }, at, reading, spare) as ToolCallPart
}

function readGiven(given: Picked | undefined, error: Picked | undefined, reading: Reading): object {
  if (given === undefined) return error === undefined ? toArguments({}) : { invalidArguments: error.value }
  const { value, at } = given
  const stated = error === undefined ? {} : { invalidArguments: error.value }
  if (typeof value === 'string') return { ...toArguments(value), ...stated }
  if (Array.isArray(value) && value.length === 0) return toArguments({}) // from a language without empty objects
  return { arguments: jsonObject.read(value, at, reading, {}), ...stated }
}
