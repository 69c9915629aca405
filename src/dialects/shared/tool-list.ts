import type { ChatRequest } from '../../canonical/model/request.ts'
import type { FunctionTool, OpaqueTool, Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject, type JsonSchema } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { EngineHint } from '../engine/residue-hints.ts'
import {
  addHints,
  decodeWithResidue,
  getHints,
  getReceived,
  noteReceived,
  type Slot,
} from '../engine/residue-slots.ts'
import { findFunctionsNamedAsHosted, findRepeatedCounterparts } from './hosted-tools.ts'
import { memoizeByContent } from '../../wire/memoize-by-content.ts'
import { shareSchema } from '../../wire/memoize.ts'
import { toPlainFunctions } from './plain-functions.ts'

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
    input: shareSchema(input),
    ...(typeof strict === 'boolean' && { strict }),
  }
}

/** Creates a tool that only its own dialect understands. */
function createOpaqueTool(dialect: string, value: Json): OpaqueTool {
  return freezeOwned<OpaqueTool>({ type: 'opaque', dialect, value })
}

/** Decodes a tool of a request. `Context` is what the result depends on besides the tool. */
type ToolDecoder<Context = undefined> = (
  wire: Json,
  ...context: [Context] extends [undefined] ? [] : [Context]
) => Tool

/**
 * Creates the function that decodes the tools of a dialect; a tool that `decode` does not know becomes opaque. Each request of an
 * agent contains the same tools, so equal tools are decoded once and are one object. `toEntry` returns what the encoder of the
 * dialect returns for a tool, where that is not the tool itself.
 */
export function createToolDecoder<Context = undefined>(
  dialect: string,
  decode: (wire: JsonObject, context: Context) => Tool | undefined,
  toEntry: (wire: JsonObject) => JsonObject = (wire) => wire,
): ToolDecoder<Context> {
  // A later request may be decoded with residue.
  const decodeObject = memoizeByContent((wire, context: Context) =>
    decodeWithResidue(true, () =>
      freezeOwned<Tool>(decode(wire, context) ?? createOpaqueTool(dialect, wire)),
    ),
  )
  return (wire, ...[context]) => {
    if (!isObject(wire)) return createOpaqueTool(dialect, wire)
    const tool = decodeObject(wire, context as Context)
    if (tool.type === 'function') noteReceived(tool, toEntry(wire))
    return tool
  }
}

const NO_POSITIONS: ReadonlySet<number> = new Set()

function hasRepeatedName(tools: readonly Tool[]): boolean {
  const names = new Set<string>()
  for (const tool of tools) {
    if (tool.type !== 'function') continue
    if (names.has(tool.name)) return true
    names.add(tool.name)
  }
  return false
}

/** Returns the positions of the functions whose name a later function has, too: the last declaration applies. */
function findRepeatedPositions(tools: readonly Tool[]): ReadonlySet<number> {
  if (!hasRepeatedName(tools)) return NO_POSITIONS
  const lastPositions = new Map<string, number>()
  for (const [index, tool] of tools.entries())
    if (tool.type === 'function') lastPositions.set(tool.name, index)
  const repeated = new Set<number>()
  for (const [index, tool] of tools.entries())
    if (tool.type === 'function' && lastPositions.get(tool.name) !== index) repeated.add(index)
  return repeated
}

/** Marks received tools whose name another one has, too, so that they are sent as received. */
export function preserveRepeatedTools(tools: readonly Tool[], slot: Slot<EngineHint>): readonly Tool[] {
  const repeated = findRepeatedPositions(tools)
  const hosted = findFunctionsNamedAsHosted(tools, slot)
  if (repeated.size + hosted.size === 0) return tools
  return tools.map((tool, index) =>
    (repeated.has(index) || hosted.has(index)) && tool.type === 'function'
      ? freezeOwned(addHints(tool, slot, { preserveInvalid: true }))
      : tool,
  )
}

