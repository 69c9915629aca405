import type { Tool } from '../../canonical/model/tool.ts'
import { InterlinguaError } from '../../errors.ts'
import { describe, isObject } from '../../wire/json.ts'
import { type AgentTool, isAgentTool, type ToolInput } from './tool.ts'

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
    if (this.#tools.has(input.name)) throw duplicate(input.name)
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
  if (isObject(input) && ('definition' in input || PASSED_ON.has(input['type']))) return
  throw new InterlinguaError('invalid-value', 'This is no tool of an agent', {
    path: '/tools',
    found: describe(input),
    expected: 'what tool(…) makes, or a tool that the provider runs',
    hint: 'Make it with tool({ name, description, input, run }).',
  })
}

const PASSED_ON: ReadonlySet<unknown> = new Set(['provider', 'opaque'])

function duplicate(name: string): InterlinguaError {
  return new InterlinguaError('duplicate-tool', `Two tools are called '${name}'`, {
    found: 'one name twice',
    expected: 'a name of its own for each tool',
    hint: 'Rename one of them, or join lists of tools with joinTools, which sets such names apart.',
  })
}
