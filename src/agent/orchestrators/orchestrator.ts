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

/** An answer of the model, as plain JSON. */
export interface ModelReply {
  readonly message: AssistantMessage
  readonly usage?: Usage
  readonly cost?: Cost
  readonly losses: readonly Loss[]
}

/** What of an event the stream shows. */
export type EventMapper = (
  event: ChatEvent,
) => Pick<AgentChunk, 'thinking' | 'output' | 'metadata'> & { readonly text?: string }

/** How the model is asked. */
export interface ModelCallOptions {
  /** What this question has beside the agent's own settings, or otherwise; `undefined` takes a setting away. */
  readonly request?: { readonly [K in keyof ChatRequest]?: ChatRequest[K] | undefined }
  /** What the stream shows of the answer. Default: its text and thoughts. */
  readonly mapEvent?: EventMapper
}

/** One run of an agent, as its orchestrator and hooks see it. Everything that changes during a run is held here. */
export interface Run {
  readonly id: string
  readonly model: Model
  /** The new messages of the run. */
  readonly messages: readonly Message[]
  /** History and new messages. */
  readonly conversation: Messages
  /** The calls of the model so far. */
  readonly steps: readonly Step[]
  readonly signal: AbortSignal
  /** Notes of the orchestrator; they travel with a paused run, so they are JSON. */
  readonly data: Map<string, Json>
  /** Offers one more tool for the time of this run. */
  addTool(tool: ToolInput): void
  /** Asks the model with the conversation as it is. In a resumed run, the first answer is the one that was left open. */
  callModel(options?: ModelCallOptions): Promise<ModelReply>
  /** Runs the calls of an answer and gives the message of their results. It ends the run where calls wait for the caller. */
  runToolCalls(message: AssistantMessage): Promise<ToolMessage>
  /** Tells those who watch. */
  emit(chunk: Partial<Omit<AgentChunk, 'id'>>): void
}

/** What a step came to. */
export interface StepResult {
  /** The new messages, which are now part of the conversation. */
  readonly messages: readonly Message[]
  readonly usage?: Usage
  /** Whether another step follows. */
  readonly shouldContinue: boolean
  /** Why it stopped, where it does not go on. */
  readonly finish?: RunFinish
  /** The typed output, and its JSON in place of the text. */
  readonly output?: { readonly value: unknown; readonly text: string }
}

/**
 * What carries a run: it decides what is asked, what is done with the answer, and when it is enough. It holds no state of its
 * own, so that one serves many runs at once.
 *
 * @example
 * const once: Orchestrator = {
 *   name: 'once',
 *   async step(run) {
 *     const { message } = await run.ask({ request: { tools: undefined } })
 *     return { messages: [message], goOn: false, finish: { reason: 'stop' } }
 *   },
 * }
 */
export interface Orchestrator {
  readonly name: string
  /** Before the first step. */
  init?(run: Run): void | Promise<void>
  step(run: Run): Promise<StepResult>
  /** After the last step, whatever happened. */
  close?(run: Run): void | Promise<void>
}
