import type { FunctionTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { encodeOpaque } from '../shared/opaque-message.ts'
import { createInputSchemaHint, encodeSchema } from '../shared/fit-schemas.ts'
import { noArgumentsSchema } from '../shared/tool-arguments.ts'
import { applyResidue, hintedExtra, getHints, attachResidue } from '../engine/residue-slots.ts'
import { VENDOR, toolChoiceModes, DIALECT_SLOT, toolNameRule } from './constants.ts'
import {
  getSchemaFitter,
  isTypeStyle,
  convertFromGeminiSchema,
  convertToGeminiSchema,
  getTypeStyle,
} from './convert-schema.ts'
import { keyAliases, toCamelCaseKeys } from './key-casing.ts'
import type { GeminiHint } from './hints.ts'

/** The key below which the application's tools stand; every other key of a tool is one of the provider's. */
const FUNCTIONS_KEY = 'functionDeclarations'

/** Reads tools, and how many of them each object of the list held, where that is not what we would write. */
export function decodeTools(wire: readonly Json[]): {
  readonly tools: readonly Tool[]
  readonly hints: Hints<GeminiHint>
} {
  const groups = wire.map(readGroup)
  const tools = groups.flat()
  const sizes = groups.map((group) => group.length)
  const usual = groupEntries(tools, encodeEach(tools, undefined, noReport), undefined).map(
    ({ length }) => length,
  )
  const same = usual.length === sizes.length && usual.every((size, index) => size === sizes[index])
  return { tools, hints: same ? {} : { toolGroupSizes: sizes } }
}

function readGroup(wire: Json): readonly Tool[] {
  const known = isObject(wire) ? Object.entries(toCamelCaseKeys(wire)) : []
  if (known.length === 0) return [createOpaqueTool(wire)]
  return known.flatMap(([key, value]) =>
    key === FUNCTIONS_KEY ? readFunctions(value) : [readProvider(key, value)],
  )
}

function createOpaqueTool(value: Json): Tool {
  return Object.freeze({ type: 'opaque', dialect: DIALECT_SLOT, value })
}

function readFunctions(wire: Json): readonly Tool[] {
  if (!isList(wire) || wire.length === 0) return [createOpaqueTool({ [FUNCTIONS_KEY]: wire })]
  return wire.map((each) => {
    const tool = isObject(each) ? readFunction(each) : undefined
    return tool ?? createOpaqueTool({ [FUNCTIONS_KEY]: [each] })
  })
}

function readFunction(came: JsonObject): FunctionTool | undefined {
  const { name, description, parametersJsonSchema: schema, parameters } = toCamelCaseKeys(came)
  if (typeof name !== 'string' || name === '') return undefined
  const own = isObject(schema) ? undefined : isObject(parameters) ? parameters : undefined
  const input = isObject(schema)
    ? schema
    : own === undefined
      ? noArgumentsSchema
      : convertFromGeminiSchema(own)
  const tool: FunctionTool = {
    type: 'function',
    name,
    ...(typeof description === 'string' && { description }),
    input,
  }
  const types = own && getTypeStyle(own)
  const hints = {
    ...createToolNameHint(name, toolNameRule),
    ...(types !== undefined && { schemaTypeStyle: types }),
    ...createInputSchemaHint(tool, getSchemaFitter(types)),
  }
  return attachResidue(
    tool,
    DIALECT_SLOT,
    DIALECT_SLOT,
    hints,
    came,
    (each) => writeFunction(each, undefined, noReport),
    keyAliases,
  )
}

/** Options are an object; what came as something else is held in one. */
function readProvider(name: string, value: Json): Tool {
  const isOptions = isObject(value)
  const options = isOptions ? value : { value }
  const hints = isOptions ? {} : { extra: hintedExtra(DIALECT_SLOT, { nonObjectOptions: true }) }
  return Object.freeze({ type: 'provider', provider: VENDOR, name, options, ...hints })
}

/** Writes the tools: functions that stand together in one object, others each in their own, or as they came. */
export function encodeTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  hints: Hints<GeminiHint> = {},
): readonly JsonObject[] {
  const entries = encodeEach(tools, path, context)
  return groupEntries(tools, entries, hints['toolGroupSizes']).map(mergeGroup)
}

/** Each tool as an object of its own, without those that cannot be sent. */
function encodeEach(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  return tools
    .map((tool, index) => encodeTool(tool, child(path, index), context))
    .filter((entry) => entry !== undefined)
}

