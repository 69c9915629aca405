import type { FunctionTool, Tool, ToolChoice, ToolTextInput } from '../../canonical/model/tool.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { CallHintsOfTool } from '../engine/tool-call-forms.ts'
import { createToolNameHint, encodeToolName, readToolName } from '../shared/tool-names.ts'
import { createFunctionTool, createToolDecoder, encodeToolList } from '../shared/tool-list.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import {
  createSchemaHint,
  createStrictFitter,
  encodeInputSchema,
  fitOpenaiTool,
  type SchemaFitter,
} from '../shared/fit-schemas.ts'
import { decodeGrammar, isTextTool } from '../shared/plain-functions.ts'
import { noArgumentsSchema, textInputSchema } from '../shared/tool-arguments.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { decodeCacheMarker, encodePartCacheMarker } from './cache-markers.ts'
import type { OpenAIChatFlavor } from './flavor-type.ts'
import { getFlavor } from './flavors.ts'
import type { OpenAIChatHints } from './hints.ts'

/** Decodes a tool of a request to a host; an unknown one is kept as an opaque tool. */
export const decodeTool: (wire: Json, flavor: OpenAIChatFlavor) => Tool = createToolDecoder(
  DIALECT_SLOT,
  (wire, flavor: OpenAIChatFlavor) => {
    const read = readTool(wire)
    if (read === undefined) return undefined
    const cached = decodeCacheMarker(wire)
    const tool = cached === undefined ? read : { ...read, cache: cached.cache }
    const hints = {
      ...(cached !== undefined && { cacheMarkerStyle: cached.style }),
      ...createToolNameHint(tool.name, toolNameRule),
      ...createSchemaHint({ schema: tool.input, strict: tool.strict }, createToolFitter(flavor)),
    }
    return attachResidue(tool, DIALECT_SLOT, hints, wire, encodeTool)
  },
)

/** Decodes an entry of the legacy field `functions`, which is a tool without its wrapper. */
export function decodeLegacyFunction(wire: Json, flavor: OpenAIChatFlavor): Tool {
  return decodeTool({ type: 'function', function: wire }, flavor)
}

function readTool({ type, function: functionBody, custom }: JsonObject): FunctionTool | undefined {
  const body = type === 'function' ? functionBody : type === 'custom' ? custom : undefined
  const name = readToolName(body)
  if (!isObject(body) || name === undefined) return undefined
  const { description, parameters = noArgumentsSchema, strict, format } = body
  if (type === 'custom')
    return { ...createFunctionTool(name, description, textInputSchema), textInput: decodeTextInput(format) }
  return isObject(parameters) ? createFunctionTool(name, description, parameters, strict) : undefined
}

function decodeTextInput(format: Json | undefined): ToolTextInput {
  const grammar =
    isObject(format) && format['type'] === 'grammar' ? decodeGrammar(format['grammar']) : undefined
  return grammar === undefined ? {} : { grammar }
}

function createToolFitter({ toolSchemaTarget }: OpenAIChatFlavor): SchemaFitter {
  return toolSchemaTarget === undefined
    ? fitOpenaiTool
    : createStrictFitter('openai-strict', toolSchemaTarget)
}

/** Encodes a tool; returns undefined if it cannot be sent. */
function encodeTool(tool: Tool, path: Path | undefined, context: EncodeContext): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, DIALECT_SLOT, path, context)
  if (tool.type === 'provider') {
    context.report('foreign-tool', path)
    return undefined
  }
  const hints = getHints(tool, DIALECT_SLOT)
  const cacheFields = tool.cache && encodePartCacheMarker(tool.cache, hints, 'tool', path, context)
  const flavor = getFlavor(context.options)
  const { supportsCustomTools, supportsStrict } = flavor
  const name = encodeToolName(tool.name, hints, toolNameRule, child(path, 'name'), context)
  const declared = { name, ...(tool.description !== undefined && { description: tool.description }) }
  if (supportsCustomTools !== false && isTextTool(tool)) {
    const { grammar } = tool.textInput ?? {}
    const format = grammar === undefined ? {} : { format: { type: 'grammar', grammar: { ...grammar } } }
    return applyResidue(
      { type: 'custom', custom: { ...declared, ...format }, ...cacheFields },
      tool,
      DIALECT_SLOT,
    )
  }
  const isStrictRefused = tool.strict !== undefined && supportsStrict === false
  if (isStrictRefused && tool.strict) context.report('no-field', child(path, 'strict'))
  const requested = { input: tool.input, strict: isStrictRefused ? undefined : tool.strict }
  const { schema, strict } = encodeInputSchema(requested, createToolFitter(flavor), hints, path, context)
  const strictFields = strict === undefined ? {} : { strict }
  const body = { ...declared, parameters: schema, ...strictFields }
  const made = { type: 'function', function: body, ...cacheFields }
  return applyResidue(made, tool, DIALECT_SLOT)
}

