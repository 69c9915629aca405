import type { ChatRequest } from '../../canonical/model/request.ts'
import type { FunctionTool, ProviderTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, attachResidue, getHints } from '../engine/residue-slots.ts'
import { createClaudeToolHints, fitClaudeInputSchema } from '../shared/claude-tools.ts'
import { encodeInputSchema } from '../shared/fit-schemas.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { noArgumentsSchema } from '../shared/tool-arguments.ts'
import {
  createFunctionTool,
  createToolDecoder,
  encodeToolList,
  reportUnknownAllowedTools,
} from '../shared/tool-list.ts'
import { encodeToolName, fitToolName } from '../shared/tool-names.ts'
import { addCacheHint, encodeCachePoint } from './cache-markers.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { BedrockHints } from './hints.ts'

/** Decodes a list of tools. A cache point becomes the cache hint of the tool before it. */
export function decodeTools(wire: readonly Json[]): readonly Tool[] {
  const tools: Tool[] = []
  for (const each of wire) {
    const cached = addCacheHint(tools.at(-1), each)
    if (cached === undefined) tools.push(decodeTool(each))
    else tools[tools.length - 1] = cached
  }
  return tools
}

/** Decodes a tool: a function, a system tool of the provider, or an opaque tool. */
const decodeTool = createToolDecoder(DIALECT_SLOT, (wire) => {
  const tool = readFunction(wire) ?? readSystemTool(wire)
  if (tool === undefined) return undefined
  const hints = createClaudeToolHints(tool, toolNameRule)
  return attachResidue(tool, DIALECT_SLOT, hints, wire, encodeTool)
})

function readFunction({ toolSpec }: JsonObject): FunctionTool | undefined {
  if (!isObject(toolSpec)) return undefined
  const { name, description, inputSchema, strict } = toolSpec
  const input = isObject(inputSchema) ? inputSchema['json'] : undefined
  if (typeof name !== 'string' || name === '' || !isObject(input)) return undefined
  return createFunctionTool(name, description, input, strict)
}

function readSystemTool({ systemTool }: JsonObject): ProviderTool | undefined {
  const name = isObject(systemTool) ? systemTool['name'] : undefined
  if (typeof name !== 'string' || name === '') return undefined
  return { type: 'provider', provider: DIALECT_SLOT, name, options: {} }
}

/** Encodes a tool without its cache point; returns undefined for a tool that cannot be sent. */
function encodeTool(tool: Tool, path: Path | undefined, context: EncodeContext): JsonObject | undefined {
  if (tool.type === 'opaque') return encodeOpaque(tool, DIALECT_SLOT, path, context)
  if (tool.type === 'function')
    return applyResidue({ toolSpec: writeFunction(tool, path, context) }, tool, DIALECT_SLOT)
  if (tool.provider === DIALECT_SLOT)
    return applyResidue({ systemTool: { ...tool.options, name: tool.name } }, tool, DIALECT_SLOT)
  context.report('foreign-tool', path)
  return undefined
}

function writeFunction(tool: FunctionTool, path: Path | undefined, context: EncodeContext): JsonObject {
  const { name, description } = tool
  const hints = getHints(tool, DIALECT_SLOT)
  const { schema, strict } = encodeInputSchema(tool, fitClaudeInputSchema, hints, path, context)
  return {
    name: encodeToolName(name, hints, toolNameRule, child(path, 'name'), context),
    // The API refuses an empty description.
    ...(description !== undefined && description !== '' && { description }),
    inputSchema: { json: schema },
    ...(strict !== undefined && { strict }),
  }
}

/** Encodes the tools, each followed by its cache point: all of them, or those that the tool choice allows. */
export function encodeTools(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  choice?: ToolChoice,
): readonly JsonObject[] {
  const isList = typeof choice === 'object' && 'allowed' in choice
  const cachePoints = new Map<JsonObject, JsonObject>()
  const wire = encodeToolList(tools, path, context, {
    slot: DIALECT_SLOT,
    choice: isList || choice === 'none' ? choice : undefined,
    encodeTool(tool, toolPath) {
      const made = encodeTool(tool, toolPath, context)
      if (made !== undefined && 'cache' in tool && tool.cache !== undefined)
        cachePoints.set(made, encodeCachePoint(tool.cache))
      return made
    },
  })
  reportUnknownAllowedTools(tools, choice, context)
  // A tool that was received as a list is an element of its own.
  return wire.flatMap((tool) => {
    const cachePoint = cachePoints.get(tool)
    return cachePoint === undefined ? [tool] : [tool, cachePoint]
  })
}

/** The description of a tool that is declared only because earlier calls use it. */
const CALLED_TOOL_TEXT = 'A tool of earlier calls, which is not available any more.'

/** Encodes declarations of the tools that earlier calls use. */
export function encodeCalledTools(names: Iterable<string>): readonly JsonObject[] {
  const fitted = new Set(Array.from(names, (name) => fitToolName(name, toolNameRule)))
  return Array.from(fitted, (name) => ({
    toolSpec: { name, description: CALLED_TOOL_TEXT, inputSchema: { json: noArgumentsSchema } },
  }))
}

/** Decodes the tool choice. */
export function decodeToolChoice(wire: Json | undefined): Pick<ChatRequest, 'toolChoice'> {
  if (!isObject(wire)) return {}
  const { auto, any, tool } = wire
  const name = isObject(tool) ? tool['name'] : undefined
  if (typeof name === 'string' && name !== '') return { toolChoice: { name } }
  if (isObject(any)) return { toolChoice: 'required' }
  return isObject(auto) ? { toolChoice: 'auto' } : {}
}

/** Encodes the tool choice; `none` has no wire form. */
export function encodeToolChoice(
  choice: ToolChoice | undefined,
  hints: BedrockHints,
  context: EncodeContext,
): JsonObject | undefined {
  if (choice === undefined || choice === 'none') return undefined
  const path = child(undefined, 'toolChoice')
  if (typeof choice === 'object' && 'name' in choice) {
    const name = encodeToolName(choice.name, hints, toolNameRule, child(path, 'name'), context)
    return { tool: { name } }
  }
  const mode = typeof choice === 'object' ? choice.mode : choice
  return mode === 'required' ? { any: {} } : { auto: {} }
}
