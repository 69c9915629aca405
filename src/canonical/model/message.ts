import type { JsonObject } from '../../wire/json.ts'
import type { Extra } from './extra.ts'
import type { AssistantPart, SystemPart, ToolPart, UserPart } from './part.ts'
import type { Usage } from './usage.ts'

/**
 * The reasons for which a model stops.
 *
 * @example
 * FINISH_REASONS.includes('length') // true
 */
export const FINISH_REASONS = [
  'stop',
  'tool-calls',
  'length',
  'content-filter',
  'refusal',
  'pause',
  'error',
  'aborted',
  'other',
] as const

/** A reason for which a model stops. */
export type FinishReason = (typeof FINISH_REASONS)[number]

/** The reason why a model stopped. */
export interface Finish {
  readonly reason: FinishReason
  /** The provider's own value; it is sent only while it still has the meaning of `reason`. */
  readonly raw?: string
  /** The stop sequence that ended the text. */
  readonly stopSequence?: string
}

/**
 * The five roles, in the order in which they usually appear.
 *
 * @example
 * ROLES // ['system', 'developer', 'user', 'assistant', 'tool']
 */
export const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const

/** The role of a message. */
export type Role = (typeof ROLES)[number]

/** The origin of an assistant message: the wire format, the provider, the model, and the id of the response. */
export interface Origin {
  readonly dialect: string
  readonly provider?: string
  readonly model?: string
  readonly responseId?: string
  /**
   * The digest of the conversation up to and including this message, if the provider has stored it under `responseId`:
   * while it matches, later requests send only what follows.
   */
  readonly storedDigest?: string
}

/** The fields that every message has. */
export interface MessageBase {
  /** Unique and time-ordered; preserved by every update. */
  readonly id: string
  /** ISO 8601; preserved by every update. */
  readonly createdAt?: string
  /** The id of the preceding message, if the conversation has branches. */
  readonly parentId?: string
  readonly name?: string
  /** Data of the application; never sent. */
  readonly metadata?: JsonObject
  readonly extra?: Extra
}

/** Instructions to the model. */
export interface SystemMessage extends MessageBase {
  readonly role: 'system' | 'developer'
  readonly content: readonly SystemPart[]
}

/** A message of the user. */
export interface UserMessage extends MessageBase {
  readonly role: 'user'
  readonly content: readonly UserPart[]
}

/** A message of the model. */
export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant'
  /** Text, reasoning and calls in the order in which the model produced them. */
  readonly content: readonly AssistantPart[]
  readonly origin?: Origin
  readonly usage?: Usage
  readonly finish?: Finish
}

/** The results of one round of tool calls: one message, one part per call. */
export interface ToolMessage extends MessageBase {
  readonly role: 'tool'
  readonly content: readonly ToolPart[]
}

/** Any message, discriminated by `role`. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** A readonly list of messages that is not an array, such as a {@link Messages}. */
export interface MessageList extends Iterable<Message> {
  /** The number of messages. */
  readonly size: number
  /** Returns the message at a position; a negative position counts from the end. */
  at(index: number): Message | undefined
}
