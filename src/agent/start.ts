import { Messages } from '../canonical/collections/messages.ts'
import type { SystemMessage } from '../canonical/model/message.ts'
import type { AgentOptions, RunOptions } from './options.ts'
import type { Run } from './orchestrators/orchestrator.ts'
import type { AgentHooks } from './hooks.ts'
import type { PausedRun } from './paused.ts'
import type { AgentChunk, Step } from './result.ts'
import type { Resumption } from './resumption.ts'
import { inline } from './runner.ts'
import { ToolExecutor } from './tools/executor.ts'
import type { ToolSet } from './tools/tool-set.ts'

/** What a run begins with. */
export interface RunStart {
  readonly agent: AgentOptions
  readonly system: SystemMessage | undefined
  readonly options: RunOptions
  readonly signal: AbortSignal
  /** Told each chunk; without it nothing is streamed. */
  readonly onChunk: ((chunk: AgentChunk) => void) | undefined
  readonly paused: PausedRun | undefined
  readonly decisions: Resumption['decisions']
  readonly nested: Resumption['nested']
}

/** System text and history: what stands before the new messages. */
export function conversationOf({ system, options: { history = [] } }: RunStart): Messages {
  const past = Messages.from(history)
  return system === undefined ? past : past.prepend(system)
}

/** What runs the tools of a run, by the agent's settings and with the run's hooks. */
export function executorFor(
  run: Run & { readonly hooks: Required<AgentHooks>; count(steps: readonly Step[]): void },
  { agent, options, paused }: RunStart,
  tools: ToolSet,
): ToolExecutor {
  const { concurrency, toolTimeout: timeout } = agent
  const approve = options.approve ?? agent.approve
  return new ToolExecutor({
    tools,
    ...(concurrency !== undefined && { concurrency }),
    ...(timeout !== undefined && { timeout }),
    ...(approve && { approve }),
    runner: options.runner ?? inline,
    signal: run.signal,
    runId: run.id,
    messages: () => run.conversation,
    beforeTool: async (call) => (await run.hooks.beforeTool(call, run)) ?? undefined,
    afterTool: async (result, call) => (await run.hooks.afterTool(result, call, run)) ?? result,
    onProgress: ({ id, name }, progress) => run.emit({ tool: { callId: id, name, progress } }),
    onSteps: ({ name }, steps) => run.count(steps.map((step) => ({ ...step, tool: name }))),
    uses: Object.entries(paused?.toolUses ?? {}),
  })
}
