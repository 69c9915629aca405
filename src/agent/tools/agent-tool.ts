import type { SchemaSource } from '../../schema/schema-source.ts'
import type { MessageInput } from '../../canonical/collections/message-input.ts'
import type { RunOptions } from '../options.ts'
import type { PausedRun } from '../paused-run.ts'
import type { Decisions } from '../resumption.ts'
import { RunError } from '../run-errors.ts'
import type { AgentStream } from '../agent-stream.ts'
import { Suspended } from './nested-pause.ts'
import { type AgentTool, tool, type ToolContext } from './tool.ts'

/** How an agent appears as a tool of another. */
export interface AgentToolOptions {
  readonly name: string
  readonly description: string
  /** Binds what it gives to a schema. Default: it gives its text. */
  readonly output?: SchemaSource
}

/** The methods of an `Agent` that a tool needs. The tool does not import the class, since `Agent.asTool` imports the tool. */
interface StreamingAgent {
  stream(prompt: MessageInput, options: RunOptions): AgentStream
  resumeStream(paused: PausedRun, decisions: Decisions, options: RunOptions): AgentStream
}

const PROMPT_SCHEMA = {
  type: 'object',
  properties: { prompt: { type: 'string', description: 'What to do, with all that must be known for it.' } },
  required: ['prompt'],
  additionalProperties: false,
} as const

/**
 * An agent as a tool: it begins anew with each call, its text is progress, and its questions for approval are handed on. Where
 * nobody answers them at once, it waits, and the run of the outer agent with it.
 */
export function createAgentTool(
  agent: StreamingAgent,
  { name, description, output }: AgentToolOptions,
): AgentTool {
  const made = tool<{ readonly prompt: string }>({
    name,
    description,
    input: PROMPT_SCHEMA,
    run: ({ prompt }, context) =>
      runNestedAgent(startAgentStream(agent, prompt, output, context), output !== undefined, context),
  })
  return Object.freeze({ ...made, isAgent: true })
}

/** The agent's run: a new one, or the one that was left open. */
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
  typed: boolean,
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
  if (paused === undefined) return typed ? output : text
  const { messages: before = [], pauseCount = 0 } = nested ?? {}
  return new Suspended({ run: paused, messages: [...before, ...messages], pauseCount: pauseCount + 1 })
}
