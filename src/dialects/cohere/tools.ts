import type { FunctionTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { fitSchema } from '../../schema/fit-schema.ts'
import { someSchema } from '../../schema/map-subschemas.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isObject, itemsOf, type Json, type JsonObject, type JsonSchema } from '../../wire/json.ts'
import { type EncodeContext, toBodyValue } from '../engine/encode-context.ts'
import { applyResidue, attachResidue, getHints } from '../engine/residue-slots.ts'
import {
  createSchemaHint,
  encodeInputSchema,
  fitAndReport,
  type SchemaFitter,
} from '../shared/fit-schemas.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { noArgumentsSchema } from '../shared/tool-arguments.ts'
import { createFunctionTool, createToolDecoder, encodeToolList, requiresTools } from '../shared/tool-list.ts'
import { createToolNameHint, encodeToolName, readToolName } from '../shared/tool-names.ts'
import { DIALECT_SLOT, MAX_STRICT_FIELDS, toolNameRule } from './constants.ts'
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
    const isStrict = strict === true
    const hints = {
      ...createToolNameHint(name, toolNameRule),
      ...(isStrict && createSchemaHint({ schema: input, strict }, fitStrictInput)),
    }
    return attachResidue(tool, DIALECT_SLOT, hints, wire, (each, path, context) =>
      writeTool(each, path, context, isStrict),
    )
  },
)

/** A choice among the tools of a request. */
type AllowedTools = Extract<ToolChoice, { readonly allowed: readonly string[] }>

/** Returns a choice among tools as the list of those that are sent: the format can only require a call. */
export function toAllowedTools(choice: ToolChoice | undefined): AllowedTools | undefined {
  if (typeof choice !== 'object') return undefined
  return 'name' in choice ? { allowed: [choice.name], mode: 'required' } : choice
}

/**
 * Encodes tools; those that the choice excludes, and those that cannot be sent, are omitted. With `isStrict`, their schemas are
 * those that the API enforces.
 */
export function encodeTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  choice?: AllowedTools,
  isStrict = false,
): readonly JsonObject[] {
  return encodeToolList(tools, path, context, {
    slot: DIALECT_SLOT,
    choice,
    encodeTool: (tool, toolPath) => encodeTool(tool, toolPath, context, isStrict),
  })
}

function encodeTool(
  tool: Tool,
  path: Path,
  context: EncodeContext,
  isStrict: boolean,
): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, DIALECT_SLOT, path, context)
  if (tool.type === 'provider') {
    context.report('foreign-tool', path)
    return undefined
  }
  if (tool.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  return applyResidue(writeTool(tool, path, context, isStrict), tool, DIALECT_SLOT)
}

function writeTool(
  tool: FunctionTool,
  path: Path | undefined,
  context: EncodeContext,
  isStrict: boolean,
): JsonObject {
  const { description, input } = tool
  const hints = getHints(tool, DIALECT_SLOT)
  const requested = { input, strict: isStrict }
  return {
    type: 'function',
    function: {
      name: encodeToolName(tool.name, hints, toolNameRule, child(path, 'name'), context),
      ...(description !== undefined && { description }),
      parameters: isStrict
        ? encodeInputSchema(requested, fitStrictInput, hints, path, context).schema
        : toBodyValue(input, context),
    },
  }
}

/** Fits the schema of a strict tool. Without `strict_tools`, the API accepts all of JSON Schema. */
const fitStrictInput: SchemaFitter = (requested, location, context) => ({
  ...requested,
  schema: fitAndReport(requested.schema, 'cohere', location, context).schema,
})

/** The value of `strict_tools`, and the strict tools that prevent it. */
export interface StrictToolsPlan {
  readonly strict: boolean | undefined
  readonly refused: readonly number[]
}

/**
 * Plans `strict_tools`, one field for all tools: it is sent if all tools agree and their schemas can be enforced. Otherwise the
 * tools that ask for it are refused.
 */
export function planStrictTools(
  tools: readonly Tool[] = [],
  choice: AllowedTools | undefined,
  hints: CohereHints,
): StrictToolsPlan {
  const sent = [...tools.entries()].flatMap(([index, tool]) =>
    tool.type === 'function' && choice?.allowed.includes(tool.name) !== false ? [{ index, tool }] : [],
  )
  const [strict, ...others] = new Set(sent.map(({ tool }) => tool.strict))
  const isSupported =
    strict !== true || hints.acceptedStrictTools === true || canBeStrict(sent.map(({ tool }) => tool))
  if (others.length === 0 && isSupported) return { strict, refused: [] }
  return {
    strict: undefined,
    refused: sent.flatMap(({ index, tool }) => (tool.strict === true ? [index] : [])),
  }
}

/** Encodes `strict_tools`, and reports the tools that asked for it without success. */
export function encodeStrictTools(
  { strict, refused }: StrictToolsPlan,
  path: Path,
  context: EncodeContext,
): JsonObject {
  for (const index of refused) context.report('not-strict', child(child(path, index), 'strict'))
  return strict === undefined ? {} : { strict_tools: strict }
}

/** Returns the hint for received strict tools that the encoder would not send as strict. */
export function createStrictToolsHint(tools: readonly Tool[] = []): CohereHints {
  const strict = tools.filter((tool) => tool.type === 'function' && tool.strict === true)
  return canBeStrict(strict as readonly FunctionTool[]) ? {} : { acceptedStrictTools: true }
}

/** Tests whether the API enforces the fitted schemas of all tools. */
function canBeStrict(tools: readonly FunctionTool[]): boolean {
  const schemas = tools.map(({ input }) => fitSchema(input, 'cohere').schema)
  const fieldCount = schemas.reduce((sum, schema) => sum + countFields(schema), 0)
  const areObjects = schemas.every((schema) => schema['type'] === 'object' && !hasOptionalObject(schema))
  return areObjects && fieldCount <= MAX_STRICT_FIELDS
}

/** Returns the number of properties in a schema. */
function countFields(schema: JsonSchema): number {
  let count = 0
  someSchema(schema, ({ properties }) => {
    count += isObject(properties) ? Object.keys(properties).length : 0
    return false
  })
  return count
}

/**
 * Returns true for a schema with an object whose properties are all optional, which Cohere does not enforce.
 * @see https://docs.cohere.com/docs/structured-outputs (schema constraints)
 */
export function hasOptionalObject(schema: JsonSchema): boolean {
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
