import type { Json } from '../../wire/json.ts'

/** A client's answer about a tool call: a decision of its user, or the output of a tool that it ran. */
export type ToolAnswer = ApprovalAnswer | OutputAnswer

/** The decision of a user about a call. */
export interface ApprovalAnswer {
  readonly type: 'approval'
  /** The id of the request for approval: the key of the decision. */
  readonly id: string
  /** The call that the user saw; undefined if the protocol does not repeat it. */
  readonly callId?: string
  readonly isApproved: boolean
  readonly reason?: string
}

/** The output of a tool that the client ran. */
export interface OutputAnswer {
  readonly type: 'output'
  readonly callId: string
  readonly output: Json
  readonly isError: boolean
}
