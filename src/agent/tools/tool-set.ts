import type { Tool } from '../../canonical/model/tool.ts'
import { InterlinguaError } from '../../errors.ts'
import { describeType, isObject } from '../../wire/json.ts'
import { type AgentTool, isApplicationTool, type ToolInput } from './tool.ts'
import { createUniqueNamer } from '../../wire/unique-names.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/**
 * Joins lists of tools into one. A name that occurs in several lists gets the name of its list as a prefix:
 * `read` in `files` and `mail` becomes `files_read` and `mail_read`. Other names stay.
 *
 * @example
 * new Agent({ model, tools: joinTools({ files: await files.tools(), mail: await mail.tools() }) })
 */
export function joinTools(lists: { readonly [list: string]: readonly AgentTool[] }): readonly AgentTool[] {
  return withTypedErrors(() => {
    const entries = Object.entries(lists)
    const counts = new Map<string, number>()
    for (const { name } of entries.flatMap(([, tools]) => tools))
      counts.set(name, (counts.get(name) ?? 0) + 1)
    const alone = [...counts].flatMap(([name, count]) => (count === 1 ? name : []))
    const freeName = createUniqueNamer(new Set(alone))
    return entries.flatMap(([list, tools]) =>
      tools.map((each) =>
        counts.get(each.name) === 1 ? each : renameTool(each, freeName(`${list}_${each.name}`)),
      ),
    )
  }, [lists])
}

/** Returns the tool with another name. */
function renameTool(tool: AgentTool, name: string): AgentTool {
  return Object.freeze({ ...tool, name, definition: Object.freeze({ ...tool.definition, name }) })
}

/** The name is part of the tool, unlike in other libraries, which have an object of tools by name. */
function checkToolList(tools: Iterable<ToolInput>): Iterable<ToolInput> {
  if (typeof Object(tools)[Symbol.iterator] === 'function') return tools
  throw new InterlinguaError('invalid-type', 'The `tools` are not a list', {
    path: '/tools',
    found: describeType(tools),
    expected: 'a list of tools',
    hint: 'Pass a list: tools: [tool({ name, description, input, run })].',
  })
}

/** The tools of one run, by name. They are in a map, because a model may call a tool `constructor`. */
export class ToolSet {
  readonly #tools = new Map<string, AgentTool>()
  /** The definitions that are sent to the model, in the order in which the tools were added. */
  readonly definitions: Tool[] = []

  constructor(tools: Iterable<ToolInput>) {
    for (const each of checkToolList(tools)) this.add(each)
  }

  add(input: ToolInput): void {
    checkTool(input)
    if (!isApplicationTool(input)) {
      this.definitions.push(input)
      return
    }
    const { name } = input
    if (this.#tools.has(name)) {
      throw new InterlinguaError('duplicate-tool', `Two tools have the name '${name}'`, {
        found: 'a duplicate name',
        expected: 'a unique name for each tool',
        hint: 'Rename one of the tools, or join the lists with joinTools(), which adds prefixes.',
      })
    }
    this.#tools.set(name, input)
    this.definitions.push(input.definition)
  }

  get(name: string): AgentTool | undefined {
    return this.#tools.get(name)
  }

  get names(): readonly string[] {
    return [...this.#tools.keys()]
  }
}

/** Rejects values that are not tools: a bare definition would be sent to the model and could never run. */
function checkTool(input: unknown): void {
  if (isObject(input) && ('definition' in input || PASS_THROUGH_TYPES.has(input['type']))) return
  throw new InterlinguaError('invalid-value', 'An entry of `tools` is not a tool', {
    path: '/tools',
    found: describeType(input),
    expected: 'a tool created with tool(…), or a provider tool',
    hint: 'Create it with tool({ name, description, input, run }).',
  })
}

const PASS_THROUGH_TYPES: ReadonlySet<unknown> = new Set(['provider', 'opaque'])
