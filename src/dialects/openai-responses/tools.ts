import type { FunctionTool, ProviderTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { equalJson, isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { nameHint, writeName } from '../shared/names.ts'
import { inputHint, openaiSchemas, writeSchema } from '../shared/schemas.ts'
import { noArguments, textInput } from '../shared/tool-schemas.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { encodeOpaque } from '../shared/opaque.ts'
import { MAKER, providerTools, SLOT, toolNames } from './codes.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a tool: one of the application's, one of the provider's, or one that we do not know. */
export function decodeTool(wire: Json): Tool {
  const tool = isObject(wire) ? (readFunction(wire) ?? readProvider(wire)) : undefined
  if (tool === undefined || !isObject(wire))
    return Object.freeze({ type: 'opaque', dialect: SLOT, value: wire })
  const custom = tool.type === 'function' && wire['type'] === 'custom'
  const hints = {
    ...(custom && { wireType: 'custom' }),
    ...(tool.type === 'function' && {
      ...nameHint(tool.name, toolNames),
      ...inputHint(tool, openaiSchemas),
    }),
  }
  return keep(tool, SLOT, SLOT, hints, wire, (each) => encodeTool(each, undefined, silent))
}

function readFunction({ type, name, description, parameters, strict }: Wire): FunctionTool | undefined {
  if ((type !== 'function' && type !== 'custom') || typeof name !== 'string' || name === '') return undefined
  const base = { type: 'function', name, ...(typeof description === 'string' && { description }) } as const
  if (type === 'custom') return { ...base, input: textInput }
  if (parameters !== undefined && parameters !== null && !isObject(parameters)) return undefined
  return { ...base, input: parameters ?? noArguments, ...(typeof strict === 'boolean' && { strict }) }
}

function readProvider({ type, ...options }: Wire): ProviderTool | undefined {
  if (!providerTools.has(type)) return undefined
  return { type: 'provider', provider: MAKER, name: type as string, options }
}

/** Writes a tool; undefined where it cannot be sent. */
function encodeTool(tool: Tool, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, SLOT, at, encoding)
  if (tool.type === 'provider' && (tool.provider !== MAKER || !providerTools.has(tool.name))) {
    encoding.lose('foreign-tool', at)
    return undefined
  }
  if (tool.cache !== undefined) encoding.lose('cache-hint', below(at, 'cache'))
  const made =
    tool.type === 'provider' ? { ...tool.options, type: tool.name } : writeFunction(tool, at, encoding)
  return applyResidue(made, tool, SLOT)
}

/** Writes tools, without those that cannot be sent. */
export function encodeTools(
  tools: readonly Tool[],
  at: Path | undefined,
  encoding: Encoding,
): readonly JsonObject[] {
  return tools
    .map((tool, index) => encodeTool(tool, below(at, index), encoding))
    .filter((tool) => tool !== undefined)
}

/** Functions are strict where they do not say otherwise, so they say it. */
function writeFunction(tool: FunctionTool, at: Path | undefined, encoding: Encoding): JsonObject {
  const { description, input } = tool
  const hints = hintsFor(tool, SLOT)
  const name = writeName(tool.name, hints, toolNames, below(at, 'name'), encoding)
  const described = description === undefined ? {} : { description }
  if (isCustom(tool)) return { type: 'custom', name, ...described }
  const asked = { schema: input, strict: tool.strict }
  const { schema, strict } = writeSchema(asked, openaiSchemas, hints, { at, key: 'input' }, encoding)
  return { type: 'function', name, ...described, parameters: schema, strict: strict ?? false }
}

function isCustom(tool: FunctionTool): boolean {
  return (
    hintsFor(tool, SLOT)['wireType'] === 'custom' &&
    tool.strict === undefined &&
    equalJson(tool.input, textInput)
  )
}

/** What to remember of a choice: a name that a host took although it is not fit. */
export function choiceHint(choice: ToolChoice | undefined): Hints<OpenAIResponsesHint> {
  if (typeof choice !== 'object') return {}
  const names = 'name' in choice ? [choice.name] : choice.allowed
  return names.map((name) => nameHint(name, toolNames)).find((hint) => 'acceptedName' in hint) ?? {}
}

/** Reads a tool choice; a tool of the provider is chosen by its type. */
export function decodeChoice(wire: Json | undefined, tools: readonly Tool[]): ToolChoice | undefined {
  if (wire === 'auto' || wire === 'none' || wire === 'required') return wire
  if (!isObject(wire)) return undefined
  const name = nameOf(wire, tools)
  if (name !== undefined) return { name }
  const { type, mode, tools: allowed } = wire
  if (type !== 'allowed_tools' || !isList(allowed) || (mode !== 'auto' && mode !== 'required'))
    return undefined
  const names = allowed.map((each) => (isObject(each) ? nameOf(each, tools) : undefined))
  return names.every((each) => each !== undefined) ? { allowed: names, mode } : undefined
}

function nameOf({ type, name }: Wire, tools: readonly Tool[]): string | undefined {
  if (type === 'function' || type === 'custom')
    return typeof name === 'string' && name !== '' ? name : undefined
  const provided = tools.some((tool) => tool.type === 'provider' && tool.name === type)
  return provided && name === undefined ? (type as string) : undefined
}

/** Writes a tool choice. */
export function encodeChoice(
  choice: ToolChoice,
  tools: readonly Tool[],
  hints: Hints<OpenAIResponsesHint>,
  encoding: Encoding,
): Json {
  if (typeof choice === 'string') return choice
  const at = below(undefined, 'toolChoice')
  const chosen = (name: string): JsonObject => {
    const tool = tools.find((each) => each.type !== 'opaque' && each.name === name)
    if (tool?.type === 'provider' && tool.provider === MAKER) return { type: name }
    const fit = writeName(name, hints, toolNames, at, encoding)
    return { type: tool?.type === 'function' && isCustom(tool) ? 'custom' : 'function', name: fit }
  }
  if ('name' in choice) return chosen(choice.name)
  return { type: 'allowed_tools', mode: choice.mode, tools: choice.allowed.map(chosen) }
}
