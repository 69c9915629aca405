import type { IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import { toolResults } from '../canonical/build/messages.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { ToolResultPart } from '../canonical/model/part.ts'
import { InterlinguaError } from '../errors.ts'
import { applicationCallsOf } from './assistant-content.ts'
import { ABORTED_CALL_MESSAGE } from './tools/invoke-tool.ts'
import { createErrorResult } from './tools/tool-output.ts'

/** An answer that is not part of the conversation yet, and the results of its calls that are there. */
export interface ToolRound {
  readonly message: AssistantMessage
  readonly results: Map<string, ToolResultPart>
}

export function createToolRound(
  message: AssistantMessage,
  results: readonly ToolResultPart[] = [],
): ToolRound {
  return { message, results: new Map(results.map((result) => [result.callId, result])) }
}

/** The messages of a round that was given up: every call has a result, if only an error. */
export function completeAbortedRound(
  { message, results }: ToolRound,
  identity: IdentityOptions,
): readonly Message[] {
  const all = applicationCallsOf(message).map(
    (call) => results.get(call.id) ?? createErrorResult(call, ABORTED_CALL_MESSAGE),
  )
  return all.length === 0 ? [message] : [message, toolResults(all, identity)]
}

export function alreadyResumed(): InterlinguaError {
  return new InterlinguaError('conflict', 'The history holds the answer that the paused run left open', {
    path: '/history',
    found: 'a message that is part of the paused run',
    expected: 'the history up to that message',
    hint: 'Pass the history with the messages of the paused result. If the run has been resumed already, go on with `send`.',
  })
}
