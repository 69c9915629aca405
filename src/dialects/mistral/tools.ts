import type { FunctionTool, ProviderTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { createSchemaHint, encodeInputSchema, fitOpenaiTool } from '../shared/fit-schemas.ts'
import { toHostedTool } from '../shared/hosted-tools.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { noArgumentsSchema } from '../shared/tool-arguments.ts'
import { createFunctionTool, createToolDecoder, encodeToolList } from '../shared/tool-list.ts'
import { createToolNameHint, encodeToolName, readToolName } from '../shared/tool-names.ts'
import { DIALECT_SLOT, DIALECT_VENDOR, toolNameRule } from './constants.ts'
import type { MistralHints } from './hints.ts'

/** The types of tools that Mistral runs itself. Source: the types of `@mistralai/mistralai` 2.7. */
const hostedTypes: readonly unknown[] = [
  'web_search',
  'web_search_premium',
  'code_interpreter',
  'image_generation',
  'document_library',
  'connector',
]

/** Decodes a tool; an unknown one is kept as an opaque tool. */
export const decodeTool: (wire: Json) => Tool = createToolDecoder(DIALECT_SLOT, (wire) => {
  const { type, ...options } = wire
  if (typeof type === 'string' && hostedTypes.includes(type))
    return { type: 'provider', provider: DIALECT_VENDOR, name: type, options } satisfies ProviderTool
  const tool = readFunction(wire)
  if (tool === undefined) return undefined
  const hints = {
    ...createToolNameHint(tool.name, toolNameRule),
    ...createSchemaHint({ schema: tool.input, strict: tool.strict }, fitOpenaiTool),
  }
  return attachResidue(tool, DIALECT_SLOT, hints, wire, encodeFunction)
})

function readFunction({ type = 'function', function: body }: JsonObject): FunctionTool | undefined {
  const name = readToolName(body)
  if (type !== 'function' || !isObject(body) || name === undefined) return undefined
  const { description, parameters = noArgumentsSchema, strict } = body
  return isObject(parameters) ? createFunctionTool(name, description, parameters, strict) : undefined
}

function encodeFunction(tool: FunctionTool, path: Path | undefined, context: EncodeContext): JsonObject {
  const hints = getHints(tool, DIALECT_SLOT)
  const { description, cache } = tool
  if (cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  const name = encodeToolName(tool.name, hints, toolNameRule, child(path, 'name'), context)
  const { schema, strict } = encodeInputSchema(tool, fitOpenaiTool, hints, path, context)
  const body = {
    name,
    ...(description !== undefined && { description }),
    parameters: schema,
    ...(strict !== undefined && { strict }),
  }
  return applyResidue({ type: 'function', function: body }, tool, DIALECT_SLOT)
}

function encodeTool(tool: Tool, path: Path, context: EncodeContext): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, DIALECT_SLOT, path, context)
  if (tool.type === 'function') return encodeFunction(tool, path, context)
  const hosted = toHostedTool(tool, DIALECT_VENDOR, path, context)
  return hosted && { type: hosted.name, ...hosted.options }
}

/** Encodes tools; those that cannot be sent are omitted. */
export function encodeTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  choice?: ToolChoice,
): readonly JsonObject[] {
  const isList = typeof choice === 'object' && 'allowed' in choice
  const format = { slot: DIALECT_SLOT, choice: isList ? choice : undefined, encodeTool }
  return encodeToolList(tools, path, context, format)
}

export function decodeToolChoice(wire: Json | undefined): ToolChoice | undefined {
  if (wire === 'auto' || wire === 'none') return wire
  if (wire === 'any' || wire === 'required') return 'required'
  const name = isObject(wire) ? readToolName(wire['function']) : undefined
  return name === undefined ? undefined : { name }
}

/** Encodes a tool choice. Of a list of allowed tools, only the mode is sent: the other tools are omitted. */
export function encodeToolChoice(choice: ToolChoice, hints: MistralHints, context: EncodeContext): Json {
  const path = child(undefined, 'toolChoice')
  if (typeof choice === 'object' && 'name' in choice) {
    const name = encodeToolName(choice.name, hints, toolNameRule, path, context)
    return { type: 'function', function: { name } }
  }
  if (typeof choice === 'object') context.report('allowed-tools', path)
  const mode = typeof choice === 'string' ? choice : choice.mode
  return mode === 'required' ? 'any' : mode
}
