import type { SchemaSource } from '../../schema/schema-source.ts'
import type { MessageInput } from '../../canonical/collections/message-input.ts'
import type { RunOptions } from '../options.ts'
import type { PausedRun } from '../paused-run.ts'
import type { Decisions } from '../resumption.ts'
import { RunError } from '../run-errors.ts'
import type { AgentStream } from '../agent-stream.ts'
import { Suspended } from './nested-pause.ts'
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
 * Returns an agent as a tool. Each call starts a new run, and the text of the agent is reported as progress.
 * Calls that need approval are passed to the approval handler of the outer agent; without a decision, both
 * runs pause.
 */
export function createAgentTool(
  agent: StreamingAgent,
  { name, description, output }: AgentToolOptions,
): AgentTool {
  const agentTool = tool<{ readonly prompt: string }>({
    name,
    description,
    input: PROMPT_SCHEMA,
    run: ({ prompt }, context) =>
      runNestedAgent(startAgentStream(agent, prompt, output, context), output !== undefined, context),
  })
  return Object.freeze({ ...agentTool, isAgent: true })
}

/** Starts the run of the nested agent, or resumes it after a pause. */
function startAgentStream(
  agent: StreamingAgent,
  prompt: string,
  output: SchemaSource | undefined,
  { signal, approve, nested }: ToolContext,
): AgentStream {
  const options = { signal, ...(approve && { approve }), ...(nested && { history: nested.messages }) }
  const typed = output === undefined ? options : { ...options, output }
  return nested === undefined
    ? agent.stream(prompt, typed)
    : agent.resumeStream(nested.run, nested.decisions, typed)
}

async function runNestedAgent(
  stream: AgentStream,
  isTyped: boolean,
  { reportProgress, addSteps, nested }: ToolContext,
): Promise<unknown> {
  try {
    for await (const { text } of stream) if (text !== '') reportProgress(text)
  } catch (error) {
    if (error instanceof RunError) addSteps(error.partial.steps)
    throw error
  }
  const { steps, paused, messages, text, output } = await stream.result
  addSteps(steps)
  if (paused === undefined) return isTyped ? output : text
  const { messages: before = [], pauseCount = 0 } = nested ?? {}
  return new Suspended({ run: paused, messages: [...before, ...messages], pauseCount: pauseCount + 1 })
}
