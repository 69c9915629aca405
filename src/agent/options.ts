import type { EmbeddingModel, Model } from '../canonical/model/model-interface.ts'
import type { IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import type { ContentInput } from '../canonical/build/messages.ts'
import type { MessageInput } from '../canonical/collections/message-input.ts'
import type { SystemPart } from '../canonical/model/part.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import type { AgentTracer } from './agent-tracer.ts'
import type { AgentHooks } from './hooks.ts'
import type { RunLimits } from './run-limits.ts'
import type { Orchestrator, Run } from './orchestrators/orchestrator.ts'
import type { Runner } from './step-runner.ts'
import type { MessageQueue } from './message-queue.ts'
import type { ApprovalHandler, ToolInput } from './tools/tool.ts'
import type { OptionHints, OptionNames } from '../wire/check-options.ts'

/** Request settings that the caller may choose; the agent itself sets messages, tools and output format. */
export type RequestSettings = Omit<ChatRequest, 'messages' | 'tools' | 'output' | 'stream' | 'candidateCount'>

/**
 * Options of both an agent and a single run. Options of the run override those of the agent; hooks of both
 * are called, the agent's first.
 */
export interface CommonRunOptions {
  /** Temperature, reasoning and others. A forced tool choice applies to the first step only. */
  readonly request?: RequestSettings
  /**
   * True to mark tools, instructions and the last two turns for the prompt cache of Claude, which caches only what is
   * marked; `usage` contains what was written and read. Cache hints in the messages have precedence. Default: true.
   */
  readonly promptCaching?: boolean
  readonly limits?: RunLimits
  /** Called after each step; true or a text ends the run. The text becomes `finish.detail`. */
  readonly stopWhen?: (run: Run) => boolean | string | Promise<boolean | string>
  /** Decides about calls that need approval or have no `run`; without it, such calls pause the run. */
  readonly approve?: ApprovalHandler
  readonly hooks?: AgentHooks
  /** Replaces the orchestrator that is otherwise selected by tools, output and model. */
  readonly orchestrator?: Orchestrator
  /** The number of times the model may correct output that violates the schema. Default: 2. */
  readonly outputRetries?: number
}

/** Options of an {@link Agent}. */
export interface AgentOptions extends CommonRunOptions {
  readonly model: Model
  readonly embedding?: EmbeddingModel
  readonly tools?: readonly ToolInput[]
  /** The system message, sent before the history. */
  readonly system?: ContentInput<SystemPart>
  /** The number of tools that run at the same time. Default: 8. */
  readonly concurrency?: number
  /** The time limit for one attempt of a tool that has no `timeoutMs` of its own. Default: none. */
  readonly toolTimeoutMs?: number
  /** Wraps runs and tool calls, for example in spans: `agentTracing()` of `interlingua/otel`. */
  readonly tracer?: AgentTracer
}

/** Options of one run. */
export interface RunOptions extends CommonRunOptions, IdentityOptions {
  /** The conversation so far. The run does not change it and returns only new messages. */
  readonly history?: Iterable<MessageInput>
  /** Aborts the run; the result contains what was complete. */
  readonly signal?: AbortSignal | undefined
  readonly messageQueue?: MessageQueue
  readonly runner?: Runner
  /** The id of the run. Default: a new id. */
  readonly id?: string
}

/** Options of a run with typed output. */
export interface TypedRunOptions<T> extends RunOptions {
  readonly output: SchemaSource<T>
}

const COMMON_OPTION_NAMES: OptionNames<CommonRunOptions> = {
  request: true,
  promptCaching: Boolean,
  limits: { steps: true, tokens: true, timeMs: true, cost: true, callsPerAnswer: true },
  stopWhen: Function,
  approve: Function,
  hooks: {
    beforeModel: Function,
    afterModel: Function,
    beforeTool: Function,
    afterTool: Function,
    onMessage: Function,
    onStep: Function,
    onEnd: Function,
  },
  orchestrator: true,
  outputRetries: true,
}

/** The names of the options of an agent. */
export const AGENT_OPTION_NAMES: OptionNames<AgentOptions> = {
  ...COMMON_OPTION_NAMES,
  model: true,
  embedding: true,
  tools: true,
  system: true,
  concurrency: true,
  toolTimeoutMs: true,
  tracer: true,
}

/** The names of the options of a run. */
export const RUN_OPTION_NAMES: OptionNames<RunOptions & Partial<TypedRunOptions<unknown>>> = {
  ...COMMON_OPTION_NAMES,
  history: true,
  signal: true,
  messageQueue: true,
  runner: true,
  id: true,
  newId: Function,
  now: Function,
  output: true,
}

/** Hints for names of other libraries. */
export const AGENT_OPTION_HINTS: OptionHints = {
  instructions: 'Use `system` of the agent.',
  prompt: 'Use `system` of the agent, and pass the prompt to `send`.',
  messages: 'Use `history`.',
  maxSteps: 'Use `limits: { steps }`.',
  maxTurns: 'Use `limits: { steps }`.',
  temperature: 'Use `request: { temperature }`.',
}
