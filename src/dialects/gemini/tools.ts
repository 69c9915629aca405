import type { FunctionTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { isEqualJson, isList, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import {
  createFunctionTool,
  createToolDecoder,
  encodeToolList,
  preserveRepeatedTools,
} from '../shared/tool-list.ts'
import { toHostedTool } from '../shared/hosted-tools.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { noArgumentsSchema } from '../shared/tool-arguments.ts'
import { applyResidue, createHintExtra, getHints, attachResidue } from '../engine/residue-slots.ts'
import { DIALECT_VENDOR, toolChoiceModes, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { decodeSchema, encodeSchemaField } from './convert-schema.ts'
import { keyAliases, toCamelCaseKeys } from './key-casing.ts'
import type { GeminiHints } from './hints.ts'

/** The key of the application's functions; every other key of a wire tool is a provider tool. */
const FUNCTIONS_KEY = 'functionDeclarations'

/** Decodes tools. A hint records how the list groups them, if the encoder would group them differently. */
export function decodeTools(wire: readonly Json[]): {
  readonly tools: readonly Tool[]
  readonly hints: GeminiHints
} {
  const groups = wire.map(readGroup)
  const tools = preserveRepeatedTools(groups.flat(), DIALECT_SLOT)
  const sizes = groups.map((group) => group.length)
  const defaultSizes = encodeGroups(tools, undefined, noReport).map((group) => group.length)
  return { tools, hints: isEqualJson(sizes, defaultSizes) ? {} : { toolGroupSizes: sizes } }
}

function readGroup(wire: Json): readonly Tool[] {
  const entries = isObject(wire) ? Object.entries(toCamelCaseKeys(wire)) : []
  if (entries.length === 0) return [createOpaqueTool(wire)]
  return entries.flatMap(([key, value]) =>
    key === FUNCTIONS_KEY ? readFunctions(value) : [readProvider(key, value)],
  )
}

function createOpaqueTool(value: Json): Tool {
  return { type: 'opaque', dialect: DIALECT_SLOT, value }
}

function readFunctions(wire: Json): readonly Tool[] {
  if (!isList(wire) || wire.length === 0) return [createOpaqueTool({ [FUNCTIONS_KEY]: wire })]
  return wire.map((each) => (isObject(each) ? decodeFunction(each) : createOpaqueTool(toEntry(each))))
}

function toEntry(declaration: Json): JsonObject {
  return { [FUNCTIONS_KEY]: [declaration] }
}

const decodeFunction = createToolDecoder(
  DIALECT_SLOT,
  (wire) => readFunction(wire) ?? createOpaqueTool(toEntry(wire)),
  toEntry,
)

function readFunction(wire: JsonObject): FunctionTool | undefined {
  const { name, description, parametersJsonSchema, parameters } = toCamelCaseKeys(wire)
  if (typeof name !== 'string' || name === '') return undefined
  const { schema: input = noArgumentsSchema, hints: schemaHints } =
    decodeSchema(parametersJsonSchema, parameters) ?? {}
  const tool = createFunctionTool(name, description, input)
  const hints = { ...createToolNameHint(name, toolNameRule), ...schemaHints }
  return attachResidue(tool, DIALECT_SLOT, hints, wire, writeFunction, { aliases: keyAliases })
}

/** Decodes a provider tool. Options that are not an object are wrapped in one. */
function readProvider(name: string, value: Json): Tool {
  const isOptions = isObject(value)
  const options = isOptions ? value : { value }
  const hints = isOptions ? {} : { extra: createHintExtra(DIALECT_SLOT, { nonObjectOptions: true }) }
  return Object.freeze({ type: 'provider', provider: DIALECT_VENDOR, name, options, ...hints })
}

/** Encodes tools in their recorded groups. By default, consecutive functions share an object. */
export function encodeTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  hints: GeminiHints = {},
): readonly JsonObject[] {
  return encodeGroups(tools, path, context, hints['toolGroupSizes']).map(mergeGroup)
}

/** Encodes each tool that can be sent as an object of its own, and groups those that share a wire object. */
function encodeGroups(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  sizes?: Json,
): readonly (readonly JsonObject[])[] {
  const entries = encodeToolList(tools, path, context, { slot: DIALECT_SLOT, encodeTool })
  const recorded: (readonly JsonObject[])[] = []
  let end = 0
  for (const size of itemsOf(sizes)) {
    recorded.push(entries.slice(end, end + Number(size)))
    end += Number(size)
  }
  if (end === tools.length && end === entries.length && recorded.every(isDistinct)) return recorded
  const groups: JsonObject[][] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    // Only functions share a group, so its last entry represents them all.
    if (last !== undefined && isFunction(last) && isFunction(entry)) group?.push(entry)
    else groups.push([entry])
  }
  return groups
}

function isFunction(entry: JsonObject): boolean {
  return isObject(entry) && Array.isArray(entry[FUNCTIONS_KEY])
}

/** Returns true if no key except that of the functions occurs twice. */
function isDistinct(group: readonly JsonObject[]): boolean {
  const keys = group.flatMap((entry) =>
    isFunction(entry) ? [] : isObject(entry) ? Object.keys(entry) : [''],
  )
  return new Set(keys).size === keys.length && (group.length === 1 || !keys.includes(''))
}

function mergeGroup(group: readonly JsonObject[]): JsonObject {
  const [only, ...others] = group
  if (only !== undefined && others.length === 0) return only
  const functions = group.filter(isFunction).flatMap((entry) => entry[FUNCTIONS_KEY] as readonly Json[])
  const rest = group.filter((entry) => !isFunction(entry)).flatMap((entry) => Object.entries(entry))
  return { ...Object.fromEntries(rest), ...(functions.length > 0 && { [FUNCTIONS_KEY]: functions }) }
}

function encodeTool(tool: Tool, path: Path | undefined, context: EncodeContext): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, DIALECT_SLOT, path, context)
  const hosted = tool.type === 'provider' ? toHostedTool(tool, DIALECT_VENDOR, path, context) : undefined
  if (tool.type === 'provider' && hosted === undefined) return undefined
  if (tool.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  if (tool.type === 'function')
    return { [FUNCTIONS_KEY]: [applyResidue(writeFunction(tool, path, context), tool, DIALECT_SLOT)] }
  const { name = tool.name, options = tool.options } = hosted ?? {}
  const { value, ...others } = options
  const isNonObject =
    getHints(tool, DIALECT_SLOT)['nonObjectOptions'] === true &&
    value !== undefined &&
    Object.keys(others).length === 0
  return { [name]: isNonObject ? value : options }
}

