import type { SchemaSource } from '../../schema/schema-source.ts'
import type { MessageInput } from '../../canonical/collections/message-input.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { omitUndefined } from '../../wire/json.ts'
import type { RunOptions } from '../options.ts'
import type { PausedRun } from '../paused-run.ts'
import type { Decisions } from '../resumption.ts'
import { RunError } from '../run-errors.ts'
import type { AgentStream } from '../agent-stream.ts'
import { SuspendedToolOutput } from './nested-pause.ts'
import { type AgentTool, tool, type ToolContext } from './tool.ts'

/** Options of an agent that is used as a tool. */
export interface AgentToolOptions {
  readonly name: string
  readonly description: string
  /** The schema of the tool's output. Default: the tool returns the text of the agent. */
  readonly output?: SchemaSource
}

/** The methods of an `Agent` that a tool needs. The tool does not import the class, since `Agent.asTool` imports the tool. */
interface StreamingAgent {
  stream(prompt: MessageInput, options: RunOptions): AgentStream
  resumeStream(paused: PausedRun, decisions: Decisions, options: RunOptions): AgentStream
}

const PROMPT_SCHEMA = {
  type: 'object',
  properties: {
    prompt: { type: 'string', description: 'The task, with all information that is needed for it.' },
  },
  required: ['prompt'],
  additionalProperties: false,
} as const

/**
 * Returns an agent as a tool. Each call starts a new run, and the text of the agent is reported as progress. Calls that
 * need approval are passed to the approval handler of the outer agent; without a decision, both runs pause.
 */
export function createToolFromAgent(agent: StreamingAgent, options: AgentToolOptions): AgentTool {
  checkOptions('asTool()', options, { name: true, description: true, output: true })
  const { name, description, output } = options
  const agentTool = tool<{ readonly prompt: string }>({
    name,
    description,
    input: PROMPT_SCHEMA,
    run: ({ prompt }, context) => runNestedAgent(agent, prompt, output, context),
  })
  return Object.freeze({ ...agentTool, isAgent: true })
}

/** Runs the nested agent, or resumes it after a pause. */
async function runNestedAgent(
  agent: StreamingAgent,
  prompt: string,
  schema: SchemaSource | undefined,
  { signal, approve, nested, reportProgress, addSteps }: ToolContext,
): Promise<unknown> {
  const options = { signal, ...omitUndefined({ approve, output: schema, history: nested?.messages }) }
  const stream = nested
    ? agent.resumeStream(nested.run, nested.decisions, options)
    : agent.stream(prompt, options)
  try {
    for await (const { text } of stream) if (text !== '') reportProgress(text)
  } catch (error) {
    if (error instanceof RunError) addSteps(error.partial.steps)
    throw error
  }
  const { steps, paused, messages, text, output } = await stream.result
  addSteps(steps)
  if (paused === undefined) return schema === undefined ? text : output
  const { messages: before = [], pauseCount = 0 } = nested ?? {}
  return new SuspendedToolOutput({
    run: paused,
    messages: [...before, ...messages],
    pauseCount: pauseCount + 1,
  })
}
