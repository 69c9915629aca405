import type { FunctionTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { nameHint, writeName } from '../shared/names.ts'
import { encodeOpaque } from '../shared/opaque.ts'
import { inputHint, writeSchema } from '../shared/schemas.ts'
import { noArguments } from '../shared/tool-schemas.ts'
import { applyResidue, hintedExtra, hintsFor, keep } from '../unit.ts'
import { MAKER, choices, SLOT, toolNames } from './codes.ts'
import { fitFor, isStyle, lowered, raised, styleOf } from './schema.ts'
import { aliases, camel, type Wire } from './spelling.ts'
import type { GeminiHint } from './hints.ts'

/** The key below which the application's tools stand; every other key of a tool is one of the provider's. */
const DECLARED = 'functionDeclarations'

/** Reads tools, and how many of them each object of the list held, where that is not what we would write. */
export function decodeTools(wire: readonly Json[]): {
  readonly tools: readonly Tool[]
  readonly hints: Hints<GeminiHint>
} {
  const groups = wire.map(readGroup)
  const tools = groups.flat()
  const sizes = groups.map((group) => group.length)
  const usual = grouped(tools, entriesOf(tools, undefined, silent), undefined).map(({ length }) => length)
  const same = usual.length === sizes.length && usual.every((size, index) => size === sizes[index])
  return { tools, hints: same ? {} : { toolGroupSizes: sizes } }
}

function readGroup(wire: Json): readonly Tool[] {
  const known = isObject(wire) ? Object.entries(camel(wire)) : []
  if (known.length === 0) return [opaque(wire)]
  return known.flatMap(([key, value]) =>
    key === DECLARED ? readDeclared(value) : [readProvider(key, value)],
  )
}

function opaque(value: Json): Tool {
  return Object.freeze({ type: 'opaque', dialect: SLOT, value })
}

function readDeclared(wire: Json): readonly Tool[] {
  if (!isList(wire) || wire.length === 0) return [opaque({ [DECLARED]: wire })]
  return wire.map((each) => {
    const tool = isObject(each) ? readFunction(each) : undefined
    return tool ?? opaque({ [DECLARED]: [each] })
  })
}

function readFunction(came: Wire): FunctionTool | undefined {
  const { name, description, parametersJsonSchema: schema, parameters } = camel(came)
  if (typeof name !== 'string' || name === '') return undefined
  const own = isObject(schema) ? undefined : isObject(parameters) ? parameters : undefined
  const input = isObject(schema) ? schema : own === undefined ? noArguments : lowered(own)
  const tool: FunctionTool = {
    type: 'function',
    name,
    ...(typeof description === 'string' && { description }),
    input,
  }
  const types = own && styleOf(own)
  const hints = {
    ...nameHint(name, toolNames),
    ...(types !== undefined && { schemaTypeStyle: types }),
    ...inputHint(tool, fitFor(types)),
  }
  return keep(tool, SLOT, SLOT, hints, came, (each) => writeFunction(each, undefined, silent), aliases)
}

/** Options are an object; what came as something else is held in one. */
function readProvider(name: string, value: Json): Tool {
  const isOptions = isObject(value)
  const options = isOptions ? value : { value }
  const hints = isOptions ? {} : { extra: hintedExtra(SLOT, { nonObjectOptions: true }) }
  return Object.freeze({ type: 'provider', provider: MAKER, name, options, ...hints })
}

/** Writes the tools: functions that stand together in one object, others each in their own, or as they came. */
export function encodeTools(
  tools: readonly Tool[],
  at: Path | undefined,
  encoding: Encoding,
  hints: Hints<GeminiHint> = {},
): readonly JsonObject[] {
  const entries = entriesOf(tools, at, encoding)
  return grouped(tools, entries, hints['toolGroupSizes']).map(merged)
}

/** Each tool as an object of its own, without those that cannot be sent. */
function entriesOf(tools: readonly Tool[], at: Path | undefined, encoding: Encoding): readonly JsonObject[] {
  return tools
    .map((tool, index) => encodeTool(tool, below(at, index), encoding))
    .filter((entry) => entry !== undefined)
}

/** The entries by the objects that they go into. */
function grouped(
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
  return isObject(entry) && Object.hasOwn(entry, DECLARED) && Array.isArray(entry[DECLARED])
}

/** Whether no key but that of the functions is used twice. */
function isDistinct(group: readonly JsonObject[]): boolean {
  const keys = group.flatMap((entry) =>
    isFunction(entry) ? [] : isObject(entry) ? Object.keys(entry) : [''],
  )
  return new Set(keys).size === keys.length && (group.length === 1 || !keys.includes(''))
}

function merged(group: readonly JsonObject[]): JsonObject {
  const [only, ...others] = group
  if (only !== undefined && others.length === 0) return only
  const functions = group.filter(isFunction).flatMap((entry) => entry[DECLARED] as readonly Json[])
  const rest = group.filter((entry) => !isFunction(entry)).flatMap((entry) => Object.entries(entry))
  return { ...Object.fromEntries(rest), ...(functions.length > 0 && { [DECLARED]: functions }) }
}

function encodeTool(tool: Tool, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, SLOT, at, encoding)
  if (tool.type === 'provider' && tool.provider !== MAKER) {
    encoding.lose('foreign-tool', at)
    return undefined
  }
  if (tool.cache !== undefined) encoding.lose('cache-hint', below(at, 'cache'))
  if (tool.type === 'function')
    return { [DECLARED]: [applyResidue(writeFunction(tool, at, encoding), tool, SLOT)] }
  const { value, ...others } = tool.options
  const bare =
    hintsFor(tool, SLOT)['nonObjectOptions'] === true &&
    value !== undefined &&
    Object.keys(others).length === 0
  return { [tool.name]: bare ? value : tool.options }
}

