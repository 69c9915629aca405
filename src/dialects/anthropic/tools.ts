import type { FunctionTool, ProviderTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { fitSchema } from '../../schema/fit.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { nameHint, writeName } from '../shared/names.ts'
import { advised, inputHint, type SchemaFit, strictly, writeSchema } from '../shared/schemas.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { encodeOpaque } from '../shared/opaque.ts'
import { markerOf, decodeCache } from './cache.ts'
import { choices, SLOT, toolNames } from './codes.ts'
import type { AnthropicHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a tool: one of the application's, one of the provider's by its dated type, or one that we do not know. */
export function decodeTool(wire: Json): Tool {
  const tool = isObject(wire) ? (readFunction(wire) ?? readProvider(wire)) : undefined
  if (tool === undefined || !isObject(wire))
    return Object.freeze({ type: 'opaque', dialect: SLOT, value: wire })
  const cached = decodeCache(tool, wire)
  const hints =
    tool.type === 'function' ? { ...nameHint(tool.name, toolNames), ...inputHint(tool, inputs) } : {}
  return keep(cached, SLOT, SLOT, hints, wire, (each) => encodeTool(each, undefined, silent))
}

function readFunction({
  type,
  name,
  description,
  input_schema: input,
  strict,
}: Wire): FunctionTool | undefined {
  if (
    (type !== undefined && type !== 'custom') ||
    typeof name !== 'string' ||
    name === '' ||
    !isObject(input)
  )
    return undefined
  return {
    type: 'function',
    name,
    ...(typeof description === 'string' && { description }),
    input,
    ...(typeof strict === 'boolean' && { strict }),
  }
}

function readProvider({ type, name, cache_control: _cache, ...options }: Wire): ProviderTool | undefined {
  if (typeof type !== 'string' || typeof name !== 'string' || name === '') return undefined
  return { type: 'provider', provider: SLOT, name: type, options: { name, ...options } }
}

/** Writes a tool; undefined where it cannot be sent. */
function encodeTool(tool: Tool, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, SLOT, at, encoding)
  if (tool.type === 'provider' && tool.provider !== SLOT) {
    encoding.lose('foreign-tool', at)
    return undefined
  }
  const made =
    tool.type === 'provider' ? { ...tool.options, type: tool.name } : writeFunction(tool, at, encoding)
  return applyResidue({ ...made, ...markerOf(tool) }, tool, SLOT)
}

function writeFunction(tool: FunctionTool, at: Path | undefined, encoding: Encoding): JsonObject {
  const { name, description, input } = tool
  const hints = hintsFor(tool, SLOT)
  const asked = { schema: input, strict: tool.strict }
  const { schema, strict } = writeSchema(asked, inputs, hints, { at, key: 'input' }, encoding)
  return {
    name: writeName(name, hints, toolNames, below(at, 'name'), encoding),
    ...(description !== undefined && { description }),
    input_schema: schema,
    ...(strict !== undefined && { strict }),
  }
}

/** Arguments are an object, and the schema must say so. */
const inputs: SchemaFit = (asked, place, encoding) => {
  const { schema, strict } = strictInputs(asked, place, encoding)
  if (schema['type'] === 'object') return { schema, strict }
  encoding.lose('schema-root', below(place.at, place.key))
  return { schema: { ...schema, type: 'object' }, strict }
}

/** Alternatives at the root cannot be both strict and said to be objects. */
const strictInputs: SchemaFit = (asked, place, encoding) => {
  const { schema } = asked.strict === true ? fitSchema(asked.schema, TARGET) : asked
  if (schema['type'] === 'object' || asked.strict !== true) return strictOnes(asked, place, encoding)
  encoding.lose('not-strict-root', below(place.at, place.key))
  return advised(asked, place, encoding)
}

const TARGET = 'anthropic-strict'
const strictOnes = strictly(TARGET)

/** Which tools go out: all of them, or those that the choice allows. */
export function encodeTools(
  tools: readonly Tool[],
  at: Path | undefined,
  encoding: Encoding,
  choice?: ToolChoice,
): readonly JsonObject[] {
  const allowed = typeof choice === 'object' && 'allowed' in choice ? new Set(choice.allowed) : undefined
  const wire: JsonObject[] = []
  for (const [index, tool] of tools.entries()) {
    if (allowed !== undefined && tool.type === 'function' && !allowed.has(tool.name)) {
      encoding.lose('allowed-tools', below(at, index))
      continue
    }
    const made = encodeTool(tool, below(at, index), encoding)
    if (made !== undefined) wire.push(made)
  }
  if (typeof choice === 'object' && 'allowed' in choice) reportAbsent(choice.allowed, tools, encoding)
  return wire
}

/** What is allowed and not there cannot be said by what is sent. */
function reportAbsent(allowed: readonly string[], tools: readonly Tool[], encoding: Encoding): void {
  const names = new Set(tools.map((tool) => (tool.type === 'function' ? tool.name : undefined)))
  const at = below(below(undefined, 'toolChoice'), 'allowed')
  for (const [index, name] of allowed.entries()) {
    if (!names.has(name)) encoding.lose('allowed-tools', below(at, index))
  }
}

/** Reads a tool choice, and with it whether several calls at once are allowed. */
export function decodeChoice(wire: Json | undefined): {
  readonly toolChoice?: ToolChoice
  readonly parallelToolCalls?: boolean
} {
  if (!isObject(wire)) return {}
  const { type, name, disable_parallel_tool_use: single } = wire
  const toolChoice =
    type === 'tool' && typeof name === 'string' && name !== '' ? { name } : choices.fromWire(type)
  if (toolChoice === undefined) return {}
  return {
    toolChoice,
    ...(typeof single === 'boolean' && toolChoice !== 'none' && { parallelToolCalls: !single }),
  }
}

/** Writes a tool choice; whether calls may be parallel is said in one, too. */
export function encodeChoice(
  choice: ToolChoice | undefined,
  parallel: boolean | undefined,
  hints: Hints<AnthropicHint>,
  encoding: Encoding,
): JsonObject | undefined {
  if (choice === undefined && parallel === undefined) return undefined
  if (choice === 'none') {
    if (parallel !== undefined) encoding.lose('no-field', below(undefined, 'parallelToolCalls'))
    return { type: 'none' }
  }
  if (choice === undefined) encoding.lose('choice-synthesized', below(undefined, 'toolChoice'))
  return {
    ...nameChoice(choice, hints, encoding),
    ...(parallel !== undefined && { disable_parallel_tool_use: !parallel }),
  }
}

function nameChoice(
  choice: ToolChoice | undefined,
  hints: Hints<AnthropicHint>,
  encoding: Encoding,
): JsonObject {
  if (choice === undefined) return { type: 'auto' }
  if (typeof choice === 'string') return { type: choices.toWire(choice) ?? 'auto' }
  if ('name' in choice) {
    const at = below(below(undefined, 'toolChoice'), 'name')
    return { type: 'tool', name: writeName(choice.name, hints, toolNames, at, encoding) }
  }
  return { type: choice.mode === 'required' ? 'any' : 'auto' }
}
