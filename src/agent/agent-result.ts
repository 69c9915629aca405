import type { Cost } from '../canonical/model/model-interface.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { Finish, FinishReason, Message } from '../canonical/model/message.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { Usage } from '../canonical/model/usage.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import type { PausedRun } from './paused-run.ts'
import type { Step } from './step.ts'

/**
 * Why a run ended: what the model said last, or what stopped the run. `approval`: calls wait for decisions of the caller.
 * `condition`: the caller's `stopWhen` held. `no-answer`: the model said nothing, also when it was asked once more.
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
  /** What `stopWhen` said. */
  readonly detail?: string
}

/** What a run gives back: only what is new. */
export interface AgentResult<T = unknown> {
  /** The id of the run. */
  readonly id: string
  /** The text of the last answer; with typed output, its JSON. */
  readonly text: string
  /** The typed output; absent when the run ended before there was one. */
  readonly output?: T
  /** The messages of this run, the prompt included. They always `validate`: append them to the history, whatever the end. */
  readonly messages: readonly Message[]
  /** The sum over all steps; a resumed run counts only those since then. */
  readonly usage: Usage
  /** The sum over all steps, where all of them have a price in one currency. */
  readonly cost?: Cost
  readonly finish: RunFinish
  readonly losses: readonly Loss[]
  /** What the model thought; absent where it showed nothing. */
  readonly thinking?: string
  readonly steps: readonly Step[]
  /** Plain JSON, there when calls wait for decisions: give it to `agent.resume`, in this process or another. */
  readonly paused?: PausedRun
}

/** What a tool says while it is at work. */
export interface ToolProgress {
  readonly callId: string
  readonly name: string
  readonly progress: Json
}

/** A piece of a run as it happens: only what is new. */
export interface AgentChunk {
  /** The id of the run. */
  readonly id: string
  /** More text of the answer; empty where the chunk says something else. */
  readonly text: string
  /** Messages that are complete now: an answer with calls comes together with its results. */
  readonly messages: readonly Message[]
  /** More of what the model thinks; never part of the text. */
  readonly thinking?: string
  /**
   * The typed output as far as it came, in the shape of its schema: properties that are null come with the whole alone, which the
   * last chunk with output has. It holds for the moment in which the chunk arrives: it is one object that grows, so
   * keeping a state of it takes a copy (`structuredClone`).
   */
  readonly output?: Json
  /** The model's event behind this chunk. */
  readonly event?: ChatEvent
  readonly tool?: ToolProgress
  /** What the orchestrator says beside the text, such as text that is not part of a typed answer. */
  readonly metadata?: JsonObject
  /** On the last chunk alone: why the run ended. */
  readonly finish?: RunFinish
  /** On the last chunk alone: the sum over all steps. */
  readonly usage?: Usage
}
