import type { EmbeddingModel, Model } from '../canonical/model/model-interface.ts'
import type { IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import type { ContentInput } from '../canonical/build/messages.ts'
import type { MessageInput } from '../canonical/collections/message-input.ts'
import type { SystemPart } from '../canonical/model/part.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import type { AgentHooks } from './hooks.ts'
import type { Limits } from './run-limits.ts'
import type { Orchestrator, Run } from './orchestrators/orchestrator.ts'
import type { Runner } from './runner.ts'
import type { MessageQueue } from './message-queue.ts'
import type { ApprovalHandler, ToolInput } from './tools/tool.ts'

/** Settings of a request that are the caller's to make; messages, tools and output format are the agent's. */
export type RequestSettings = Omit<ChatRequest, 'messages' | 'tools' | 'output' | 'stream' | 'candidateCount'>

/** What an agent and a single run can both say; a run's word counts more, and its hooks are called after the agent's. */
export interface CommonRunOptions {
  /** Temperature, reasoning, token limits and the like. A tool choice that forces a call holds for the first step alone. */
  readonly request?: RequestSettings
  readonly limits?: Limits
  /** Ends the run after a step; a text says why. */
  readonly stopWhen?: (run: Run) => boolean | string | Promise<boolean | string>
  /** Decides about calls that need approval, and runs tools that the caller executes. Without it such calls pause the run. */
  readonly approve?: ApprovalHandler
  readonly hooks?: AgentHooks
  /** Carries the run in place of the one that fits tools, output and model. */
  readonly orchestrator?: Orchestrator
  /** How often a model is told that its output does not fit the schema before that is an error. Default: 2. */
  readonly outputRetries?: number
}

/** What an agent is made of. */
export interface AgentOptions extends CommonRunOptions {
  readonly model: Model
  readonly embedding?: EmbeddingModel
  readonly tools?: readonly ToolInput[]
  /** What the model is told before the history. */
  readonly system?: ContentInput<SystemPart>
  /** How many tools run at a time. Default: 8. */
  readonly concurrency?: number
  /** Milliseconds for one attempt of a tool that does not say its own. */
  readonly toolTimeoutMs?: number
}

/** What one run takes. */
export interface RunOptions extends CommonRunOptions, IdentityOptions {
  /** The conversation so far. It is the caller's: a run gives back only what is new. */
  readonly history?: Iterable<MessageInput>
  /** Ends the run at once; what was completed comes back. */
  readonly signal?: AbortSignal
  readonly messageQueue?: MessageQueue
  readonly runner?: Runner
  /** The id of the run. Default: a fresh one. */
  readonly id?: string
}

/** A run whose output is bound to a schema. */
export interface TypedRunOptions<T> extends RunOptions {
  readonly output: SchemaSource<T>
}
