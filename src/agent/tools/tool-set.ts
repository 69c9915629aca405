import type { Tool } from '../../canonical/model/tool.ts'
import { InterlinguaError } from '../../errors.ts'
import { describeType, isObject } from '../../wire/json.ts'
import { type AgentTool, isAgentTool, type ToolInput } from './tool.ts'
import { createUniqueNames } from '../../wire/unique-names.ts'

/**
 * Lists of tools as one list. A name that occurs in several lists is set apart by the name of its list: `read` of `files` and of
 * `mail` become `files_read` and `mail_read`; all others keep their names.
 *
 * @example
 * new Agent({ model, tools: joinTools({ files: await files.tools(), mail: await mail.tools() }) })
 */
export function joinTools(lists: { readonly [list: string]: readonly AgentTool[] }): readonly AgentTool[] {
  const entries = Object.entries(lists)
  const counts = new Map<string, number>()
  for (const { name } of entries.flatMap(([, tools]) => tools)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const alone = [...counts].flatMap(([name, count]) => (count === 1 ? name : []))
  const freeName = createUniqueNames(new Set(alone))
  return entries.flatMap(([list, tools]) =>
    tools.map((each) =>
      counts.get(each.name) === 1 ? each : renameTool(each, freeName(`${list}_${each.name}`)),
    ),
  )
}

/** The tool under another name. */
function renameTool(tool: AgentTool, name: string): AgentTool {
  return Object.freeze({ ...tool, name, definition: Object.freeze({ ...tool.definition, name }) })
}

/** The tools of one run, by name. Names are looked up in a map: a model may call a tool `constructor`. */
export class ToolSet {
  readonly #tools = new Map<string, AgentTool>()
  readonly #definitions: Tool[] = []

  constructor(tools: Iterable<ToolInput>) {
    for (const each of tools) this.add(each)
  }

  add(input: ToolInput): void {
    checkTool(input)
    if (!isAgentTool(input)) {
      this.#definitions.push(input)
      return
    }
    if (this.#tools.has(input.name)) throw duplicateTool(input.name)
    this.#tools.set(input.name, input)
    this.#definitions.push(input.definition)
  }

  get(name: string): AgentTool | undefined {
    return this.#tools.get(name)
  }

  get names(): readonly string[] {
    return [...this.#tools.keys()]
  }

  /** What the model is told, in the order in which the tools were given. */
  get definitions(): readonly Tool[] {
    return this.#definitions
  }
}

/** A tool that is passed through unseen would be offered to the model, and never run. */
function checkTool(input: unknown): void {
  if (isObject(input) && ('definition' in input || PASS_THROUGH_TYPES.has(input['type']))) return
  throw new InterlinguaError('invalid-value', 'This is no tool of an agent', {
    path: '/tools',
    found: describeType(input),
    expected: 'what tool(…) makes, or a tool that the provider runs',
    hint: 'Make it with tool({ name, description, input, run }).',
  })
}

const PASS_THROUGH_TYPES: ReadonlySet<unknown> = new Set(['provider', 'opaque'])

function duplicateTool(name: string): InterlinguaError {
  return new InterlinguaError('duplicate-tool', `Two tools are called '${name}'`, {
    found: 'one name twice',
    expected: 'a name of its own for each tool',
    hint: 'Rename one of them, or join lists of tools with joinTools, which sets such names apart.',
  })
}
