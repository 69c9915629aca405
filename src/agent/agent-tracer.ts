import type { Model } from '../canonical/model/model-interface.ts'
import type { Message } from '../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../canonical/model/part.ts'
import type { AgentResult } from './agent-result.ts'

/** A run that starts or resumes. */
export interface TracedRun {
  readonly model: Model
  /** The system message and the prompt; without the prompt for a resumed run. */
  readonly input: readonly Message[]
}

/** A tool call that is about to run. */
export interface TracedToolCall {
  readonly call: ToolCallPart
  /** The description of the tool. */
  readonly description?: string
}

/**
 * Wraps the runs of an agent and their tool calls, to measure them. Each function must call `work` once and return
 * its result. `agentTracing` of `interlingua/otel` creates spans.
 *
 * @example
 * const timing: AgentTracer = {
 *   async traceRun(_run, work) {
 *     console.time('run')
 *     return work().finally(() => console.timeEnd('run'))
 *   },
 *   traceTool: (_call, work) => work(),
 * }
 */
export interface AgentTracer {
  /** Called for each run, and again when a paused run is resumed. */
  traceRun(run: TracedRun, work: () => Promise<AgentResult>): Promise<AgentResult>
  /** Called for each tool call with all its attempts. The result is absent if a nested agent has paused. */
  traceTool<T extends ToolResultPart | undefined>(call: TracedToolCall, work: () => Promise<T>): Promise<T>
}