function writeFunction(tool: FunctionTool, at: Path | undefined, encoding: Encoding): JsonObject {
  const { name, description, input, strict } = tool
  const hints = hintsFor(tool, SLOT)
  if (strict === true) encoding.lose('no-field', below(at, 'strict'))
  const { schemaTypeStyle: types } = hints
  const place = { at, key: 'input' } as const
  const { schema } = writeSchema({ schema: input }, fitFor(types), hints, place, encoding)
  return {
    name: writeName(name, hints, toolNames, below(at, 'name'), encoding),
    ...(description !== undefined && { description }),
    ...(isStyle(types) ? { parameters: raised(schema, types) } : { parametersJsonSchema: schema }),
  }
}

/** Whether there are functions to choose from. */
export function hasFunctions(wire: readonly JsonObject[]): boolean {
  return wire.some((tool) => isObject(tool) && Object.hasOwn(tool, DECLARED))
}

/** Reads which functions the model may or must call. */
export function decodeChoice(wire: Json | undefined): ToolChoice | undefined {
  const config = isObject(wire) ? camel(wire)['functionCallingConfig'] : undefined
  if (!isObject(config)) return undefined
  const { mode: word, allowedFunctionNames: names } = camel(config)
  const mode = choices.get(word)
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
export function choiceHint(choice: ToolChoice | undefined): Hints<GeminiHint> {
  if (typeof choice !== 'object') return {}
  const names = 'name' in choice ? [choice.name] : choice.allowed
  return names.map((name) => nameHint(name, toolNames)).find((hint) => 'acceptedName' in hint) ?? {}
}

const modes: { readonly [word in Extract<ToolChoice, string>]: string } = {
  auto: 'AUTO',
  none: 'NONE',
  required: 'ANY',
}

/** Writes which functions the model may or must call. */
export function encodeChoice(choice: ToolChoice, hints: Hints<GeminiHint>, encoding: Encoding): JsonObject {
  const at = below(undefined, 'toolChoice')
  const write = (name: string): string => writeName(name, hints, toolNames, at, encoding)
  if (typeof choice === 'string') {
    return { functionCallingConfig: { mode: modes[choice] } }
  }
  if ('name' in choice)
    return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [write(choice.name)] } }
  const { allowed, mode } = choice
  if (allowed.length === 0 || (allowed.length === 1 && mode === 'required'))
    encoding.lose('allowed-tools', at)
  if (allowed.length === 0) return { functionCallingConfig: { mode: 'NONE' } }
  const word = mode === 'required' ? 'ANY' : 'VALIDATED'
  return { functionCallingConfig: { mode: word, allowedFunctionNames: allowed.map(write) } }
}
