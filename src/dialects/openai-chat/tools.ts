import type { FunctionTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { isEqualJson, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { encodeOpaque } from '../shared/opaque-message.ts'
import { createInputSchemaHint, fitOpenaiSchema, encodeSchema } from '../shared/fit-schemas.ts'
import { noArgumentsSchema, textInputSchema } from '../shared/tool-arguments.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { getFlavor } from './flavors.ts'
import type { OpenAIChatHint } from './hints.ts'

/** Decodes a tool; an unknown one is kept as an opaque tool. */
export function decodeTool(wire: Json): Tool {
  const decoded = isObject(wire) ? (readFunction(wire) ?? readCustom(wire)) : undefined
  if (decoded === undefined) return Object.freeze({ type: 'opaque', dialect: DIALECT_SLOT, value: wire })
  const { tool, hints } = decoded
  const allHints = {
    ...hints,
    ...createToolNameHint(tool.name, toolNameRule),
    ...createInputSchemaHint(tool, fitOpenaiSchema),
  }
  return attachResidue(tool, DIALECT_SLOT, DIALECT_SLOT, allHints, wire as JsonObject, (each) =>
    encodeTool(each, undefined, noReport),
  )
}

/** Decodes an entry of the legacy field `functions`, which is a tool without its wrapper. */
export function decodeLegacyFunction(wire: Json): Tool {
  return decodeTool({ type: 'function', function: wire })
}

function readFunction({
  type,
  function: body,
}: JsonObject): { readonly tool: FunctionTool; readonly hints: Hints<OpenAIChatHint> } | undefined {
  if (type !== 'function' || !isObject(body) || typeof body['name'] !== 'string' || body['name'] === '')
    return undefined
  const { name, description, parameters, strict } = body
  if (parameters !== undefined && !isObject(parameters)) return undefined
  return {
    tool: {
      type: 'function',
      name,
      ...(typeof description === 'string' && { description }),
      input: parameters ?? noArgumentsSchema,
      ...(typeof strict === 'boolean' && { strict }),
    },
    hints: {},
  }
}

function readCustom({
  type,
  custom,
}: JsonObject): { readonly tool: FunctionTool; readonly hints: Hints<OpenAIChatHint> } | undefined {
  if (type !== 'custom' || !isObject(custom) || typeof custom['name'] !== 'string' || custom['name'] === '')
    return undefined
  const { name, description } = custom
  const tool: FunctionTool = {
    type: 'function',
    name,
    ...(typeof description === 'string' && { description }),
    input: textInputSchema,
  }
  return { tool, hints: { wireType: 'custom' } }
}

/** Encodes a tool; returns undefined if it cannot be sent. */
function encodeTool(tool: Tool, path: Path | undefined, context: EncodeContext): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, DIALECT_SLOT, path, context)
  if (tool.type === 'provider') {
    context.report('foreign-tool', path)
    return undefined
  }
  if (tool.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  const name = encodeToolName(
    tool.name,
    getHints(tool, DIALECT_SLOT),
    toolNameRule,
    child(path, 'name'),
    context,
  )
  const descriptionFields = tool.description === undefined ? {} : { description: tool.description }
  const flavor = getFlavor(context.options)
  const isCustom = getHints(tool, DIALECT_SLOT)['wireType'] === 'custom' && tool.strict === undefined
  if (isCustom && flavor.supportsCustomTools === false) context.report('custom-as-function', path)
  else if (isCustom && isEqualJson(tool.input, textInputSchema)) {
    return applyResidue({ type: 'custom', custom: { name, ...descriptionFields } }, tool, DIALECT_SLOT)
  }
  const isStrictRefused = tool.strict !== undefined && flavor.supportsStrict === false
  if (isStrictRefused && tool.strict === true) context.report('no-field', child(path, 'strict'))
  const requested = { schema: tool.input, strict: isStrictRefused ? undefined : tool.strict }
  const location = { path, key: 'input' } as const
  const { schema, strict } = encodeSchema(
    requested,
    fitOpenaiSchema,
    getHints(tool, DIALECT_SLOT),
    location,
    context,
  )
  const made = {
    type: 'function',
    function: { name, ...descriptionFields, parameters: schema, ...(strict !== undefined && { strict }) },
  }
  return applyResidue(made, tool, DIALECT_SLOT)
}

/** Encodes tools; those that cannot be sent are omitted. */
export function encodeTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  return tools
    .map((tool, index) => encodeTool(tool, child(path, index), context))
    .filter((tool) => tool !== undefined)
}

/** Decodes the tool choice of the legacy field `function_call`. */
export function decodeLegacyToolChoice(wire: Json | undefined): ToolChoice | undefined {
  if (wire === 'auto' || wire === 'none') return wire
  const name = isObject(wire) ? wire['name'] : undefined
  return typeof name === 'string' && name !== '' ? { name } : undefined
}

/**
 * Encodes a tool choice for the legacy field `function_call`; returns undefined for one that the field does
 * not support.
 */
export function encodeLegacyToolChoice(
  choice: ToolChoice,
  hints: Hints<OpenAIChatHint>,
  context: EncodeContext,
): Json | undefined {
  if (typeof choice === 'string') return choice === 'required' ? undefined : choice
  return 'name' in choice ? { name: encodeChosenName(choice.name, hints, context) } : undefined
}

/** Encodes the name of a chosen tool like the name of the tool itself. */
function encodeChosenName(name: string, hints: Hints<OpenAIChatHint>, context: EncodeContext): string {
  return encodeToolName(name, hints, toolNameRule, child(undefined, 'toolChoice'), context)
}

/** Creates the hint for a tool choice with a name that a host accepted although it breaks the rule. */
export function createToolChoiceHint(choice: ToolChoice | undefined): Hints<OpenAIChatHint> {
  if (typeof choice !== 'object') return {}
  const names = 'name' in choice ? [choice.name] : choice.allowed
  return (
    names.map((name) => createToolNameHint(name, toolNameRule)).find((hint) => 'acceptedName' in hint) ?? {}
  )
}

/** Decodes a tool choice. */
export function decodeToolChoice(wire: Json | undefined): ToolChoice | undefined {
  if (wire === 'auto' || wire === 'none' || wire === 'required') return wire
  if (!isObject(wire)) return undefined
  const { type, function: functionBody, custom, allowed_tools: allowed } = wire
  const body = type === 'function' ? functionBody : type === 'custom' ? custom : undefined
  if (isObject(body) && typeof body['name'] === 'string' && body['name'] !== '') return { name: body['name'] }
  if (type !== 'allowed_tools' || !isObject(allowed) || !Array.isArray(allowed['tools'])) return undefined
  const names = (allowed['tools'] as readonly Json[]).map(getFunctionName)
  const { mode } = allowed
  return names.every((name) => name !== undefined) && (mode === 'auto' || mode === 'required')
    ? { allowed: names, mode }
    : undefined
}

function getFunctionName(tool: Json): string | undefined {
  const body = isObject(tool) ? tool['function'] : undefined
  return isObject(body) && typeof body['name'] === 'string' && body['name'] !== '' ? body['name'] : undefined
}

/** Encodes a tool choice. */
export function encodeToolChoice(
  choice: ToolChoice,
  hints: Hints<OpenAIChatHint>,
  context: EncodeContext,
): Json {
  if (typeof choice === 'string') return choice
  if ('name' in choice)
    return { type: 'function', function: { name: encodeChosenName(choice.name, hints, context) } }
  const tools = choice.allowed.map((name) => ({
    type: 'function',
    function: { name: encodeChosenName(name, hints, context) },
  }))
  return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools } }
}
