import { InterlinguaError } from '../../errors.ts'
import type { SchemaSource } from '../../schema/source.ts'
import type { Agent } from '../agent.ts'
import { RunError } from '../errors.ts'
import { type AgentTool, tool, type ToolContext } from './tool.ts'

/** How an agent appears as a tool of another. */
export interface AgentAsTool {
  readonly name: string
  readonly description: string
  /** Binds what it gives to a schema. Default: it gives its text. */
  readonly output?: SchemaSource
}

const PROMPT = {
  type: 'object',
  properties: { prompt: { type: 'string', description: 'What to do, with all that must be known for it.' } },
  required: ['prompt'],
  additionalProperties: false,
} as const

/** An agent as a tool: it begins anew with each call, its text is progress, and its questions for approval are handed on. */
export function agentTool(agent: Agent, { name, description, output }: AgentAsTool): AgentTool {
  return tool<{ readonly prompt: string }>({
    name,
    description,
    input: PROMPT,
    run: ({ prompt }, context) => work(agent, prompt, output, context),
  })
}

async function work(
  agent: Agent,
  prompt: string,
  output: SchemaSource | undefined,
  { signal, progress, count, approve }: ToolContext,
): Promise<unknown> {
  const options = { signal, ...(approve && { approve }) }
  const stream =
    output === undefined ? agent.stream(prompt, options) : agent.stream(prompt, { ...options, output })
  try {
    for await (const { text } of stream) if (text !== '') progress(text)
  } catch (error) {
    if (error instanceof RunError) count(error.partial.steps)
    throw error
  }
  const result = await stream.result
  count(result.steps)
  if (result.paused !== undefined) throw unanswered()
  return output === undefined ? result.text : result.output
}

function unanswered(): InterlinguaError {
  return new InterlinguaError('run-failed', 'The agent needs an approval that nobody here can give', {
    hint: 'Give `approve` to the run of the outer agent: inner agents ask it, too.',
  })
}