const schemaKeys = { json: 'parametersJsonSchema', gemini: 'parameters' }

function writeFunction(tool: FunctionTool, path?: Path, context: EncodeContext = noReport): JsonObject {
  const { name, description, input, strict } = tool
  const hints = getHints(tool, DIALECT_SLOT)
  if (strict === true) context.report('no-field', child(path, 'strict'))
  // Encoded before the name, in the order in which losses are reported.
  const schemaField = encodeSchemaField(input, schemaKeys, hints, { path, key: 'input' }, context)
  return {
    name: encodeToolName(name, hints, toolNameRule, child(path, 'name'), context),
    ...(description !== undefined && { description }),
    ...schemaField,
  }
}

/** Returns true if the encoded tools contain functions. */
export function hasEncodedFunctions(wire: readonly JsonObject[]): boolean {
  return wire.some((tool) => isObject(tool) && Object.hasOwn(tool, FUNCTIONS_KEY))
}

export function decodeToolChoice(wire: Json | undefined): ToolChoice | undefined {
  const config = isObject(wire) ? toCamelCaseKeys(wire)['functionCallingConfig'] : undefined
  if (!isObject(config)) return undefined
  const { mode: wireMode, allowedFunctionNames: names } = toCamelCaseKeys(config)
  const mode = toolChoiceModes.get(wireMode)
  const allowed =
    Array.isArray(names) && names.every((name) => typeof name === 'string' && name !== '') ? names : []
  const [only, ...others] = allowed as readonly string[]
  if (only !== undefined && (mode === 'ANY' || mode === 'VALIDATED')) {
    if (mode === 'ANY' && others.length === 0) return { name: only }
    return { allowed: [only, ...others], mode: mode === 'ANY' ? 'required' : 'auto' }
  }
  if (mode === undefined) return undefined
  return mode === 'ANY' ? 'required' : mode === 'NONE' ? 'none' : 'auto'
}

const wireModes: { readonly [choice in Extract<ToolChoice, string>]: string } = {
  auto: 'AUTO',
  none: 'NONE',
  required: 'ANY',
}

export function encodeToolChoice(choice: ToolChoice, hints: GeminiHints, context: EncodeContext): JsonObject {
  if (typeof choice === 'string') return { functionCallingConfig: { mode: wireModes[choice] } }
  const path = child(undefined, 'toolChoice')
  const isNamed = 'name' in choice
  const { allowed, mode } = isNamed ? { allowed: [choice.name], mode: 'required' } : choice
  if (allowed.length === 0 || (allowed.length === 1 && mode === 'required' && !isNamed))
    context.report('allowed-tools', path)
  if (allowed.length === 0) return { functionCallingConfig: { mode: 'NONE' } }
  const names = allowed.map((name) => encodeToolName(name, hints, toolNameRule, path, context))
  const wireMode = mode === 'required' ? 'ANY' : 'VALIDATED'
  return { functionCallingConfig: { mode: wireMode, allowedFunctionNames: names } }
}
