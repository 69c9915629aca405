import { omitUndefined } from '../wire/json.ts'
import type { SystemMessage } from '../canonical/model/message.ts'
import type { AgentOptions, RunOptions } from './options.ts'
import type { Run } from './orchestrators/orchestrator.ts'
import type { AgentHooks } from './hooks.ts'
import type { AgentChunk } from './agent-result.ts'
import type { Step } from './step.ts'
import type { Resumption } from './resumption.ts'
import { ToolExecutor } from './tools/tool-executor.ts'
import type { ToolSet } from './tools/tool-set.ts'

/** The input of a run. */
export interface RunInput {
  readonly agent: AgentOptions
  readonly system: SystemMessage | undefined
  readonly options: RunOptions
  /** Called with each chunk; if absent, responses are not streamed. */
  readonly onChunk?: (chunk: AgentChunk) => void
  readonly resumption?: Resumption
}

/** Returns the tool executor of a run, with the agent's settings and the run's hooks. */
export function createToolExecutor(
  run: Run & { readonly hooks: Required<AgentHooks>; addSteps(steps: readonly Step[]): void },
  { agent, options, resumption }: RunInput,
  tools: ToolSet,
): ToolExecutor {
  const { concurrency, toolTimeoutMs: timeoutMs, tracer } = agent
  const { approve = agent.approve, runner } = options
  const { callsPerAnswer: maxCalls } = { ...agent.limits, ...omitUndefined(options.limits ?? {}) }
  return new ToolExecutor({
    tools,
    ...omitUndefined({ concurrency, maxCalls, timeoutMs, approve, runner, tracer }),
    signal: run.signal,
    runId: run.id,
    messages: () => run.conversation,
    beforeTool: async (call) => (await run.hooks.beforeTool(call, run)) ?? undefined,
    afterTool: async (result, call) => (await run.hooks.afterTool(result, call, run)) ?? result,
    onProgress: ({ id, name }, progress) => run.emit({ tool: { callId: id, name, progress } }),
    onSteps: ({ name }, steps) => run.addSteps(steps.map((step) => ({ ...step, tool: name }))),
    uses: Object.entries(resumption?.paused.toolUses ?? {}),
  })
}
