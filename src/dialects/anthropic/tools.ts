import type { ChatRequest } from '../../canonical/model/request.ts'
import type { FunctionTool, ProviderTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { encodeToolName } from '../shared/tool-names.ts'
import { createClaudeToolHints, fitClaudeInputSchema } from '../shared/claude-tools.ts'
import { encodeInputSchema } from '../shared/fit-schemas.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import {
  createFunctionTool,
  createToolDecoder,
  encodeToolList,
  reportUnknownAllowedTools,
} from '../shared/tool-list.ts'
import { toHostedTool } from '../shared/hosted-tools.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { encodeCacheMarker, decodeCacheMarker } from './cache-markers.ts'
import { toolChoiceTable, DIALECT_SLOT, DIALECT_VENDOR, toolNameRule } from './constants.ts'
import type { AnthropicHints } from './hints.ts'

/** Decodes a tool: a function, a provider tool with a dated type, or an opaque tool. */
export const decodeTool: (wire: Json) => Tool = createToolDecoder(DIALECT_SLOT, (wire) => {
  const tool = readFunction(wire) ?? readProvider(wire)
  if (tool === undefined) return undefined
  const hints = createClaudeToolHints(tool, toolNameRule)
  const cached = decodeCacheMarker(tool, wire)
  return attachResidue(cached, DIALECT_SLOT, hints, wire, encodeTool)
})

function readFunction(wire: JsonObject): FunctionTool | undefined {
  const { type = 'custom', name, description, input_schema: input, strict } = wire
  if (type !== 'custom' || typeof name !== 'string' || name === '' || !isObject(input)) return undefined
  return createFunctionTool(name, description, input, strict)
}

function readProvider(wire: JsonObject): ProviderTool | undefined {
  const { type, name, cache_control: _cache, ...options } = wire
  if (typeof type !== 'string' || type === '' || typeof name !== 'string' || name === '') return undefined
  return { type: 'provider', provider: DIALECT_SLOT, name: type, options: { name, ...options } }
}

/** Encodes a tool; returns undefined for a tool that cannot be sent. */
function encodeTool(tool: Tool, path: Path | undefined, context: EncodeContext): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, DIALECT_SLOT, path, context)
  const made =
    tool.type === 'provider' ? writeHostedTool(tool, path, context) : writeFunction(tool, path, context)
  if (made === undefined) return undefined
  return applyResidue({ ...made, ...encodeCacheMarker(tool) }, tool, DIALECT_SLOT)
}

function writeHostedTool(
  tool: ProviderTool,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const hosted = toHostedTool(tool, DIALECT_VENDOR, path, context)
  return hosted && { ...hosted.options, type: hosted.name }
}

function writeFunction(tool: FunctionTool, path: Path | undefined, context: EncodeContext): JsonObject {
  const { name, description } = tool
  const hints = getHints(tool, DIALECT_SLOT)
  const { schema, strict } = encodeInputSchema(tool, fitClaudeInputSchema, hints, path, context)
  return {
    name: encodeToolName(name, hints, toolNameRule, child(path, 'name'), context),
    ...(description !== undefined && { description }),
    input_schema: schema,
    ...(strict !== undefined && { strict }),
  }
}

/** Encodes the tools: all of them, or those that the tool choice allows. */
export function encodeTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  choice?: ToolChoice,
): readonly JsonObject[] {
  const isList = typeof choice === 'object' && 'allowed' in choice
  const format = { slot: DIALECT_SLOT, choice: isList ? choice : undefined, encodeTool }
  const wire = encodeToolList(tools, path, context, format)
  reportUnknownAllowedTools(tools, choice, context)
  return wire
}

/** Decodes the tool choice, which includes the setting of parallel tool calls. */
export function decodeToolChoice(
  wire: Json | undefined,
): Pick<ChatRequest, 'toolChoice' | 'parallelToolCalls'> {
  if (!isObject(wire)) return {}
  const { type, name, disable_parallel_tool_use: single } = wire
  const toolChoice =
    type === 'tool' && typeof name === 'string' && name !== '' ? { name } : toolChoiceTable.fromWire(type)
  if (toolChoice === undefined) return {}
  const hasParallel = typeof single === 'boolean' && toolChoice !== 'none'
  return { toolChoice, ...(hasParallel && { parallelToolCalls: !single }) }
}

/** Encodes the tool choice, which includes the setting of parallel tool calls. */
export function encodeToolChoice(
  choice: ToolChoice | undefined,
  parallel: boolean | undefined,
  hints: AnthropicHints,
  context: EncodeContext,
): JsonObject | undefined {
  if (choice === undefined && parallel === undefined) return undefined
  if (choice === 'none') {
    if (parallel !== undefined) context.report('no-field', child(undefined, 'parallelToolCalls'))
    return { type: 'none' }
  }
  const path = child(undefined, 'toolChoice')
  if (choice === undefined) context.report('choice-synthesized', path)
  const parallelFields = parallel === undefined ? {} : { disable_parallel_tool_use: !parallel }
  if (typeof choice === 'object' && 'name' in choice) {
    const name = encodeToolName(choice.name, hints, toolNameRule, child(path, 'name'), context)
    return { type: 'tool', name, ...parallelFields }
  }
  const mode = typeof choice === 'object' ? choice.mode : choice
  return { type: toolChoiceTable.toWire(mode ?? 'auto') ?? 'auto', ...parallelFields }
}