/** The entries by the objects that they go into. */
function groupEntries(
  tools: readonly Tool[],
  entries: readonly JsonObject[],
  sizes: Json | undefined,
): readonly (readonly JsonObject[])[] {
  const wanted = isList(sizes) ? sizes.map(Number) : []
  if (
    wanted.length > 0 &&
    wanted.reduce((a, b) => a + b, 0) === tools.length &&
    tools.length === entries.length
  ) {
    const starts = wanted.map((_, index) => wanted.slice(0, index).reduce((a, b) => a + b, 0))
    const groups = wanted.map((size, index) => entries.slice(starts[index], (starts[index] ?? 0) + size))
    if (groups.every(isDistinct)) return groups
  }
  const groups: JsonObject[][] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    if (group?.every(isFunction) && isFunction(entry)) group.push(entry)
    else groups.push([entry])
  }
  return groups
}

function isFunction(entry: JsonObject): boolean {
  return isObject(entry) && Object.hasOwn(entry, FUNCTIONS_KEY) && Array.isArray(entry[FUNCTIONS_KEY])
}

/** Whether no key but that of the functions is used twice. */
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
  if (tool.type === 'provider' && tool.provider !== VENDOR) {
    context.report('foreign-tool', path)
    return undefined
  }
  if (tool.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  if (tool.type === 'function')
    return { [FUNCTIONS_KEY]: [applyResidue(writeFunction(tool, path, context), tool, DIALECT_SLOT)] }
  const { value, ...others } = tool.options
  const bare =
    getHints(tool, DIALECT_SLOT)['nonObjectOptions'] === true &&
    value !== undefined &&
    Object.keys(others).length === 0
  return { [tool.name]: bare ? value : tool.options }
}

function writeFunction(tool: FunctionTool, path: Path | undefined, context: EncodeContext): JsonObject {
  const { name, description, input, strict } = tool
  const hints = getHints(tool, DIALECT_SLOT)
  if (strict === true) context.report('no-field', child(path, 'strict'))
  const { schemaTypeStyle: types } = hints
  const location = { path, key: 'input' } as const
  const { schema } = encodeSchema({ schema: input }, getSchemaFitter(types), hints, location, context)
  return {
    name: encodeToolName(name, hints, toolNameRule, child(path, 'name'), context),
    ...(description !== undefined && { description }),
    ...(isTypeStyle(types)
      ? { parameters: convertToGeminiSchema(schema, types) }
      : { parametersJsonSchema: schema }),
  }
}

/** Whether there are functions to choose from. */
export function hasFunctions(wire: readonly JsonObject[]): boolean {
  return wire.some((tool) => isObject(tool) && Object.hasOwn(tool, FUNCTIONS_KEY))
}

/** Reads which functions the model may or must call. */
export function decodeToolChoice(wire: Json | undefined): ToolChoice | undefined {
  const config = isObject(wire) ? toCamelCaseKeys(wire)['functionCallingConfig'] : undefined
  if (!isObject(config)) return undefined
  const { mode: word, allowedFunctionNames: names } = toCamelCaseKeys(config)
  const mode = toolChoiceModes.get(word)
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

/** What to remember of a choice: a name that a host took although it is not fit. */
export function createToolChoiceHint(choice: ToolChoice | undefined): Hints<GeminiHint> {
  if (typeof choice !== 'object') return {}
  const names = 'name' in choice ? [choice.name] : choice.allowed
  return (
    names.map((name) => createToolNameHint(name, toolNameRule)).find((hint) => 'acceptedName' in hint) ?? {}
  )
}

const modes: { readonly [word in Extract<ToolChoice, string>]: string } = {
  auto: 'AUTO',
  none: 'NONE',
  required: 'ANY',
}

/** Writes which functions the model may or must call. */
export function encodeToolChoice(
  choice: ToolChoice,
  hints: Hints<GeminiHint>,
  context: EncodeContext,
): JsonObject {
  const path = child(undefined, 'toolChoice')
  const write = (name: string): string => encodeToolName(name, hints, toolNameRule, path, context)
  if (typeof choice === 'string') {
    return { functionCallingConfig: { mode: modes[choice] } }
  }
  if ('name' in choice)
    return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [write(choice.name)] } }
  const { allowed, mode } = choice
  if (allowed.length === 0 || (allowed.length === 1 && mode === 'required'))
    context.report('allowed-tools', path)
  if (allowed.length === 0) return { functionCallingConfig: { mode: 'NONE' } }
  const word = mode === 'required' ? 'ANY' : 'VALIDATED'
  return { functionCallingConfig: { mode: word, allowedFunctionNames: allowed.map(write) } }
}
