import type { FunctionTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { equalJson, isList, isObject, type Json, type JsonObject, type JsonSchema } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { is } from '../shared/rows.ts'
import { noArguments } from '../shared/tool-schemas.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { encodeOpaque } from '../shared/opaque.ts'
import { SLOT } from './codes.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a tool; one that we do not model is kept as it is. */
export function decodeTool(wire: Json): Tool {
  const tool = isObject(wire) ? readFunction(wire) : undefined
  if (tool === undefined) return Object.freeze({ type: 'opaque', dialect: SLOT, value: wire })
  const hints = isReadable(tool.input) ? {} : { schema: 'as-is' }
  return keep(tool, SLOT, SLOT, hints, wire as Wire, (each) => encodeTool(each, undefined, silent))
}

function readFunction({ type, function: body }: Wire): FunctionTool | undefined {
  if ((type !== undefined && type !== 'function') || !isObject(body)) return undefined
  const { name, description, parameters = noArguments } = body
  if (typeof name !== 'string' || name === '' || !isObject(parameters)) return undefined
  return {
    type: 'function',
    name,
    ...(typeof description === 'string' && { description }),
    input: parameters,
  }
}

/** Writes a tool; undefined where it cannot be sent. */
function encodeTool(tool: Tool, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, SLOT, at, encoding)
  if (tool.type === 'provider') {
    encoding.lose('foreign-tool', at)
    return undefined
  }
  const { name, description, input, strict, cache } = tool
  if (strict !== undefined) encoding.lose('no-field', below(at, 'strict'))
  if (cache !== undefined) encoding.lose('cache-hint', below(at, 'cache'))
  const kept = hintsFor(tool, SLOT)['schema'] === 'as-is'
  const made = {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: kept ? input : schemaOf(input, below(at, 'input'), encoding),
    },
  }
  return applyResidue(made, tool, SLOT)
}

/** Arguments are an object, and the schema must say so; so must those of properties, since the server reads nothing else. */
function schemaOf(input: JsonSchema, at: Path, encoding: Encoding): JsonSchema {
  if (input['type'] !== 'object') encoding.lose('schema-root', at)
  const read = asObject(input)
  if (!equalJson(read, input)) encoding.lose('schema-objects', at)
  return input['type'] === 'object' ? read : { ...read, type: 'object' }
}

function isReadable(input: JsonSchema): boolean {
  return input['type'] === 'object' && equalJson(asObject(input), input)
}

/** What the server reads keywords as: another value would make it refuse the request. */
const readable: { readonly [keyword: string]: (value: unknown) => boolean } = {
  type: (value) => is.string(value) || is.strings(value),
  description: is.string,
  required: is.strings,
  properties: isObject,
  anyOf: Array.isArray,
  enum: Array.isArray,
}

/** A schema with everything below it that the server reads as objects: `true` and `false` are schemas, too. */
function asObject(schema: Json): JsonObject {
  if (!isObject(schema)) return schema === false ? { not: {} } : {}
  const { properties, anyOf } = schema
  return {
    ...Object.fromEntries(
      Object.entries(schema).filter(
        ([key, value]) => !Object.hasOwn(readable, key) || readable[key]?.(value),
      ),
    ),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, asObject(each)])),
    }),
    ...(isList(anyOf) && { anyOf: anyOf.map(asObject) }),
  }
}

/** Writes tools, without those that cannot be sent. */
export function encodeTools(
  tools: readonly Tool[],
  at: Path | undefined,
  encoding: Encoding,
  isAllowed: (tool: Tool) => boolean = () => true,
): readonly JsonObject[] {
  return tools
    .map((tool, index) => {
      if (isAllowed(tool)) return encodeTool(tool, below(at, index), encoding)
      encoding.lose('allowed-tools', below(at, index))
      return undefined
    })
    .filter((tool) => tool !== undefined)
}

/** Writes the tools that the choice allows: there is no other way to say one. */
export function encodeChosen(
  tools: readonly Tool[],
  choice: ToolChoice | undefined,
  encoding: Encoding,
): JsonObject {
  const wire = encodeTools(tools, below(undefined, 'tools'), encoding, allowedBy(choice))
  if (choice !== undefined) encoding.lose(choiceRule(tools, choice), below(undefined, 'toolChoice'))
  return wire.length === 0 ? {} : { tools: wire }
}

function allowedBy(choice: ToolChoice | undefined): (tool: Tool) => boolean {
  if (choice === 'none') return () => false
  if (typeof choice !== 'object' || !('allowed' in choice)) return () => true
  const allowed = new Set(choice.allowed)
  return (tool) => tool.type !== 'function' || allowed.has(tool.name)
}

/** How a choice is lost: the model may call any tool that it is given, and need not call one. */
function choiceRule(tools: readonly Tool[], choice: ToolChoice): string {
  if (tools.length === 0) return 'choice-without-tools'
  if (choice === 'auto') return 'auto-choice'
  const only = choice === 'none' || (typeof choice === 'object' && 'mode' in choice && choice.mode === 'auto')
  return only ? 'allowed-tools' : 'no-field'
}
