import type { Tool } from '../../canonical/model/tool.ts'
import { InterlinguaError } from '../../errors.ts'
import { type AgentTool, isAgentTool, type ToolInput } from './tool.ts'

/** The tools of one run, by name. Names are looked up in a map: a model may call a tool `constructor`. */
export class ToolSet {
  readonly #tools = new Map<string, AgentTool>()
  readonly #definitions: Tool[] = []

  constructor(tools: Iterable<ToolInput>) {
    for (const each of tools) this.add(each)
  }

  add(input: ToolInput): void {
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

function duplicate(name: string): InterlinguaError {
  return new InterlinguaError('duplicate-tool', `Two tools are called '${name}'`, {
    found: 'one name twice',
    expected: 'a name of its own for each tool',
    hint: 'Rename one of them, or join lists of tools with joinTools, which sets such names apart.',
  })
}