/** Creates a function that returns true for a position whose tool is omitted, since it repeats another one; reports it. */
export function createRepeatReporter(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  slot: Slot<EngineHint>,
): (index: number) => boolean {
  const repeated = findRepeatedPositions(tools)
  const counterparts = findRepeatedCounterparts(tools, slot)
  const hosted = findFunctionsNamedAsHosted(tools, slot)
  return (index) => {
    if (counterparts.has(index)) {
      context.report('hosted-tool-repeated', child(path, index))
      return true
    }
    const tool = repeated.has(index) || hosted.has(index) ? tools[index] : undefined
    if (tool?.type !== 'function' || getHints(tool, slot)['preserveInvalid'] === true) return false
    context.report(hosted.has(index) ? 'hosted-tool-repeated' : 'redeclared-tool', child(path, index))
    return true
  }
}

/** How a dialect writes its list of tools. */
interface ToolListFormat {
  readonly slot: Slot<EngineHint>
  /** The choice among the tools, if only the list can express it: the tools that it excludes are omitted. */
  readonly choice?: ToolChoice | undefined
  /** True if the format has tools with text input. */
  readonly supportsTextInput?: boolean
  readonly encodeTool: (tool: Tool, path: Path, context: EncodeContext) => JsonObject | undefined
}

/**
 * Encodes tools. Those that the choice excludes, those that repeat the name of another (both are reported) and those that
 * cannot be sent are omitted.
 */
export function encodeToolList(
  tools: readonly Tool[],
  path: Path | undefined,
  context: EncodeContext,
  { slot, choice, supportsTextInput, encodeTool }: ToolListFormat,
): readonly JsonObject[] {
  const wire: JsonObject[] = []
  const plain = toPlainFunctions(tools, path, context, supportsTextInput)
  const omitRepeated = createRepeatReporter(plain, path, context, slot)
  for (const [index, tool] of plain.entries()) {
    if (omitRepeated(index)) continue
    const toolPath = child(path, index)
    const isAllowed = isAllowedTool(tool, choice)
    if (!isAllowed) context.report('allowed-tools', toolPath)
    const made = isAllowed ? (getReceived(tool, context) ?? encodeTool(tool, toolPath, context)) : undefined
    if (made !== undefined) wire.push(made)
  }
  return wire
}

function isAllowedTool(tool: Tool, choice: ToolChoice | undefined): boolean {
  if (choice === 'none') return false
  if (typeof choice !== 'object' || !('allowed' in choice)) return true
  return tool.type !== 'function' || choice.allowed.includes(tool.name)
}

/** Reports allowed tools that do not exist, which the list of sent tools cannot express. */
export function reportUnknownAllowedTools(
  tools: readonly Tool[],
  choice: ToolChoice | undefined,
  context: EncodeContext,
): void {
  if (typeof choice !== 'object' || !('allowed' in choice)) return
  const names = new Set(tools.map((tool) => tool.type === 'function' && tool.name))
  const path = child(child(undefined, 'toolChoice'), 'allowed')
  for (const [index, name] of choice.allowed.entries())
    if (!names.has(name)) context.report('allowed-tools', child(path, index))
}

/** Sends only the tools of a list of allowed ones, for a host without such lists, and reports it. */
export function withholdTools(request: ChatRequest, context: EncodeContext): ChatRequest {
  const { toolChoice, tools = [] } = request
  if (typeof toolChoice !== 'object' || !('allowed' in toolChoice)) return request
  context.report('tools-withheld', child(undefined, 'toolChoice'))
  const allowed = new Set(toolChoice.allowed)
  const allowedTools = tools.filter((tool) => tool.type === 'opaque' || allowed.has(tool.name))
  return { ...request, tools: allowedTools, toolChoice: toolChoice.mode }
}

/** Returns true if a tool choice has an effect only together with tools: `auto` and `none` do not need any. */
export function requiresTools(choice: ToolChoice | undefined): boolean {
  return choice !== undefined && choice !== 'auto' && choice !== 'none'
}
