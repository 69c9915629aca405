import type { FunctionTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import type { Json, JsonObject, JsonSchema } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { EngineHint } from '../engine/residue-hints.ts'
import { addHints, getHints, type Slot } from '../engine/residue-slots.ts'

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

/** Creates a check that returns true for a function whose name an earlier function has, too. */
function createRepeatCheck(): (tool: Tool) => tool is FunctionTool {
  const names = new Set<string>()
  return (tool): tool is FunctionTool => {
    if (tool.type !== 'function') return false
    const isRepeated = names.has(tool.name)
    names.add(tool.name)
    return isRepeated
  }
}

/** Marks received tools that repeat a name, so that they are sent as received. */
export function preserveRepeatedTools(tools: readonly Tool[], slot: Slot<EngineHint>): readonly Tool[] {
  const isRepeated = createRepeatCheck()
  return tools.map((tool) =>
    isRepeated(tool) ? freezeOwned(addHints(tool, slot, { preserveInvalid: true })) : tool,
  )
}

/**
 * Encodes tools. Those that the choice excludes, those that repeat the name of another (both are reported) and those that
 * cannot be sent are omitted.
 */
export function encodeToolList(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  slot: Slot<EngineHint>,
  encodeTool: (tool: Tool, path: Path, context: EncodeContext) => JsonObject | undefined,
  choice?: ToolChoice,
): readonly JsonObject[] {
  const wire: JsonObject[] = []
  const isRepeated = createRepeatCheck()
  for (const [index, tool] of tools.entries()) {
    const toolPath = child(path, index)
    const isAllowed = isAllowedTool(tool, choice)
    if (!isAllowed) context.report('allowed-tools', toolPath)
    const isOmitted = isRepeated(tool) && getHints(tool, slot)['preserveInvalid'] !== true
    if (isAllowed && isOmitted) context.report('duplicate-tool', toolPath)
    const made = isAllowed && !isOmitted ? encodeTool(tool, toolPath, context) : undefined
    if (made !== undefined) wire.push(made)
  }
  return wire
}

function isAllowedTool(tool: Tool, choice: ToolChoice | undefined): boolean {
  if (choice === 'none') return false
  if (typeof choice !== 'object' || !('allowed' in choice)) return true
  return tool.type !== 'function' || choice.allowed.includes(tool.name)
}
