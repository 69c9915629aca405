import type { Cost, Model } from '../../canonical/model/model-interface.ts'
import type { Messages } from '../../canonical/collections/messages.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import type { AssistantMessage, Message, ToolMessage } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import type { Json } from '../../wire/json.ts'
import type { AgentChunk, RunFinish } from '../agent-result.ts'
import type { Step } from '../step.ts'
import type { ToolInput } from '../tools/tool.ts'

/** A reply of the model within a run, as plain JSON. */
export interface ModelReply {
  readonly message: AssistantMessage
  readonly usage?: Usage
  readonly cost?: Cost
  readonly losses: readonly Loss[]
}

/** Maps an event of the model to the fields of a chunk. */
export type EventMapper = (
  event: ChatEvent,
) => Pick<AgentChunk, 'thinking' | 'output' | 'metadata'> & { readonly text?: string }

/** Options of {@link Run.callModel}. */
export interface ModelCallOptions {
  /** Settings of this request that override those of the agent; `undefined` removes a setting. */
  readonly request?: { readonly [K in keyof ChatRequest]?: ChatRequest[K] | undefined }
  /** Maps the events of this response to chunks. Default: text and reasoning. */
  readonly mapEvent?: EventMapper
}

/** One run of an agent, as orchestrators and hooks see it. It holds all state of the run. */
export interface Run {
  readonly id: string
  readonly model: Model
  /** The new messages of the run. */
  readonly messages: readonly Message[]
  /** The history followed by the new messages. */
  readonly conversation: Messages
  /** The model calls so far. */
  readonly steps: readonly Step[]
  readonly signal: AbortSignal
  /** Data of the orchestrator. It must be JSON, because it is stored with a paused run. */
  readonly data: Map<string, Json>
  /** Adds a tool for this run. */
  addTool(tool: ToolInput): void
  /** Calls the model with the conversation. In a resumed run, the first call returns the pending message. */
  callModel(options?: ModelCallOptions): Promise<ModelReply>
  /** Runs the tool calls of a message and returns their results. Pauses the run if calls wait. */
  runToolCalls(message: AssistantMessage): Promise<ToolMessage>
  /** Emits a chunk to the reader of the stream. */
  emit(chunk: Partial<Omit<AgentChunk, 'id'>>): void
}

/** The result of one step. */
export interface StepResult {
  /** The new messages, which are appended to the conversation. */
  readonly messages: readonly Message[]
  readonly usage?: Usage
  /** True if another step follows. */
  readonly shouldContinue: boolean
  /** The reason the run ends, if no other step follows. */
  readonly finish?: RunFinish
  /** The typed output, and its JSON, which becomes the text of the result. */
  readonly output?: { readonly value: unknown; readonly text: string }
}

/**
 * The strategy of a run: it decides what to send to the model, what to do with the reply, and when to stop. It must be
 * stateless, since one orchestrator serves many runs at the same time; state belongs in `run.data`.
 *
 * @example
 * const once: Orchestrator = {
 *   name: 'once',
 *   async step(run) {
 *     const { message } = await run.callModel({ request: { tools: undefined } })
 *     return { messages: [message], shouldContinue: false, finish: { reason: 'stop' } }
 *   },
 * }
 */
export interface Orchestrator {
  readonly name: string
  /** Called before the first step. */
  init?(run: Run): void | Promise<void>
  step(run: Run): Promise<StepResult>
  /** Called after the last step, also if the run failed. */
  close?(run: Run): void | Promise<void>
}
