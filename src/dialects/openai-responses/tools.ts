import type { FunctionTool, ProviderTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { isEqualJson, isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { createSchemaHint, fitOpenaiTool, encodeSchema } from '../shared/fit-schemas.ts'
import { noArgumentsSchema, textInputSchema } from '../shared/tool-arguments.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { createFunctionTool, encodeToolList } from '../shared/tool-list.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { DIALECT_VENDOR, providerToolTypes, DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { OpenAIResponsesHints } from './hints.ts'

/** Decodes a tool of the application or of the provider; an unknown one is kept as an opaque tool. */
export function decodeTool(wire: Json): Tool {
  const tool = isObject(wire) ? (readFunction(wire) ?? readProvider(wire)) : undefined
  if (tool === undefined || !isObject(wire))
    return Object.freeze({ type: 'opaque', dialect: DIALECT_SLOT, value: wire })
  const hints = {
    ...(tool.type === 'function' && {
      ...(wire['type'] === 'custom' && { wireType: 'custom' }),
      ...createToolNameHint(tool.name, toolNameRule),
      ...createSchemaHint({ schema: tool.input, strict: tool.strict }, fitOpenaiTool),
    }),
  }
  return attachResidue(tool, DIALECT_SLOT, hints, wire, encodeTool)
}

function readFunction({ type, name, description, parameters, strict }: JsonObject): FunctionTool | undefined {
  if ((type !== 'function' && type !== 'custom') || typeof name !== 'string' || name === '') return undefined
  if (type === 'custom') return createFunctionTool(name, description, textInputSchema)
  if (parameters !== undefined && parameters !== null && !isObject(parameters)) return undefined
  return createFunctionTool(name, description, parameters ?? noArgumentsSchema, strict)
}

function readProvider({ type, ...options }: JsonObject): ProviderTool | undefined {
  if (!providerToolTypes.has(type)) return undefined
  return { type: 'provider', provider: DIALECT_VENDOR, name: type as string, options }
}

/** Encodes a tool; returns undefined if it cannot be sent. */
function encodeTool(tool: Tool, path: Path | undefined, context: EncodeContext): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, DIALECT_SLOT, path, context)
  if (tool.type === 'provider' && (tool.provider !== DIALECT_VENDOR || !providerToolTypes.has(tool.name))) {
    context.report('foreign-tool', path)
    return undefined
  }
  if (tool.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  const made =
    tool.type === 'provider' ? { ...tool.options, type: tool.name } : writeFunction(tool, path, context)
  return applyResidue(made, tool, DIALECT_SLOT)
}

/** Encodes tools; those that cannot be sent are omitted. */
export function encodeTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  return encodeToolList(tools, path, context, DIALECT_SLOT, encodeTool)
}

/** Encodes a function. `strict` is always written because its default in this API is true. */
function writeFunction(tool: FunctionTool, path: Path | undefined, context: EncodeContext): JsonObject {
  const { description, input } = tool
  const hints = getHints(tool, DIALECT_SLOT)
  const name = encodeToolName(tool.name, hints, toolNameRule, child(path, 'name'), context)
  const descriptionFields = description === undefined ? {} : { description }
  if (isCustomTool(tool)) return { type: 'custom', name, ...descriptionFields }
  const requested = { schema: input, strict: tool.strict }
  const { schema, strict } = encodeSchema(requested, fitOpenaiTool, hints, { path, key: 'input' }, context)
  return { type: 'function', name, ...descriptionFields, parameters: schema, strict: strict ?? false }
}

function isCustomTool(tool: FunctionTool): boolean {
  return (
    getHints(tool, DIALECT_SLOT)['wireType'] === 'custom' &&
    tool.strict === undefined &&
    isEqualJson(tool.input, textInputSchema)
  )
}

/** Decodes a tool choice; a provider tool is chosen by its type. */
export function decodeToolChoice(wire: Json | undefined, tools: readonly Tool[]): ToolChoice | undefined {
  if (wire === 'auto' || wire === 'none' || wire === 'required') return wire
  if (!isObject(wire)) return undefined
  const name = getToolName(wire, tools)
  if (name !== undefined) return { name }
  const { type, mode, tools: allowed } = wire
  if (type !== 'allowed_tools' || !isList(allowed) || (mode !== 'auto' && mode !== 'required'))
    return undefined
  const names = allowed.map((each) => (isObject(each) ? getToolName(each, tools) : undefined))
  return names.every((each) => each !== undefined) ? { allowed: names, mode } : undefined
}

function getToolName({ type, name }: JsonObject, tools: readonly Tool[]): string | undefined {
  if (type === 'function' || type === 'custom')
    return typeof name === 'string' && name !== '' ? name : undefined
  const isProviderTool = tools.some((tool) => tool.type === 'provider' && tool.name === type)
  return isProviderTool && name === undefined ? (type as string) : undefined
}

export function encodeToolChoice(
  choice: ToolChoice,
  tools: readonly Tool[],
  hints: OpenAIResponsesHints,
  context: EncodeContext,
): Json {
  if (typeof choice === 'string') return choice
  const path = child(undefined, 'toolChoice')
  const encodeChoice = (name: string): JsonObject => {
    const tool = tools.find((each) => each.type !== 'opaque' && each.name === name)
    if (tool?.type === 'provider' && tool.provider === DIALECT_VENDOR) return { type: name }
    const fit = encodeToolName(name, hints, toolNameRule, path, context)
    return { type: tool?.type === 'function' && isCustomTool(tool) ? 'custom' : 'function', name: fit }
  }
  if ('name' in choice) return encodeChoice(choice.name)
  return { type: 'allowed_tools', mode: choice.mode, tools: choice.allowed.map(encodeChoice) }
}
