import { Messages } from '../canonical/collections/messages.ts'
import type { SystemMessage } from '../canonical/model/message.ts'
import type { AgentOptions, RunOptions } from './options.ts'
import type { Run } from './orchestrators/orchestrator.ts'
import type { AgentHooks } from './hooks.ts'
import type { PausedRun } from './paused-run.ts'
import type { AgentChunk } from './agent-result.ts'
import type { Step } from './step.ts'
import type { Resumption } from './resumption.ts'
import { directRunner } from './runner.ts'
import { ToolExecutor } from './tools/tool-executor.ts'
import type { ToolSet } from './tools/tool-set.ts'

/** The input of a run. */
export interface RunSetup {
  readonly agent: AgentOptions
  readonly system: SystemMessage | undefined
  readonly options: RunOptions
  readonly signal: AbortSignal
  /** Called with each chunk; if absent, responses are not streamed. */
  readonly onChunk: ((chunk: AgentChunk) => void) | undefined
  readonly paused: PausedRun | undefined
  readonly decisions: Resumption['decisions']
  readonly nested: Resumption['nested']
}

/** Returns the conversation before the new messages: the system message followed by the history. */
export function buildConversation({ system, options: { history = [] } }: RunSetup): Messages {
  const past = Messages.from(history)
  return system === undefined ? past : past.prepend(system)
}

/** Returns the tool executor of a run, with the agent's settings and the run's hooks. */
export function createExecutor(
  run: Run & { readonly hooks: Required<AgentHooks>; addSteps(steps: readonly Step[]): void },
  { agent, options, paused }: RunSetup,
  tools: ToolSet,
): ToolExecutor {
  const { concurrency, toolTimeoutMs } = agent
  const approve = options.approve ?? agent.approve
  return new ToolExecutor({
    tools,
    ...(concurrency !== undefined && { concurrency }),
    ...(toolTimeoutMs !== undefined && { timeoutMs: toolTimeoutMs }),
    ...(approve && { approve }),
    runner: options.runner ?? directRunner,
    signal: run.signal,
    runId: run.id,
    messages: () => run.conversation,
    beforeTool: async (call) => (await run.hooks.beforeTool(call, run)) ?? undefined,
    afterTool: async (result, call) => (await run.hooks.afterTool(result, call, run)) ?? result,
    onProgress: ({ id, name }, progress) => run.emit({ tool: { callId: id, name, progress } }),
    onSteps: ({ name }, steps) => run.addSteps(steps.map((step) => ({ ...step, tool: name }))),
    uses: Object.entries(paused?.toolUses ?? {}),
  })
}
