import { describe, isObject, ownValue } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Tool, ToolChoice } from '../model/tool.ts'
import { toolChoiceShape, toolShape } from '../shape/request.ts'
import { fail, type Read } from '../shape/shape.ts'
import { picker } from './picker.ts'

const schemaNames = ['input', 'parameters', 'input_schema', 'inputSchema'] as const

/** A tool without arguments may be stored without a schema; the schema of no arguments is an empty object's. */
const noArguments = { type: 'object', properties: {} }

/** Reads a tool in our form, or as others write a function: nested or flat, with the schema under any of its names. */
export const readTool: Read<Tool> = (value, at, reading, spare) => {
  if (!isObject(value)) return fail('invalid-type', at, describe(value), 'a tool: an object')
  const type = ownValue(value, 'type')
  if (type !== undefined && type !== 'function') return toolShape.read(value, at, reading, spare)
  const pick = picker(value, at, ['function'])
  const fields = ['name', 'description', 'strict'].flatMap((key) => {
    const found = pick.take([key])
    return found === undefined ? [] : [[key, found.value] as const]
  })
  const input = pick.take(schemaNames)
  pick.take(['type'])
  const tool = {
    ...pick.rest(),
    ...Object.fromEntries(fields),
    type: 'function',
    input: input?.value ?? noArguments,
  }
  return toolShape.read(tool, at, reading, spare)
}

/** Reads a tool choice in our form, or as others write it. */
export const readToolChoice: Read<ToolChoice> = (value, at, reading, spare) => {
  if (value === 'any') return 'required'
  if (!isObject(value)) return toolChoiceShape.read(value, at, reading, spare)
  const pick = picker(value, at, ['function', 'allowed_tools'])
  const type = pick.take(['type'])?.value
  if (type === 'auto' || type === 'none' || type === 'any' || type === 'required') {
    return readToolChoice(type, below(at, 'type'), reading, spare)
  }
  const [name, tools, mode] = [pick.take(['name']), pick.take(['tools', 'allowed']), pick.take(['mode'])]
  const stated = { ...(name && { name: name.value }), ...(mode && { mode: mode.value }) }
  if (tools === undefined) return toolChoiceShape.read({ ...pick.rest(), ...stated }, at, reading, spare)
  if (!Array.isArray(tools.value)) return fail('invalid-type', tools.at, describe(tools.value), 'an array')
  return toolChoiceShape.read(
    { ...pick.rest(), mode: 'auto', ...stated, allowed: tools.value.map(nameOf) },
    at,
    reading,
    spare,
  )
}

/** A tool in a list of allowed ones: its name, or an object that names it. */
function nameOf(tool: unknown): unknown {
  return isObject(tool) ? picker(tool, undefined, ['function']).take(['name'])?.value : tool
}
