import type { FunctionTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { equalJson, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { nameHint, writeName } from '../shared/names.ts'
import { encodeOpaque } from '../shared/opaque.ts'
import { inputHint, openaiSchemas, writeSchema } from '../shared/schemas.ts'
import { noArguments, textInput } from '../shared/tool-schemas.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { SLOT, toolNames } from './codes.ts'
import { flavorOf } from './flavors.ts'
import type { OpenAIChatHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a tool; one that we do not model is kept as it is. */
export function decodeTool(wire: Json): Tool {
  const read = isObject(wire) ? (readFunction(wire) ?? readCustom(wire)) : undefined
  if (read === undefined) return Object.freeze({ type: 'opaque', dialect: SLOT, value: wire })
  const { tool, hints } = read
  const forms = {
    ...hints,
    ...nameHint(tool.name, toolNames),
    ...inputHint(tool, openaiSchemas),
  }
  return keep(tool, SLOT, SLOT, forms, wire as Wire, (each) => encodeTool(each, undefined, silent))
}

/** Reads a legacy function, which is a tool without its wrapping. */
export function decodeFunction(wire: Json): Tool {
  return decodeTool({ type: 'function', function: wire })
}

function readFunction({
  type,
  function: body,
}: Wire): { readonly tool: FunctionTool; readonly hints: Hints<OpenAIChatHint> } | undefined {
  if (type !== 'function' || !isObject(body) || typeof body['name'] !== 'string' || body['name'] === '')
    return undefined
  const { name, description, parameters, strict } = body
  if (parameters !== undefined && !isObject(parameters)) return undefined
  return {
    tool: {
      type: 'function',
      name: name,
      ...(typeof description === 'string' && { description }),
      input: parameters ?? noArguments,
      ...(typeof strict === 'boolean' && { strict }),
    },
    hints: {},
  }
}

function readCustom({
  type,
  custom,
}: Wire): { readonly tool: FunctionTool; readonly hints: Hints<OpenAIChatHint> } | undefined {
  if (type !== 'custom' || !isObject(custom) || typeof custom['name'] !== 'string' || custom['name'] === '')
    return undefined
  const { name, description } = custom
  const tool: FunctionTool = {
    type: 'function',
    name,
    ...(typeof description === 'string' && { description }),
    input: textInput,
  }
  return { tool, hints: { wireType: 'custom' } }
}

/** Writes a tool; undefined where it cannot be sent. */
function encodeTool(tool: Tool, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, SLOT, at, encoding)
  if (tool.type === 'provider') {
    encoding.lose('foreign-tool', at)
    return undefined
  }
  if (tool.cache !== undefined) encoding.lose('cache-hint', below(at, 'cache'))
  const name = writeName(tool.name, hintsFor(tool, SLOT), toolNames, below(at, 'name'), encoding)
  const described = tool.description === undefined ? {} : { description: tool.description }
  const flavor = flavorOf(encoding.options)
  const custom = hintsFor(tool, SLOT)['wireType'] === 'custom' && tool.strict === undefined
  if (custom && flavor.custom === false) encoding.lose('custom-as-function', at)
  else if (custom && equalJson(tool.input, textInput)) {
    return applyResidue({ type: 'custom', custom: { name, ...described } }, tool, SLOT)
  }
  const refused = tool.strict !== undefined && flavor.strict === false
  if (refused && tool.strict === true) encoding.lose('no-field', below(at, 'strict'))
  const asked = { schema: tool.input, strict: refused ? undefined : tool.strict }
  const place = { at, key: 'input' } as const
  const { schema, strict } = writeSchema(asked, openaiSchemas, hintsFor(tool, SLOT), place, encoding)
  const made = {
    type: 'function',
    function: { name, ...described, parameters: schema, ...(strict !== undefined && { strict }) },
  }
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

/** Reads the choice of the time before tools. */
export function decodeLegacyChoice(wire: Json | undefined): ToolChoice | undefined {
  if (wire === 'auto' || wire === 'none') return wire
  const name = isObject(wire) ? wire['name'] : undefined
  return typeof name === 'string' && name !== '' ? { name } : undefined
}

/** Writes the choice of the time before tools; undefined for one that it did not know. */
export function encodeLegacyChoice(
  choice: ToolChoice,
  hints: Hints<OpenAIChatHint>,
  encoding: Encoding,
): Json | undefined {
  if (typeof choice === 'string') return choice === 'required' ? undefined : choice
  return 'name' in choice ? { name: chosen(choice.name, hints, encoding) } : undefined
}

/** A name in a choice, as the tool of that name has it. */
function chosen(name: string, hints: Hints<OpenAIChatHint>, encoding: Encoding): string {
  return writeName(name, hints, toolNames, below(undefined, 'toolChoice'), encoding)
}

/** What to remember of a choice: a name that a host took although it is not fit. */
export function choiceHint(choice: ToolChoice | undefined): Hints<OpenAIChatHint> {
  if (typeof choice !== 'object') return {}
  const names = 'name' in choice ? [choice.name] : choice.allowed
  return names.map((name) => nameHint(name, toolNames)).find((hint) => 'acceptedName' in hint) ?? {}
}

/** Reads a tool choice. */
export function decodeChoice(wire: Json | undefined): ToolChoice | undefined {
  if (wire === 'auto' || wire === 'none' || wire === 'required') return wire
  if (!isObject(wire)) return undefined
  const { type, function: named, custom, allowed_tools: allowed } = wire
  const body = type === 'function' ? named : type === 'custom' ? custom : undefined
  if (isObject(body) && typeof body['name'] === 'string' && body['name'] !== '') return { name: body['name'] }
  if (type !== 'allowed_tools' || !isObject(allowed) || !Array.isArray(allowed['tools'])) return undefined
  const names = (allowed['tools'] as readonly Json[]).map(nameOf)
  const { mode } = allowed
  return names.every((name) => name !== undefined) && (mode === 'auto' || mode === 'required')
    ? { allowed: names, mode }
    : undefined
}

function nameOf(tool: Json): string | undefined {
  const body = isObject(tool) ? tool['function'] : undefined
  return isObject(body) && typeof body['name'] === 'string' && body['name'] !== '' ? body['name'] : undefined
}

/** Writes a tool choice. */
export function encodeChoice(choice: ToolChoice, hints: Hints<OpenAIChatHint>, encoding: Encoding): Json {
  if (typeof choice === 'string') return choice
  if ('name' in choice) return { type: 'function', function: { name: chosen(choice.name, hints, encoding) } }
  const tools = choice.allowed.map((name) => ({
    type: 'function',
    function: { name: chosen(name, hints, encoding) },
  }))
  return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools } }
}
