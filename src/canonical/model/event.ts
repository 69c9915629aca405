import type { InterlinguaError } from '../../errors.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { Citation } from './citation.ts'
import type { Extra } from './extra.ts'
import type { AssistantMessage, Finish, Origin, ToolMessage } from './message.ts'
import type { Loss } from './loss.ts'
import type { AssistantPart, Signature } from './part.ts'
import type { Usage } from './usage.ts'

interface EventBase {
  /** The candidate that the event belongs to. Default: 0. */
  readonly candidate?: number
  readonly extra?: Extra
}

interface PartEvent extends EventBase {
  /** The position of the part in its message. */
  readonly index: number
}

/** The start of a candidate. A second start of candidate 0 starts the entire stream again. */
export interface StartEvent extends EventBase {
  readonly type: 'start'
  readonly id?: string
  readonly model?: string
  readonly createdAt?: string
  readonly origin?: Origin
  /** The fields of the message other than its content, as far as they are known at the start. */
  readonly message?: Partial<Omit<AssistantMessage, 'role' | 'content' | 'origin' | 'finish'>>
}

/** The start of a part; `part` contains what is known before the first delta. */
export interface PartStartEvent extends PartEvent {
  readonly type: 'part-start'
  readonly part: AssistantPart
}

/** The next piece of text or of a refusal. */
export interface TextDeltaEvent extends PartEvent {
  readonly type: 'text-delta' | 'refusal-delta'
  readonly text: string
}

/** The next piece of reasoning. */
export interface ReasoningDeltaEvent extends PartEvent {
  readonly type: 'reasoning-delta'
  readonly text: string
  readonly summary?: true
}

/** The next piece of a call's arguments. */
export interface ArgumentsDeltaEvent extends PartEvent {
  readonly type: 'arguments-delta'
  /** The next piece of the argument text. The joined pieces of a call are authoritative. */
  readonly json: string
  /**
   * The arguments so far; absent before the first bracket. Decoders set it, and no encoder reads it. All events
   * of a call share one object that grows, since copies would cost the square of the length: do not change it,
   * and copy it (`structuredClone`) to keep a state. The final arguments are those of the accumulated part.
   */
  readonly value?: JsonObject
}

/** The next piece of base64 of an image, audio or video. */
export interface MediaDeltaEvent extends PartEvent {
  readonly type: 'media-delta'
  readonly data: string
}

/** Fields of an open part that have no delta; citations are added to those that arrived before. */
export interface PartUpdateEvent extends PartEvent {
  readonly type: 'part-update'
  /** A signature that is bound to the content of the finished part. */
  readonly signature?: Omit<Signature, 'contentDigest'>
  readonly citations?: readonly Citation[]
}

/**
 * The end of a part. `part` contains what the deltas did not contain; with `replaces`, it is the complete
 * part. No delta follows, but another end with `replaces` may, if the provider corrects the part.
 */
export interface PartEndEvent extends PartEvent {
  readonly type: 'part-end'
  readonly part?: AssistantPart
  readonly replaces?: true
}

/** The usage so far; each event replaces the one before. */
export interface UsageEvent extends EventBase {
  readonly type: 'usage'
  readonly usage: Usage
}

/** The end of a candidate, with its reason. */
export interface FinishEvent extends EventBase {
  readonly type: 'finish'
  readonly finish: Finish
}

/** A loss of the translation. */
export interface LossEvent extends EventBase {
  readonly type: 'loss'
  readonly loss: Loss
}

/** An error that ends the stream. */
export interface ErrorEvent extends EventBase {
  readonly type: 'error'
  readonly error: InterlinguaError
}

/** A wire event that this version does not know. */
export interface OpaqueEvent extends EventBase {
  readonly type: 'opaque'
  readonly dialect: string
  readonly value: Json
}

/** A failed attempt of a call, after which the request is sent again. */
export interface RetryInfo {
  /** The number of the attempt that failed, from 1. */
  readonly attempt: number
  /** The delay before the next attempt. */
  readonly delayMs: number
  /** The error of the attempt. */
  readonly error: InterlinguaError
}

/**
 * A retry before the first event of the response. It is not part of the response: `accumulate` and all encoders
 * ignore it.
 */
export interface RetryEvent extends EventBase, RetryInfo {
  readonly type: 'retry'
}

/** One step of a streamed response. The stream ends when the iteration ends, not at `finish`. */
export type ChatEvent =
  | StartEvent
  | PartStartEvent
  | TextDeltaEvent
  | ReasoningDeltaEvent
  | ArgumentsDeltaEvent
  | MediaDeltaEvent
  | PartUpdateEvent
  | PartEndEvent
  | UsageEvent
  | FinishEvent
  | LossEvent
  | ErrorEvent
  | OpaqueEvent
  | RetryEvent

/** Progress of a tool that is running. */
export interface ToolProgressEvent {
  readonly type: 'tool-progress'
  readonly callId: string
  readonly progress: Json
}

/** A tool call that waits for a decision of the user. */
export interface ApprovalRequestEvent {
  readonly type: 'approval-request'
  /** The id of the pending call: the key of the decision. */
  readonly id: string
  /** The call that the user sees: the pending one, or the call of the agent that contains it. */
  readonly callId: string
}

/** The events of a run: those of its responses, the tool messages between them, and the state of its tools. */
export type RunEvent = ChatEvent | ToolMessage | ToolProgressEvent | ApprovalRequestEvent
