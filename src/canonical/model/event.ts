import type { InterlinguaError } from '../../errors.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { Citation } from './citation.ts'
import type { Extra } from './extra.ts'
import type { Finish, AssistantMessage, Origin } from './message.ts'
import type { Loss } from './loss.ts'
import type { AssistantPart, Signature } from './part.ts'
import type { Usage } from './usage.ts'

interface EventBase {
  /** Which candidate it belongs to; 0 when absent. */
  readonly candidate?: number
  readonly extra?: Extra
}

interface PartEvent extends EventBase {
  /** Position of the part in its message. */
  readonly index: number
}

/** An answer begins. One that starts again (candidate 0) begins the whole stream anew. */
export interface StartEvent extends EventBase {
  readonly type: 'start'
  readonly id?: string
  readonly model?: string
  readonly createdAt?: string
  readonly origin?: Origin
  /** What the message has beside its content, where that is known from the start. */
  readonly message?: Partial<Omit<AssistantMessage, 'role' | 'content' | 'origin' | 'finish'>>
}

/** A part opens; `part` is what is known of it before any delta. */
export interface PartStartEvent extends PartEvent {
  readonly type: 'part-start'
  readonly part: AssistantPart
}

export interface TextDeltaEvent extends PartEvent {
  readonly type: 'text-delta' | 'refusal-delta'
  readonly text: string
}

export interface ReasoningDeltaEvent extends PartEvent {
  readonly type: 'reasoning-delta'
  readonly text: string
  readonly summary?: true
}

/** More of a call's arguments. */
export interface ArgumentsDeltaEvent extends PartEvent {
  readonly type: 'arguments-delta'
  /** The next piece of their text; the pieces of a call, joined, are the truth. */
  readonly json: string
  /**
   * What all pieces of this call say together, as far as they came; absent before the first bracket. A decoder fills it in,
   * and no encoder reads it. It holds for the moment in which the event arrives: all events of a call share one object that
   * grows (a copy for each would cost the square of the length), so it must not be changed, and to keep a state of it takes
   * a copy (`structuredClone`). The finished arguments are those of the accumulated part.
   */
  readonly value?: JsonObject
}

/** More base64 of an image, audio or video. */
export interface MediaDeltaEvent extends PartEvent {
  readonly type: 'media-delta'
  readonly data: string
}

/** Something about an open part that no delta can say; citations join those that came before. */
export interface PartUpdateEvent extends PartEvent {
  readonly type: 'part-update'
  /** Bound to the part's content when the part is whole. */
  readonly signature?: Omit<Signature, 'contentDigest'>
  readonly citations?: readonly Citation[]
}

/**
 * A part is done; `part` adds what no delta said, or with `replaces` is the whole part. No delta follows, but an end with `replaces`
 * may, where the provider corrects at last what it said before.
 */
export interface PartEndEvent extends PartEvent {
  readonly type: 'part-end'
  readonly part?: AssistantPart
  readonly replaces?: true
}

/** Usage so far: each one replaces the last. */
export interface UsageEvent extends EventBase {
  readonly type: 'usage'
  readonly usage: Usage
}

export interface FinishEvent extends EventBase {
  readonly type: 'finish'
  readonly finish: Finish
}

export interface LossEvent extends EventBase {
  readonly type: 'loss'
  readonly loss: Loss
}

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

/** One step of a streamed answer. The stream ends with its iteration, not with `finish`. */
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
