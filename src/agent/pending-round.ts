import type { IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import { toolResults } from '../canonical/build/messages.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { ToolResultPart } from '../canonical/model/part.ts'
import { applicationCallsOf } from './assistant-content.ts'
import { createAbortedResult } from './tools/tool-output.ts'

/** An assistant message that is not yet in the conversation, with the tool results received so far. */
export interface PendingRound {
  readonly message: AssistantMessage
  readonly results: Map<string, ToolResultPart>
}

export function createPendingRound(
  message: AssistantMessage,
  results: readonly ToolResultPart[] = [],
): PendingRound {
  return { message, results: new Map(results.map((result) => [result.callId, result])) }
}

/** Returns the messages of an aborted round. Calls without a result get an error result. */
export function createAbortedRoundMessages(
  { message, results }: PendingRound,
  identity: IdentityOptions,
): readonly Message[] {
  const calls = applicationCallsOf(message)
  const all = calls.map((call) => results.get(call.id) ?? createAbortedResult(call))
  return all.length === 0 ? [message] : [message, toolResults(all, identity)]
}
