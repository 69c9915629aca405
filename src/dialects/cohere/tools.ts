import type { FunctionTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { someSchema } from '../../schema/map-subschemas.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isObject, itemsOf, type Json, type JsonObject, type JsonSchema } from '../../wire/json.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, attachResidue, getHints } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { toPlainFunctions } from '../shared/plain-functions.ts'
import { noArgumentsSchema } from '../shared/tool-arguments.ts'
import { createFunctionTool, createToolDecoder, encodeToolList, requiresTools } from '../shared/tool-list.ts'
import { createToolNameHint, encodeToolName, readToolName } from '../shared/tool-names.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { CohereHints } from './hints.ts'

/** Decodes a tool; an unknown one is kept as an opaque tool. `strict` is that of the request. */
export const decodeTool: (wire: Json, strict: boolean | undefined) => Tool = createToolDecoder(
  DIALECT_SLOT,
  (wire, strict: boolean | undefined) => {
    const body = wire['type'] === 'function' ? wire['function'] : undefined
    const name = readToolName(body)
    if (name === undefined) return undefined
    const { description, parameters } = body as JsonObject
    const input = isObject(parameters) ? parameters : noArgumentsSchema
    const tool = createFunctionTool(name, description, input, strict)
    return attachResidue(tool, DIALECT_SLOT, createToolNameHint(name, toolNameRule), wire, writeTool)
  },
)

/** A choice among the tools of a request. */
type AllowedTools = Extract<ToolChoice, { readonly allowed: readonly string[] }>

/** Returns a choice among tools as the list of those that are sent: the format can only require a call. */
export function toAllowedTools(choice: ToolChoice | undefined): AllowedTools | undefined {
  if (typeof choice !== 'object') return undefined
  return 'name' in choice ? { allowed: [choice.name], mode: 'required' } : choice
}

/** Encodes tools; those that the choice excludes, and those that cannot be sent, are omitted. */
export function encodeTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  choice?: AllowedTools,
): readonly JsonObject[] {
  const plain = toPlainFunctions(tools, path, context)
  return encodeToolList(plain, path, context, DIALECT_SLOT, encodeTool, choice)
}

function encodeTool(tool: Tool, path: Path, context: EncodeContext): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, DIALECT_SLOT, path, context)
  if (tool.type === 'provider') {
    context.report('foreign-tool', path)
    return undefined
  }
  if (tool.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  return applyResidue(writeTool(tool, path, context), tool, DIALECT_SLOT)
}

function writeTool(tool: FunctionTool, path: Path | undefined, context: EncodeContext): JsonObject {
  const { description, input } = tool
  return {
    type: 'function',
    function: {
      name: encodeToolName(
        tool.name,
        getHints(tool, DIALECT_SLOT),
        toolNameRule,
        child(path, 'name'),
        context,
      ),
      ...(description !== undefined && { description }),
      parameters: input,
    },
  }
}

/**
 * Encodes whether arguments are bound to their schemas: one field for all tools. It is sent if all tools agree and their
 * schemas are supported; otherwise the tools that ask for it are reported.
 */
export function encodeStrictTools(
  tools: readonly Tool[] = [],
  choice: AllowedTools | undefined,
  path: Path,
  hints: CohereHints,
  context: EncodeContext,
): JsonObject {
  const sent = [...tools.entries()].flatMap(([index, tool]) =>
    tool.type === 'function' && choice?.allowed.includes(tool.name) !== false ? [{ index, tool }] : [],
  )
  const [strict, ...others] = new Set(sent.map(({ tool }) => tool.strict))
  const isSupported =
    strict !== true ||
    hints.acceptedStrictTools === true ||
    !sent.some(({ tool }) => hasOptionalObject(tool.input))
  if (others.length === 0 && isSupported) return strict === undefined ? {} : { strict_tools: strict }
  for (const { index, tool } of sent)
    if (tool.strict === true) context.report('not-strict', child(child(path, index), 'strict'))
  return {}
}

/** Returns the hint for received strict tools that the encoder would not send as strict. */
export function createStrictToolsHint(tools: readonly Tool[] = []): CohereHints {
  const isOptional = tools.some(
    (tool) => tool.type === 'function' && tool.strict === true && hasOptionalObject(tool.input),
  )
  return isOptional ? { acceptedStrictTools: true } : {}
}

/**
 * Returns true for a schema with an object whose properties are all optional, which strict tools do not support.
 * @see https://docs.cohere.com/docs/structured-outputs (schema constraints)
 */
function hasOptionalObject(schema: JsonSchema): boolean {
  return someSchema(
    schema,
    ({ properties, required }) =>
      isObject(properties) && Object.keys(properties).length > 0 && itemsOf(required).length === 0,
  )
}

/** Decodes `tool_choice`. */
export function decodeToolChoice(wire: Json | undefined): { readonly toolChoice?: ToolChoice } {
  if (wire === 'REQUIRED') return { toolChoice: 'required' }
  return wire === 'NONE' ? { toolChoice: 'none' } : {}
}

/** Encodes a tool choice; a choice among tools was applied by omitting the others. */
export function encodeToolChoice(
  choice: ToolChoice | undefined,
  hasTools: boolean,
  { choiceWithoutTools }: CohereHints,
  context: EncodeContext,
): JsonObject {
  if (choice === 'none') return { tool_choice: 'NONE' }
  if (!requiresTools(choice)) return {}
  if (typeof choice === 'object' && 'name' in choice)
    context.report('tools-withheld', child(undefined, 'toolChoice'))
  if (!hasTools && choiceWithoutTools !== true) {
    context.report('choice-without-tools', child(undefined, 'toolChoice'))
    return {}
  }
  return typeof choice === 'object' && 'mode' in choice && choice.mode === 'auto'
    ? {}
    : { tool_choice: 'REQUIRED' }
}
