import type { FunctionTool, ProviderTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, withResidue } from '../unit.ts'
import { choices, lifetimes, SLOT } from './codes.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a tool: one of the application's, one of the provider's by its dated type, or one that we do not know. */
export function decodeTool(wire: Json): Tool {
  const tool = isObject(wire) ? (readFunction(wire) ?? readProvider(wire)) : undefined
  if (tool === undefined) return Object.freeze({ type: 'opaque', dialect: SLOT, value: wire })
  return sealedCopy(withResidue(tool, SLOT, encodeTool(tool, undefined, silent), wire))
}

function readFunction({
  type,
  name,
  description,
  input_schema: input,
  strict,
  cache_control: cache,
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
    input: input,
    ...(typeof strict === 'boolean' && { strict }),
    ...readCache(cache),
  }
}

function readProvider({ type, name, cache_control: cache, ...options }: Wire): ProviderTool | undefined {
  if (typeof type !== 'string' || typeof name !== 'string' || name === '') return undefined
  return { type: 'provider', provider: SLOT, name: type, options: { name, ...options }, ...readCache(cache) }
}

function readCache(control: Json | undefined): Pick<FunctionTool, 'cache'> {
  if (!isObject(control) || control['type'] !== 'ephemeral') return {}
  const ttl = lifetimes.fromWire(control['ttl'])
  return { cache: ttl === undefined ? {} : { ttl } }
}

/** Writes a tool; undefined where it cannot be sent. */
export function encodeTool(tool: Tool, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  if (tool.type === 'opaque') {
    if (tool.dialect === SLOT && isObject(tool.value)) return tool.value
    encoding.lose('foreign-opaque', at)
    return undefined
  }
  if (tool.type === 'provider' && tool.provider !== SLOT) {
    encoding.lose('foreign-tool', at)
    return undefined
  }
  const ttl = tool.cache?.ttl === undefined ? undefined : lifetimes.toWire(tool.cache.ttl)
  const cache = tool.cache === undefined ? {} : { cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } }
  const made = tool.type === 'provider' ? { type: tool.name, ...tool.options } : writeFunction(tool)
  return applyResidue({ ...made, ...cache }, tool, SLOT)
}

function writeFunction({ name, description, input, strict }: FunctionTool): JsonObject {
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: input,
    ...(strict !== undefined && { strict }),
  }
}

/** Which tools go out: all of them, or those that the choice allows. */
export function encodeTools(
  tools: readonly Tool[],
  choice: ToolChoice | undefined,
  at: Path,
  encoding: Encoding,
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
  return wire
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
  return {
    ...(toolChoice !== undefined && { toolChoice }),
    ...(single === true && { parallelToolCalls: false }),
  }
}

/** Writes a tool choice; forbidding parallel calls needs one, too. */
export function encodeChoice(
  choice: ToolChoice | undefined,
  parallel: boolean | undefined,
): JsonObject | undefined {
  if (choice === undefined && parallel !== false) return undefined
  const single = parallel === false ? { disable_parallel_tool_use: true } : {}
  if (choice === undefined) return { type: 'auto', ...single }
  if (typeof choice === 'string') return { type: choices.toWire(choice) ?? 'auto', ...single }
  if ('name' in choice) return { type: 'tool', name: choice.name, ...single }
  return { type: choice.mode === 'required' ? 'any' : 'auto', ...single }
}
