import type { Cost } from '../canonical/model/model-interface.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { Finish, FinishReason, Message } from '../canonical/model/message.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { Usage } from '../canonical/model/usage.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import type { PausedRun, PendingCall } from './paused-run.ts'
import type { Step } from './step.ts'

/**
 * The reason a run ended: the finish reason of the last model response, or the condition that stopped the
 * run. `approval`: tool calls wait for decisions of the caller. `condition`: `stopWhen` returned true or a
 * text. `no-answer`: the model returned an empty response, also after one retry.
 */
export type RunFinishReason =
  | FinishReason
  | 'approval'
  | 'max-steps'
  | 'max-tokens'
  | 'max-time'
  | 'max-cost'
  | 'condition'
  | 'no-answer'

/** The end of a run. */
export interface RunFinish extends Omit<Finish, 'reason'> {
  readonly reason: RunFinishReason
  /** The text that `stopWhen` returned. */
  readonly detail?: string
}

/** The result of a run. It contains only what the run added, not the history. */
export interface AgentResult<T = unknown> {
  /** The id of the run. */
  readonly id: string
  /** The text of the last assistant message; with typed output, the JSON of the output. */
  readonly text: string
  /** The typed output; absent if the run ended before it was complete. */
  readonly output?: T
  /** The new messages, including the prompt. They pass `validate`, so append them to the history. */
  readonly messages: readonly Message[]
  /** The sum over all steps; for a resumed run, over the steps since it was resumed. */
  readonly usage: Usage
  /** The sum over all steps; absent unless every step has a price and all prices have the same currency. */
  readonly cost?: Cost
  readonly finish: RunFinish
  readonly losses: readonly Loss[]
  /** The reasoning text of the model; absent if none exists. */
  readonly thinking?: string
  readonly steps: readonly Step[]
  /** Present when tool calls wait for decisions. It is plain JSON: pass it to `agent.resume`. */
  readonly paused?: PausedRun
}

/** Progress that a running tool reported. */
export interface ToolProgress {
  readonly callId: string
  readonly name: string
  readonly progress: Json
}

/** One update of a running agent. It contains only what is new since the chunk before. */
export interface AgentChunk {
  /** The id of the run. */
  readonly id: string
  /** New text of the assistant message; empty if the chunk reports something else. */
  readonly text: string
  /** Messages that are complete now. An assistant message with tool calls arrives together with its results. */
  readonly messages: readonly Message[]
  /** New reasoning text; it is never part of `text`. */
  readonly thinking?: string
  /**
   * The typed output received so far, in the shape of its schema. Properties that are null are only present
   * in the complete output, which the last chunk with output contains. All chunks share one object that
   * grows: to keep an intermediate state, copy it with `structuredClone`.
   */
  readonly output?: Json
  /** The event of the model that caused this chunk. */
  readonly event?: ChatEvent
  readonly tool?: ToolProgress
  /** Data of the orchestrator that is not part of the text, such as text that precedes a typed output. */
  readonly metadata?: JsonObject
  /** Only on the last chunk: the reason the run ended. */
  readonly finish?: RunFinish
  /** Only on the last chunk of a paused run: the calls that wait for decisions. */
  readonly pending?: readonly PendingCall[]
  /** Only on the last chunk: the sum over all steps. */
  readonly usage?: Usage
}
