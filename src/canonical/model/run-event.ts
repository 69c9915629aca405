import type { Json } from '../../wire/json.ts'
import type { ChatEvent } from './event.ts'
import type { ToolMessage } from './message.ts'

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
