import type { Tool, ToolChoice } from '../../canonical/model/tool.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** Encodes tools; those that the choice excludes (which is reported) and those that cannot be sent are omitted. */
export function encodeToolList(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  encodeTool: (tool: Tool, path: Path, context: EncodeContext) => JsonObject | undefined,
  choice?: ToolChoice,
): readonly JsonObject[] {
  const wire: JsonObject[] = []
  for (const [index, tool] of tools.entries()) {
    const toolPath = child(path, index)
    const isAllowed = isAllowedTool(tool, choice)
    if (!isAllowed) context.report('allowed-tools', toolPath)
    const made = isAllowed ? encodeTool(tool, toolPath, context) : undefined
    if (made !== undefined) wire.push(made)
  }
  return wire
}

function isAllowedTool(tool: Tool, choice: ToolChoice | undefined): boolean {
  if (choice === 'none') return false
  if (typeof choice !== 'object' || !('allowed' in choice)) return true
  return tool.type !== 'function' || choice.allowed.includes(tool.name)
}