/** Encodes tools; those that cannot be sent are omitted. */
export function encodeTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  encode: typeof encodeTool = encodeTool,
): readonly JsonObject[] {
  const supportsTextInput = getFlavor(context.options).supportsCustomTools !== false
  return encodeToolList(tools, path, context, { slot: DIALECT_SLOT, supportsTextInput, encodeTool: encode })
}

/** Encodes the tools of a request, without hosted tools: those are fields of the body. */
export function encodeApplicationTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  return encodeTools(tools, path, context, (tool, toolPath) =>
    tool.type === 'provider' ? undefined : encodeTool(tool, toolPath, context),
  )
}

/** Returns the hints for calls of a tool: calls of custom tools have a form of their own. */
export const getCallHints: CallHintsOfTool = (tool) => (isTextTool(tool) ? { wireType: 'custom' } : {})

/** Decodes the tool choice of the legacy field `function_call`. */
export function decodeLegacyToolChoice(wire: Json | undefined): ToolChoice | undefined {
  if (wire === 'auto' || wire === 'none') return wire
  const name = readToolName(wire)
  return name === undefined ? undefined : { name }
}

/** Encodes a tool choice for the legacy field `function_call`, if the field supports it. */
export function encodeLegacyToolChoice(
  choice: ToolChoice,
  hints: OpenAIChatHints,
  context: EncodeContext,
): Json | undefined {
  if (typeof choice === 'string') return choice === 'required' ? undefined : choice
  return 'name' in choice ? { name: encodeChosenName(choice.name, hints, context) } : undefined
}

/** Encodes the name of a chosen tool like the name of the tool itself. */
function encodeChosenName(name: string, hints: OpenAIChatHints, context: EncodeContext): string {
  return encodeToolName(name, hints, toolNameRule, child(undefined, 'toolChoice'), context)
}

export function decodeToolChoice(wire: Json | undefined): ToolChoice | undefined {
  if (wire === 'auto' || wire === 'none' || wire === 'required') return wire
  if (!isObject(wire)) return undefined
  const { type, function: functionBody, custom, allowed_tools: allowed } = wire
  const name =
    type === 'function' ? readToolName(functionBody) : type === 'custom' ? readToolName(custom) : undefined
  if (name !== undefined) return { name }
  if (type !== 'allowed_tools' || !isObject(allowed) || !isList(allowed['tools'])) return undefined
  const names = allowed['tools'].map((tool) =>
    isObject(tool) ? (readToolName(tool['function']) ?? readToolName(tool['custom'])) : undefined,
  )
  const { mode } = allowed
  return names.every((each) => each !== undefined) && (mode === 'auto' || mode === 'required')
    ? { allowed: names, mode }
    : undefined
}

export function encodeToolChoice(
  choice: ToolChoice,
  tools: readonly Tool[],
  hints: OpenAIChatHints,
  context: EncodeContext,
): Json {
  if (typeof choice === 'string') return choice
  const supportsCustomTools = getFlavor(context.options).supportsCustomTools !== false
  const encodeChoice = (name: string): JsonObject => {
    const tool = tools.find((each) => each.type === 'function' && each.name === name)
    const type = supportsCustomTools && tool?.type === 'function' && isTextTool(tool) ? 'custom' : 'function'
    return { type, [type]: { name: encodeChosenName(name, hints, context) } }
  }
  if ('name' in choice) return encodeChoice(choice.name)
  const allowed = choice.allowed.map(encodeChoice)
  return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools: allowed } }
}
