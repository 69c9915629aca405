import type { FunctionTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import type { Json, JsonObject, JsonSchema } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** Creates a tool from its wire fields; a description or `strict` of another type stays residue. */
export function createFunctionTool(
  name: string,
  description: Json | undefined,
  input: JsonSchema,
  strict?: Json,
): FunctionTool {
  return {
    type: 'function',
    name,
    ...(typeof description === 'string' && { description }),
    input,
    ...(typeof strict === 'boolean' && { strict }),
  }
}

/** Encodes tools; those that the choice excludes (which is reported) and those that cannot be sent are omitted. */
export function encodeToolList(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  encodeTool: (tool: Tool, path: Path, context: EncodeContext) => JsonObject | undefined,
  choice?: ToolChoice,
): readonly JsonObject[] {
  const wire: JsonObject[] = []
  const redeclared = findRedeclaredTools(tools)
  for (const [index, tool] of tools.entries()) {
    const toolPath = child(path, index)
    const isAllowed = isAllowedTool(tool, choice)
    const isRedeclared = redeclared.has(tool)
    if (isRedeclared) context.report('redeclared-tool', toolPath)
    else if (!isAllowed) context.report('allowed-tools', toolPath)
    const made = isAllowed && !isRedeclared ? encodeTool(tool, toolPath, context) : undefined
    if (made !== undefined) wire.push(made)
  }
  return wire
}

/** Returns the tools whose name a later tool has, because one of them was received in a namespace. */
function findRedeclaredTools(tools: readonly Tool[]): ReadonlySet<Tool> {
  const functions = tools.filter((tool) => tool.type === 'function')
  if (!functions.some((tool) => tool.namespace !== undefined)) return new Set()
  const latest = new Map(functions.map((tool) => [tool.name, tool]))
  return new Set(
    functions.filter((tool) => {
      const last = latest.get(tool.name)
      return last !== tool && (tool.namespace ?? last?.namespace) !== undefined
    }),
  )
}

function isAllowedTool(tool: Tool, choice: ToolChoice | undefined): boolean {
  if (choice === 'none') return false
  if (typeof choice !== 'object' || !('allowed' in choice)) return true
  return tool.type !== 'function' || choice.allowed.includes(tool.name)
}
